// Package reliable makes the tool calls of any model reliable: they name declared tools and satisfy their schemas, or
// the answer is an error. [New] wraps a [callwright.Model] into a [Client], which is a Model too.
//
// The stages of a request in a Client:
//
//	plan      plan.go      the fallback chain: its candidates, each a model in a mode, by the known facts of the models
//	shape     outbound     the request adapted to the candidate: history, tools, names, choice, parameters
//	ask       ask.go       the model is asked, whole or as a stream; its events go to
//	read      inbound      reasoning split off, calls assembled or found in the text, and held until they are validated
//	judge     judge        one call: name resolved, JSON repaired, coerced, validated
//	correct   correct.go   self-correction: the model gets the errors of its calls, a bounded number of times
//	learn     learning     facts about the model, learned from refusals and answers, are stored
//	report    report.go    every attempt and every change
//
// run.go goes along the fallback chain: it makes attempts (attempt.go) with a candidate until an answer is accepted,
// and takes the next candidate where none is. delivery.go hands the events to the client of the run.
//
// Callers with an HTTP client of their own use single steps: [Shape] adapts a request to a model in a mode, [Extract]
// finds and validates the calls of an answer, [Validate] validates one call.
package reliable
