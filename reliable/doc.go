// Package reliable makes any model one whose tool calls can be trusted: they name declared tools and satisfy their
// schemas, or the answer is an honest error. [New] wraps a [callwright.Model] into a [Client], which is a Model too.
//
// The way of a request through a Client:
//
//	plan      plan.go      the ladder of rungs, each a model in a mode, from what is known of the models
//	shape     outbound     the request made fit for the rung: history, tools, names, choice, parameters
//	ask       ask.go       the model is asked, whole or as a stream; its events go to
//	read      inbound      reasoning split off, calls assembled or found in the text, and held until they are judged
//	judge     judge        one call: name resolved, JSON repaired, coerced, validated
//	correct   correct.go   the model is asked again with what is wrong, a bounded number of times
//	learn     learning     what a refusal or an answer teaches about the model is kept as a fact
//	report    report.go    every attempt and every change
//
// run.go climbs the ladder: it makes attempts (attempt.go) on a rung until an answer stands, and takes the next rung
// where none does. What the client of a run gets goes through delivery.go.
//
// Callers with an HTTP client of their own use the steps alone: [Shape] makes a request fit for a model in a mode,
// [Extract] finds and judges the calls of an answer, [Validate] judges one call.
package reliable
