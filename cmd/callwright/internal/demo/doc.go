// Package demo is the demonstration: simulated models that misbehave, the gateway in front of them, and clients with a
// tool that ask each model through the gateway over HTTP, run the calls that come back and return their results.
//
// Cases lists the misbehaviours, Run plays them and checks what the clients received, Print shows the results to a
// person. A Result marshals to JSON for programs.
package demo
