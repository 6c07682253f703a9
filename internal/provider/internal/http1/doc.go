// Package http1 sends requests whose bodies are in memory over HTTP/1.1 without TLS, such as requests to an inference
// server on the same machine or network. The goroutine of the caller writes the request, header and body in one system
// call, and reads the response.
//
// In contrast, net/http's Transport has two goroutines for each connection, between which requests and responses are
// passed. This costs a quarter of the CPU time of a gateway's request of 15 KB, and the stacks of two thousand
// goroutines for a thousand open streams. This package parses responses with net/http (http.ReadResponse), and passes
// requests that it does not support to a Transport of net/http.
package http1
