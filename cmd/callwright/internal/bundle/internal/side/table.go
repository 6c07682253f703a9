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
	{of: "gateway.undeclared_call", weight: guarantee, side: Gateway, why: "a call of a tool that the client did not declare left as valid"},
	{of: "gateway.invalid_call", weight: guarantee, side: Gateway, why: "a call that breaks the client's schema left as valid"},
	{of: "gateway.one_call_id", weight: guarantee, side: Gateway, why: "two calls of one answer left with one id"},

	// Errors that the client received.
	{of: "error:internal", weight: guarantee, side: Gateway, why: "the gateway itself failed"},
	{of: "error:invalid_request error:invalid_schema", weight: ending, side: Client,
		why: "the request was refused before any provider was asked", when: unasked},
	{of: "error:invalid_request error:invalid_schema", weight: ending, side: Client,
		why: "the provider refused the request as the client wrote it: but for the model's name, not a byte was changed", when: asCame},
	{of: "error:invalid_request", weight: ending, or: []Side{Gateway, Client, Provider},
		why: "the provider refused a request that the gateway had written in another form"},
	{of: "error:invalid_schema", weight: ending, or: []Side{Provider, Gateway},
		why: "the provider refused the schema of a tool that the gateway had written in another form"},
	{of: "error:context_length", weight: ending, side: Client, why: "the request is longer than the model's context"},
	{of: "error:too_large error:unsupported_media", weight: ending, side: Client, why: "the request has a size or a form that is not taken"},
	{of: "error:previous_response_not_found", weight: ending, side: Client, why: "the request goes on from an answer that is not kept"},
	{of: "error:canceled", weight: ending, side: Client, why: "the client left before the answer had ended"},
	{of: "error:unsupported", weight: ending, side: Provider, why: "the provider does not have a part of the API that the request needs"},
	{of: "error:content_filter", weight: ending, or: []Side{Provider, Client},
		why: "a content filter stopped the request: whether it is right cannot be told"},
	{of: "error:authentication error:permission error:billing", weight: ending, or: []Side{Client, Provider},
		why: "the provider does not accept the key, which is the client's or stands in the configuration"},
	{of: "error:not_found", weight: ending, or: []Side{Client, Provider}, why: "the provider has no such model or address, or has it no more"},
	{of: "error:timeout", weight: ending, or: []Side{Provider, Engine},
		why: "no answer came in time: the connection or the computation was too slow"},
	{of: "error:conflict", weight: ending, or: []Side{Client, Provider}, why: "the provider says that the request conflicts with another one"},
	{of: "error:rate_limited", weight: ending, side: Provider, why: "the provider's limit for this key was reached"},
	{of: "error:overloaded", weight: ending, side: Provider, why: "the provider says that it is overloaded"},
	{of: "error:provider_error", weight: ending, side: Engine,
		why: "the parser of the engine failed on the text of its model, and said so", when: besides("plan.unparsed", "recovered.*")},
	{of: "error:provider_error", weight: ending, side: Provider, why: "the provider answered with an error of its own"},
	{of: "error:unavailable", weight: ending, side: Provider, why: "there was no connection to the provider, or it failed too often before"},
	{of: "error:truncated", weight: ending, side: Provider, why: "the connection ended before the answer did"},
	{of: "error:bad_answer", weight: adapted, side: Model, why: "no answer was accepted, for the reasons that follow",
		when: besides("correct.*", "judge.*", "wire.malformed_reason")},
	{of: "error:bad_answer", weight: ending, side: Provider, why: "the body of a successful status is no answer of the API of the provider"},
	{of: "error:tool_use_failed", weight: ending, side: Provider,
		why: "the provider refused a call of its own model, and quoted nothing that could be read"},
	{of: "error:invalid_tool_call error:missing_tool_call", weight: adapted, side: Model,
		why: "no answer was accepted, for the reasons that follow", when: besides("judge.*", "correct.*")},
	{of: "error:invalid_tool_call error:missing_tool_call", weight: ending, or: []Side{Model, Engine},
		why: "no valid call came, and nothing says why"},
	{of: "error:change_needed", weight: adapted, why: "the policy strict refuses the changes that follow"},
	{of: "error:shutting_down", weight: ending, or: []Side{Gateway}, why: "the gateway was told to end"},
	{of: "error:not_implemented", weight: ending, or: []Side{Gateway, Client}, why: "the gateway does not serve what was asked for"},

	// Refusals and failures after which the request succeeded.
	{of: "recovered.text recovered.call", weight: answer, side: Engine,
		why: "the parser of the engine failed on a call that can be read", when: atStatus(500, 599)},
	{of: "recovered.text", weight: answer, side: Provider, why: "the provider refused a call of its own model that can be read",
		when: atStatus(400, 499)},
	{of: "recovered.call wire.malformed_reason wire.broken_call", weight: answer, side: Model,
		why: "the provider says that its model wrote a call that is malformed"},
	{of: "recovered.text", weight: answer, or: []Side{Engine, Provider},
		why: "a call stands inside of an error that came in place of the answer"},
	{of: "plan.unparsed correct.swallowed", weight: answer, side: Engine,
		why: "the parser of the engine failed on a call, or dropped it: tokens were generated of which nothing came"},
	{of: "plan.no_tools", weight: request, side: Provider, why: "the provider does not take tools for this model"},
	{of: "choice.emulated parallel.emulated format.emulated params.tool_choice params.choice_words", weight: request,
		side: Provider, why: "the provider does not have this tool choice or form of the answer"},
	{of: "field.dropped tools.schema_described params.reasoning_off", weight: request, side: Provider,
		why: "the provider refuses a part of the request that others take"},
	{of: "transport.refused_call", weight: answer, side: Provider,
		why: "the provider refused a call of its own model, and quoted nothing of it"},
	{of: "transport.broken", weight: answer, side: Provider, why: "the answer broke off, or failed after it had begun"},

	// Calls in the text although the request declared tools.
	{of: "dialect.* finish.derived name.* reasoning.split", weight: adapted, why: "it follows from where the call was found",
		when: besides("recovered.*", "plan.unparsed")},
	{of: "dialect.in_name dialect.in_arguments", weight: answer, side: Engine,
		why: "markup of a call ended in the name or the arguments of a native one: the parser of the engine cut it wrongly"},
	{of: "reasoning.promoted reasoning.draft dialect.promoted", weight: answer, or: []Side{Model, Engine},
		why: "a call stands in the reasoning: the model did not end it, or the engine looks for calls too late"},
	{of: "finish.derived reasoning.split", weight: adapted, why: "it follows from where the call was found",
		when: besides("dialect.*", "reasoning.promoted", "recovered.*")},
	{of: "dialect.unread dialect.bare_json", weight: answer, or: []Side{Model, Engine},
		why: "a call came as text: the model wrote another format than its template has, or the engine reads no calls of it"},
	{of: "dialect.*", weight: answer, side: Engine,
		why: "a call came as text in the format that the model was trained on: the engine left it unread", when: own},
	{of: "dialect.*", weight: answer, side: Model, why: "a call came as text in a format that the model was not trained on", when: foreign},
	{of: "dialect.*", weight: answer, or: []Side{Model, Engine},
		why: "a call came as text, and it is not known on which format the model was trained"},
	{of: "reasoning.*", weight: answer, or: []Side{Engine, Model},
		why: "reasoning came as text, or text as reasoning: the engine splits it otherwise than the model marks it"},
	{of: "mark.template mark.header", weight: answer, side: Engine, why: "tokens of the chat template are left in the text"},
	{of: "mark.invented mark.repeated", weight: answer, side: Model,
		why: "the model went on behind its call, with results that it made up or with the call once more"},
	{of: "mark.*", weight: answer, or: []Side{Model, Engine}, why: "a mark without its counterpart is left in the text"},

	// Arguments and names of calls.
	{of: "judge.truncated", weight: answer, or: []Side{Client, Model},
		why:  "the answer was cut at the limit of its length: the limit is too low, or the model said too much",
		when: func(f *Facts, _ string) bool { return f.Finish == callwright.FinishLength }},
	{of: "judge.truncated", weight: answer, or: []Side{Model, Engine, Client},
		why: "the answer ends inside a call: the model stopped, or a limit was reached"},
	{of: "judge.undeclared", weight: answer, side: Model, why: "the model called a tool that is not declared"},
	{of: "judge.malformed", weight: answer, side: Model, why: "the model wrote arguments that cannot be read"},
	{of: "judge.invalid", weight: answer, side: Model, why: "the model wrote arguments that break the schema of the tool"},
	{of: "judge.swallowed normalise.swallowed normalise.marked_key", weight: answer, or: []Side{Engine, Model},
		why: "a value holds the rest of its own call: the model closed it wrongly, or the engine cut it wrongly"},
	{of: "json.double_encoded json.list_of_one", weight: answer, or: []Side{Model, Engine},
		why: "the arguments came encoded twice: by the model, or by the engine that wrote its tokens as text once more"},
	{of: "json.empty json.concatenated", weight: answer, or: []Side{Model, Engine},
		why: "the arguments came empty, or behind an empty object: the model wrote none, or the engine lost them"},
	{of: "json.* string.control", weight: answer, side: Model, why: "the model wrote JSON that is broken"},
	{of: "coerce.*", weight: answer, side: Model, why: "the model wrote a value of another type or name than the schema has"},
	{of: "name.*", weight: answer, side: Model, why: "the model wrote the name of a tool otherwise than it is declared"},
	{of: "normalise.parallel_wrapper normalise.nested_call normalise.custom_input", weight: answer, side: Model,
		why: "the model wrote a call in another form than the tool's"},
	{of: "normalise.repeated_call loop.*", weight: answer, side: Model,
		why: "the model made a call again that it had made before, or announced one and made none"},
	{of: "normalise.*", weight: answer, or: []Side{Engine, Model}, why: "parts of a call, or the call itself, stand twice"},
	{of: "guarantee.*", weight: answer, or: []Side{Engine, Model},
		why: "a call was made that the tool choice does not allow: the engine does not hold its model to it"},
	{of: "correct.empty", weight: answer, or: []Side{Model, Engine},
		why: "the answer was empty: the model wrote nothing, or the engine dropped it"},
	{of: "correct.asked", weight: adapted, why: "it follows from the call that was rejected", when: besides("judge.*")},
	{of: "correct.asked", weight: answer, side: Model, why: "the model made no call although the prompt demands one",
		when: besides("choice.emulated", "plan.no_tools")},
	{of: "correct.asked format.ignored", weight: answer, side: Engine,
		why: "the request demands a call or a form of the answer, and the engine did not hold its model to it"},
	{of: "correct.*", weight: answer, side: Model, why: "the model had to be asked again"},

	// Ids, indexes, finish reasons and the stream.
	{of: "wire.bad_line", weight: answer, side: Provider, why: "a line of the stream is no JSON"},
	{of: "wire.*", weight: answer, side: Engine,
		why: "the answer is written otherwise than the API describes: indexes, types, finish reasons or the order of pieces"},
	{of: "id.escaped", weight: adapted, why: "the client's API wants ids in another form"},
	{of: "id.*", weight: answer, side: Engine, why: "ids of calls are missing, or one stands for several calls"},
	{of: "finish.derived", weight: answer, side: Engine, why: "the finish reason does not fit the answer"},
	{of: "transport.joined_character", weight: answer, side: Engine, why: "a character was cut in two between events"},

	// Histories that every API rejects.
	{of: "history.orphan_call history.orphan_result", weight: request, side: Client,
		why: "the history has a call without a result, or a result without a call"},
	{of: "history.duplicate_id history.missing_id", weight: request, side: Client,
		why: "the history has calls without an id, or several with one id"},
	{of: "history.bad_arguments history.arguments", weight: request, side: Client,
		why: "the history has a call whose arguments are no JSON object"},
	{of: "history.declared_tools", weight: request, side: Client, why: "the history has calls of tools that the request does not declare"},
	{of: "history.state_restored history.sentinel", weight: request, side: Client,
		why: "the history lacks opaque state that came with the model's answers"},

	// Adaptations for the receiver's API: nothing is broken.
	{of: "history.* tools.* params.* cache.* response.* format.* provider.*", weight: adapted, why: "the receiver's API wants another form"},
	{of: "plan.learned hosted.ran", weight: adapted, why: "it follows from what the provider does not have"},
}
