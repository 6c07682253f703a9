// Package http1 sends requests whose bodies are in memory over HTTP/1.1 without TLS, as to engines on the same machine
// or network. The goroutine that makes a request writes it, head and body by one system call, and reads the answer.
//
// The connections of net/http's Transport have two goroutines each, between which a request and its answer are handed
// on: a quarter of the CPU time of a gateway's request of 15 KB, and the stacks of two thousand goroutines beside a
// thousand open streams. Answers are parsed by net/http here too (http.ReadResponse), and it sends whatever a Transport
// does not take.
package http1
