// Package pairwise has tests alone. They use every two features of the gateway together, over every two APIs, whole and
// streamed, and hold what the client gets and what the provider is sent against what was meant. The clients and the
// provider are written for these tests from the public documents of the APIs; they share no code with the gateway.
package pairwise
