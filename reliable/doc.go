// Package reliable makes tool calls of any model reliable. [New] wraps a [callwright.Model] in a [Client], which is
// also a Model. Every call in a Client's response names a declared tool and satisfies the schema of the tool. If the
// model makes no such call, the Client returns an error.
//
// A Client processes a request in these stages:
//
//	plan      plan.go      the fallback chain is planned: its candidates are models in modes, from the known facts
//	shape     outbound     the request is adapted to the candidate: history, tools, names, choice, parameters
//	ask       ask.go       the request is sent, streamed or not
//	read      inbound      reasoning is separated, calls are assembled or parsed from text and buffered
//	judge     judge        each call: the name is resolved, JSON repaired, values coerced, arguments validated
//	correct   correct.go   self-correction: the model gets the errors of its calls, a limited number of times
//	learn     learning     facts about the model from rejections and responses are stored
//	report    report.go    every attempt and every change is recorded
//
// run.go tries the candidates of the fallback chain in order. It makes attempts (attempt.go) with a candidate until a
// response is accepted, or continues with the next candidate. delivery.go sends the events to the client of the run.
//
// Programs with their own HTTP client can use the stages separately: [Shape] adapts a request to a model in a mode,
// [Extract] finds and validates the calls of a response, [Validate] validates one call.
package reliable
