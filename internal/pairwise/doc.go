// Package pairwise contains only tests. They combine every two features of the gateway with every two APIs, in
// streaming and non-streaming requests, and compare the response to the client and the request to the provider with
// expected values. The test clients and the test provider follow the public API documentation and share no code with
// the gateway.
package pairwise
