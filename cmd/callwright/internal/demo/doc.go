// Package demo implements the demonstration: simulated models that misbehave, the gateway in front of them, and clients
// with a tool. A client calls each model through the gateway over HTTP, runs the tool calls and returns their results.
//
// Cases lists the faults. Run runs them and checks the responses that the clients received. Print prints the results,
// and a Result can be encoded as JSON.
package demo
