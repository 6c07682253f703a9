// Package demo is the demonstration: simulated models that misbehave, the gateway in front of them, and clients with a
// tool. A client asks each model through the gateway over HTTP, runs the calls of the answer and returns their results.
//
// Cases lists the misbehaviours, Run plays them and checks the answers that the clients received, Print shows the
// results to a person. A Result marshals to JSON for programs.
package demo
