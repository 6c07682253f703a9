// Package pairwise has tests alone. They use every two features of the gateway together, over every two APIs, whole and
// streamed, and compare the response to the client and the request to the provider with the expected ones. The clients
// and the provider are written for these tests from the public documents of the APIs; they share no code with the
// gateway.
package pairwise
