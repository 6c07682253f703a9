package side

import "github.com/callwright/callwright"

// A weight ranks the reasons of a verdict. Those with the greatest weight decide.
type weight int

// The weights of reasons in ascending order.
const (
	adapted   weight = iota // no fault: an adaptation for the receiver, or a consequence of another note
	request                 // found in the request, or in a refusal that a change of the request resolved
	answer                  // found in a response
	ending                  // the error that the client received
	guarantee               // a violated guarantee of the gateway
)

// A row of the table states which side causes certain faults.
type row struct {
	of     string // space-separated names; "x.*" is a prefix, "error:KIND" an error
	weight weight
	side   Side   // "" if it is not certain
	or     []Side // the possible sides
	why    string
	when   func(f *Facts, name string) bool // further condition; nil for none
}

// Conditions under which a row of the table applies.
var (
	unasked = func(f *Facts, _ string) bool { return !f.Asked }
	asCame  = func(f *Facts, _ string) bool { return f.AsCame }
	own     = func(f *Facts, rule string) bool { return f.isOwnFormat(rule) }
	foreign = func(f *Facts, rule string) bool { return len(f.Formats) > 0 && !f.isOwnFormat(rule) }
	besides = func(rules ...string) func(*Facts, string) bool {
		return func(f *Facts, _ string) bool { return f.has(rules...) }
	}
	atStatus = func(low, high int) func(*Facts, string) bool {
		return func(f *Facts, _ string) bool { return f.Status >= low && f.Status <= high }
	}
)

// rows are the rows of the table. The first row that matches a finding applies.
var rows = []row{
	{of: "gateway.internal", weight: guarantee, side: Gateway, why: "the gateway itself failed"},
	{of: "gateway.undeclared_call", weight: guarantee, side: Gateway, why: "the client got a call of an undeclared tool as valid"},
	{of: "gateway.invalid_call", weight: guarantee, side: Gateway, why: "the client got a call that violates the schema of its tool as valid"},
	{of: "gateway.one_call_id", weight: guarantee, side: Gateway, why: "the client got two calls with the same id in one answer"},

	// Errors that the client received.
	{of: "error:internal", weight: guarantee, side: Gateway, why: "the gateway itself failed"},
	{of: "error:invalid_request error:invalid_schema", weight: ending, side: Client,
		why: "the request was refused before any provider was asked", when: unasked},
	{of: "error:invalid_request error:invalid_schema", weight: ending, side: Client,
		why: "the provider refused the request of the client, which was unchanged except for the model's name", when: asCame},
	{of: "error:invalid_request", weight: ending, or: []Side{Gateway, Client, Provider},
		why: "the provider refused a request that the gateway had translated"},
	{of: "error:invalid_schema", weight: ending, or: []Side{Provider, Gateway},
		why: "the provider refused the schema of a tool that the gateway had translated"},
	{of: "error:context_length", weight: ending, side: Client, why: "the request is longer than the model's context"},
	{of: "error:too_large error:unsupported_media", weight: ending, side: Client, why: "the size or the content type of the request is not accepted"},
	{of: "error:previous_response_not_found", weight: ending, side: Client, why: "the request continues an answer that is not stored"},
	{of: "error:canceled", weight: ending, side: Client, why: "the client disconnected before the answer had ended"},
	{of: "error:unsupported", weight: ending, side: Provider, why: "the provider lacks a part of the API that the request needs"},
	{of: "error:content_filter", weight: ending, or: []Side{Provider, Client},
		why: "a content filter stopped the request: whether the filter is right is unknown"},
	{of: "error:authentication error:permission error:billing", weight: ending, or: []Side{Client, Provider},
		why: "the provider does not accept the key, which is from the client or from the configuration"},
	{of: "error:not_found", weight: ending, or: []Side{Client, Provider}, why: "the provider does not have this model or address, or no longer has it"},
	{of: "error:timeout", weight: ending, or: []Side{Provider, Engine},
		why: "no answer came in time: the connection or the computation was too slow"},
	{of: "error:conflict", weight: ending, or: []Side{Client, Provider}, why: "the provider reports a conflict with another request"},
	{of: "error:rate_limited", weight: ending, side: Provider, why: "the provider's limit for this key was reached"},
	{of: "error:overloaded", weight: ending, side: Provider, why: "the provider reports that it is overloaded"},
	{of: "error:provider_error", weight: ending, side: Engine,
		why: "the parser of the engine reported a failure on the text of its model", when: besides("plan.unparsed", "recovered.*")},
	{of: "error:provider_error", weight: ending, side: Provider, why: "the provider answered with an internal error"},
	{of: "error:unavailable", weight: ending, side: Provider, why: "there was no connection to the provider, or too many earlier requests failed"},
	{of: "error:truncated", weight: ending, side: Provider, why: "the connection ended before the answer did"},
	{of: "error:bad_answer", weight: adapted, side: Model, why: "no answer was accepted, for the following reasons",
		when: besides("correct.*", "judge.*", "wire.malformed_reason")},
	{of: "error:bad_answer", weight: ending, side: Provider, why: "the body has a successful status, but is not an answer of the provider's API"},
	{of: "error:tool_use_failed", weight: ending, side: Provider,
		why: "the provider refused a call of its own model, and quoted nothing that could be parsed"},
	{of: "error:invalid_tool_call error:missing_tool_call", weight: adapted, side: Model,
		why: "no answer was accepted, for the following reasons", when: besides("judge.*", "correct.*")},
	{of: "error:invalid_tool_call error:missing_tool_call", weight: ending, or: []Side{Model, Engine},
		why: "there was no valid call, for an unknown reason"},
	{of: "error:change_needed", weight: adapted, why: "the policy strict refuses the following changes"},
	{of: "error:shutting_down", weight: ending, or: []Side{Gateway}, why: "the gateway was shutting down"},
	{of: "error:not_implemented", weight: ending, or: []Side{Gateway, Client}, why: "the gateway does not support the requested API"},

	// Refusals and failures after which the request succeeded.
	{of: "recovered.text recovered.call", weight: answer, side: Engine,
		why: "the parser of the engine failed on a call that can be parsed", when: atStatus(500, 599)},
	{of: "recovered.text", weight: answer, side: Provider, why: "the provider refused a call of its own model that can be parsed",
		when: atStatus(400, 499)},
	{of: "recovered.call wire.malformed_reason wire.broken_call", weight: answer, side: Model,
		why: "the provider reports that its model wrote a malformed call"},
	{of: "recovered.text", weight: answer, or: []Side{Engine, Provider},
		why: "the provider answered with an error that contains a call"},
	{of: "plan.unparsed correct.swallowed", weight: answer, side: Engine,
		why: "the parser of the engine failed on a call, or dropped it: the model generated tokens, but the answer does not have them"},
	{of: "plan.no_tools", weight: request, side: Provider, why: "the provider does not support tools for this model"},
	{of: "choice.emulated parallel.emulated format.emulated params.tool_choice params.choice_words", weight: request,
		side: Provider, why: "the provider does not support this tool choice or response format"},
	{of: "field.dropped tools.schema_described params.reasoning_off", weight: request, side: Provider,
		why: "the provider refuses a part of the request that other providers accept"},
	{of: "transport.refused_call", weight: answer, side: Provider,
		why: "the provider refused a call of its own model, and did not quote it"},
	{of: "transport.broken", weight: answer, side: Provider, why: "the answer ended early, or failed after its start"},

	// Calls in the text although the request declared tools.
	{of: "dialect.* finish.derived name.* reasoning.split", weight: adapted, why: "it follows from the place of the call",
		when: besides("recovered.*", "plan.unparsed")},
	{of: "dialect.in_name dialect.in_arguments", weight: answer, side: Engine,
		why: "call markup is in the name or the arguments of a native call: the parser of the engine split it wrongly"},
	{of: "reasoning.promoted reasoning.draft dialect.promoted", weight: answer, or: []Side{Model, Engine},
		why: "a call is in the reasoning: the model did not end its reasoning, or the engine looks for calls too late"},
	{of: "finish.derived reasoning.split", weight: adapted, why: "it follows from the place of the call",
		when: besides("dialect.*", "reasoning.promoted", "recovered.*")},
	{of: "dialect.unread dialect.bare_json", weight: answer, or: []Side{Model, Engine},
		why: "a call is in the text: the model wrote another format than that of its template, or the engine does not parse its calls"},
	{of: "dialect.*", weight: answer, side: Engine,
		why: "a call is in the text, in the format that the model was trained on: the engine did not parse it", when: own},
	{of: "dialect.*", weight: answer, side: Model, why: "a call is in the text, in a format that the model was not trained on", when: foreign},
	{of: "dialect.*", weight: answer, or: []Side{Model, Engine},
		why: "a call is in the text, and the format that the model was trained on is unknown"},
	{of: "reasoning.*", weight: answer, or: []Side{Engine, Model},
		why: "reasoning is in the text, or text in the reasoning: the engine does not split them as the model marks them"},
	{of: "mark.template mark.header", weight: answer, side: Engine, why: "tokens of the chat template are left in the text"},
	{of: "mark.invented mark.repeated", weight: answer, side: Model,
		why: "the model continued after its call, with invented results or with the same call"},
	{of: "mark.*", weight: answer, or: []Side{Model, Engine}, why: "a single start or end mark is left in the text"},

	// Arguments and names of calls.
	{of: "judge.truncated", weight: answer, or: []Side{Client, Model},
		why:  "the answer was truncated at the length limit: the limit is too low, or the answer too long",
		when: func(f *Facts, _ string) bool { return f.Finish == callwright.FinishLength }},
	{of: "judge.truncated", weight: answer, or: []Side{Model, Engine, Client},
		why: "the answer ends inside a call: the model stopped, or a limit was reached"},
	{of: "judge.undeclared", weight: answer, side: Model, why: "the model called a tool that is not declared"},
	{of: "judge.malformed", weight: answer, side: Model, why: "the model wrote arguments that cannot be parsed"},
	{of: "judge.invalid", weight: answer, side: Model, why: "the model wrote arguments that violate the schema of the tool"},
	{of: "judge.swallowed normalise.swallowed normalise.marked_key", weight: answer, or: []Side{Engine, Model},
		why: "a value contains the rest of its own call: the model closed it wrongly, or the engine split it wrongly"},
	{of: "json.double_encoded json.list_of_one", weight: answer, or: []Side{Model, Engine},
		why: "the arguments are encoded twice: by the model, or by the engine"},
	{of: "json.empty json.concatenated", weight: answer, or: []Side{Model, Engine},
		why: "the arguments are empty, or follow an empty object: the model wrote none, or the engine lost them"},
	{of: "json.* string.control", weight: answer, side: Model, why: "the model wrote broken JSON"},
	{of: "coerce.*", weight: answer, side: Model, why: "a value of the model has another type or name than in the schema"},
	{of: "name.*", weight: answer, side: Model, why: "the model wrote the name of a tool differently from its declaration"},
	{of: "normalise.parallel_wrapper normalise.nested_call normalise.custom_input", weight: answer, side: Model,
		why: "the model wrote a call in another form than that of the tool"},
	{of: "normalise.repeated_call loop.*", weight: answer, side: Model,
		why: "the model repeated an earlier call, or announced a call and did not make it"},
	{of: "normalise.*", weight: answer, or: []Side{Engine, Model}, why: "a call, or a part of it, is duplicated"},
	{of: "guarantee.*", weight: answer, or: []Side{Engine, Model},
		why: "the model made a call that the tool choice does not allow: the engine did not enforce the choice"},
	{of: "correct.empty", weight: answer, or: []Side{Model, Engine},
		why: "the answer was empty: the model wrote nothing, or the engine dropped it"},
	{of: "correct.asked", weight: adapted, why: "it follows from the call that was rejected", when: besides("judge.*")},
	{of: "correct.asked", weight: answer, side: Model, why: "the model made no call although the prompt requires one",
		when: besides("choice.emulated", "plan.no_tools")},
	{of: "correct.asked format.ignored", weight: answer, side: Engine,
		why: "the request requires a call or a response format, and the engine did not enforce it"},
	{of: "correct.*", weight: answer, side: Model, why: "the answer needed self-correction"},

	// Ids, indexes, finish reasons and the stream.
	{of: "wire.bad_line", weight: answer, side: Provider, why: "a line of the stream is not JSON"},
	{of: "wire.*", weight: answer, side: Engine,
		why: "the answer differs from the documented API: in indexes, types, finish reasons or the order of deltas"},
	{of: "id.escaped", weight: adapted, why: "the client's API requires ids in another form"},
	{of: "id.*", weight: answer, side: Engine, why: "ids of calls are missing, or several calls have the same id"},
	{of: "finish.derived", weight: answer, side: Engine, why: "the finish reason does not fit the answer"},
	{of: "transport.joined_character", weight: answer, side: Engine, why: "a character was split between events"},

	// Histories that every API rejects.
	{of: "history.orphan_call history.orphan_result", weight: request, side: Client,
		why: "the history has a call without a result, or a result without a call"},
	{of: "history.duplicate_id history.missing_id", weight: request, side: Client,
		why: "the history has calls without an id, or several calls with the same id"},
	{of: "history.bad_arguments history.arguments", weight: request, side: Client,
		why: "the history has a call whose arguments are not a JSON object"},
	{of: "history.declared_tools", weight: request, side: Client, why: "the history has calls of tools that the request does not declare"},
	{of: "history.state_restored history.sentinel", weight: request, side: Client,
		why: "the history lacks opaque state of the model's answers"},

	// Adaptations for the receiver's API: nothing is broken.
	{of: "history.* tools.* params.* cache.* response.* format.* provider.*", weight: adapted, why: "the receiver's API requires another form"},
	{of: "plan.learned hosted.ran", weight: adapted, why: "it follows from a missing feature of the provider"},
}
