package conformance

// The checks take part of what these suites check: the compliance tests of Open Responses,
// https://github.com/openresponses/openresponses/blob/main/src/lib/compliance-tests.ts, toolcall-conformance,
// https://pypi.org/project/toolcall-conformance/, and openai-compatible-tester, https://pkg.go.dev/github.com/avelrl/openai-compatible-tester

// withIDs, withChoice and withSerial are the APIs whose calls need ids, whose requests have a choice of tools, and that can forbid parallel calls.
var (
	withIDs    = []string{Chat, Responses, Anthropic}
	withChoice = []string{Chat, Responses, Anthropic, Gemini}
	withSerial = []string{Chat, Responses, Anthropic}
	inEvents   = []string{Chat, Responses, Anthropic}
)

// checks is the table of all checks, area by area.
var checks = []check{
	{area: "answers", name: "answer_json", kind: OfProtocol, topic: ofAnswers, about: "A whole answer is one JSON value"},
	{area: "answers", name: "answer_type", kind: OfProtocol, topic: ofAnswers, about: "A whole answer has the Content-Type application/json"},
	{area: "answers", name: "answer_members", kind: OfProtocol, topic: ofAnswers, about: "Answers and the events of streams have the members that the API requires"},
	check{area: "answers", name: "item_form", kind: OfProtocol, topic: ofAnswers, about: "Items and blocks have the members that the API requires"}.on(Responses, Anthropic),
	{area: "answers", name: "utf8", kind: OfProtocol, topic: ofAnswers, about: "Answers are valid UTF-8"},
	{area: "answers", name: "models", kind: OfProtocol, topic: ofModels, about: "The list of models is in the API's form", most: 1, make: checkModels},

	{area: "calls", name: "whole_call", kind: OfModel, topic: ofCalls, about: "An ordered call comes as a call of the API", most: 1, make: callOnce(false)},
	{area: "calls", name: "streamed_call", kind: OfModel, topic: ofCalls, about: "An ordered call comes as a call of the API in a stream", most: 1, make: callOnce(true)},
	{area: "calls", name: "same_both_ways", kind: OfModel, topic: ofCalls, about: "A call is the same in a whole answer and in a stream", most: 2, make: checkSame},
	{area: "calls", name: "call_form", kind: OfProtocol, topic: ofCalls, about: "Calls have the type and the form of arguments of the API"},
	check{area: "calls", name: "arguments_json", kind: OfProtocol, topic: ofCalls, about: "Arguments of a call that was not cut are one JSON object"}.on(withIDs...),
	{area: "calls", name: "empty_arguments", kind: OfModel, topic: ofCalls, about: "A call of a tool without parameters has the arguments {}", most: 2, make: checkEmpty},
	{area: "calls", name: "parallel_calls", kind: OfModel, topic: ofParallel, about: "Two ordered calls come as two calls", most: 2, make: checkParallel},
	check{area: "calls", name: "parallel_off", kind: OfModel, topic: ofParallel, about: "At most one call comes where parallel calls are forbidden", most: 2, make: checkSerial}.on(withSerial...),
	{area: "calls", name: "text_markup", kind: OfProtocol, topic: ofCalls, about: "The text of an answer has no markup of calls where tools are declared"},

	check{area: "ids", name: "id_present", kind: OfProtocol, topic: ofCalls, about: "Each call has an id"}.on(withIDs...),
	{area: "ids", name: "id_unique", kind: OfProtocol, topic: ofCalls, about: "The calls of one answer have ids of their own"},
	check{area: "ids", name: "id_form", kind: OfProtocol, topic: ofCalls, about: "Ids are such that the API takes them back"}.on(withIDs...),
	check{area: "ids", name: "item_id", kind: OfProtocol, topic: ofCalls, about: "Each item has an id"}.on(Responses),
	{area: "ids", name: "id_later", kind: OfModel, topic: ofCalls, about: "A call of a later turn has another id than one of an earlier turn", most: 2, make: checkLaterID},
	{area: "ids", name: "id_echo", kind: OfModel, topic: ofResults, about: "The result of a call is taken under the id that the server gave", most: 2, make: checkEcho},

	check{area: "choice", name: "choice_required", kind: OfProtocol, topic: ofChoice, about: "A call comes where one is required, and in a stream too", most: 2, make: checkRequired}.on(withChoice...),
	check{area: "choice", name: "choice_named", kind: OfProtocol, topic: ofChoice, about: "The tool that is named is called", most: 2, make: checkNamed}.on(withChoice...),
	check{area: "choice", name: "choice_none", kind: OfProtocol, topic: ofChoice, about: "No call comes where calls are forbidden", most: 2, make: checkNone}.on(withChoice...),
	check{area: "choice", name: "choice_allowed", kind: OfProtocol, topic: ofChoice, about: "Only an allowed tool is called", most: 2, make: checkAllowed}.on(Chat, Responses, Gemini),

	{area: "finish", name: "finish_known", kind: OfProtocol, topic: ofFinish, about: "The finish reason is one of the API's"},
	check{area: "finish", name: "finish_calls", kind: OfProtocol, topic: ofFinish, about: "An answer with a call has the finish reason of calls"}.on(Chat, Anthropic),
	check{area: "finish", name: "finish_stop", kind: OfProtocol, topic: ofFinish, about: "An answer without a call does not have the finish reason of calls"}.on(Chat, Anthropic),
	{area: "finish", name: "finish_length", kind: OfProtocol, topic: ofFinish, about: "A text that reached the limit of tokens says so", most: 2, make: checkLength},
	{area: "finish", name: "finish_one", kind: OfProtocol, topic: ofFinish, about: "A stream has one finish reason"},

	{area: "cut", name: "cut_finish", kind: OfModel, topic: ofFinish, about: "A call that the limit of tokens cut ends with the reason of the limit", most: 2, make: checkCutFinish},
	check{area: "cut", name: "cut_end", kind: OfModel, topic: ofFinish, about: "The arguments of a cut call are not completed", most: 2, make: checkCutEnd}.on(Chat, Responses),

	{area: "results", name: "result_taken", kind: OfProtocol, topic: ofResults, about: "A history with a call and its result is answered", most: 2, make: checkResult},
	{area: "results", name: "result_order", kind: OfProtocol, topic: ofResults, about: "The results of two calls are taken in either order", most: 1, make: checkResultOrder},
	{area: "results", name: "result_empty", kind: OfProtocol, topic: ofResults, about: "An empty result is taken", most: 1, make: checkResultEmpty},
	check{area: "results", name: "result_error", kind: OfProtocol, topic: ofResults, about: "A result that is an error is taken", most: 1, make: checkResultError}.on(Anthropic, Gemini),
	check{area: "results", name: "result_parts", kind: OfModel, topic: ofResults, about: "A result as a list of parts reaches the model as one in a string does", most: 2, make: checkResultParts}.on(withIDs...),
	check{area: "results", name: "content_absent", kind: OfProtocol, topic: ofResults, about: `A turn with calls may have content null, "" or none`, most: 3, make: checkContent}.on(Chat),

	{area: "numbers", name: "big_integer", kind: OfModel, topic: ofCalls, about: "2^53+1 and 2^63-1 come back digit by digit", most: 2, make: checkNumbers},
	{area: "numbers", name: "big_schema", kind: OfProtocol, topic: ofSchemas, about: "A schema with the bounds -2^63 and 2^63-1 is taken", most: 1, make: checkBigSchema},

	{area: "text", name: "unicode_arguments", kind: OfModel, topic: ofCalls, about: "Letters of several scripts, emoji, quotes and backslashes come back as they were", most: 2, make: checkUnicode},
	{area: "text", name: "markup_arguments", kind: OfModel, topic: ofCalls, about: "Markup, entities, blanks and line ends in arguments come back as they were", most: 2, make: checkMarkup},
	{area: "text", name: "long_name", kind: OfProtocol, topic: ofSchemas, about: "A tool whose name has 64 characters is taken, and called by it", most: 2, make: checkLongName},
	{area: "text", name: "dotted_name", kind: OfProtocol, topic: ofSchemas, about: "A tool whose name has dots and hyphens is refused, or called by its name", most: 2, make: checkDottedName},

	{area: "schemas", name: "nested_arguments", kind: OfModel, topic: ofSchemas, about: "A tool with nested objects, lists and enums is taken and called", most: 1, make: checkNested},
	{area: "schemas", name: "schema_keywords", kind: OfProtocol, topic: ofSchemas, about: "A schema with the keywords that the tools of coding agents have is taken", most: 1, make: checkKeywords},
	check{area: "schemas", name: "strict_tool", kind: OfProtocol, topic: ofSchemas, about: "A strict tool is taken", most: 1, make: checkStrict}.on(Chat, Responses, Anthropic),
	{area: "schemas", name: "json_schema", kind: OfProtocol, topic: ofSchemas, about: "An answer by a schema satisfies it", most: 2, make: checkFormat},

	{area: "reasoning", name: "reasoning_apart", kind: OfProtocol, topic: ofReasoning, about: "The text of an answer has no tags of reasoning"},
	{area: "reasoning", name: "reasoning_form", kind: OfProtocol, topic: ofReasoning, about: "Reasoning has the API's form", most: 2, make: checkReasoning},

	{area: "usage", name: "usage_whole", kind: OfProtocol, topic: ofUsage, about: "A whole answer tells its tokens", most: 1, make: checkUsage(false)},
	{area: "usage", name: "usage_streamed", kind: OfProtocol, topic: ofUsage, about: "A stream that is asked for it tells its tokens", most: 1, make: checkUsage(true)},
	check{area: "usage", name: "usage_unasked", kind: OfProtocol, topic: ofUsage, about: "A stream that is not asked for its tokens has no chunk without a choice"}.on(Chat),

	{area: "errors", name: "error_json", kind: OfProtocol, topic: ofErrors, about: "A body that is no JSON is refused", most: 1, make: checkBadJSON},
	check{area: "errors", name: "error_messages", kind: OfProtocol, topic: ofErrors, about: "A request without messages is refused", most: 1, make: checkNoMessages}.on(withChoice...), // Ollama loads the model then
	{area: "errors", name: "error_schema", kind: OfProtocol, topic: ofErrors, about: "A tool whose schema is no object is refused", most: 1, make: checkBadSchema},
	check{area: "errors", name: "error_choice", kind: OfProtocol, topic: ofErrors, about: "A choice of a tool that is not declared is refused", most: 1, make: checkBadChoice}.on(withChoice...),
	{area: "errors", name: "error_model", kind: OfProtocol, topic: ofErrors, about: "A model that the server does not have is refused", most: 1, make: checkBadModel},
	{area: "errors", name: "error_key", kind: OfProtocol, topic: ofErrors, about: "A request without the key is refused with 401 or 403", most: 1, make: checkNoKey},
	{area: "errors", name: "error_stream", kind: OfProtocol, topic: ofErrors, about: "A wrong request for a stream is refused by its status", most: 1, make: checkBadStream},
	{area: "errors", name: "error_shape", kind: OfProtocol, topic: ofErrors, about: "Errors have the API's form"},

	{area: "streams", name: "stream_type", kind: OfProtocol, topic: ofStreams, about: "A stream has the Content-Type of the API"},
	{area: "streams", name: "stream_frames", kind: OfProtocol, topic: ofStreams, about: "Each event of a stream is JSON"},
	check{area: "streams", name: "stream_names", kind: OfProtocol, topic: ofStreams, about: "Events have the names of their types, and calls their names at the start alone"}.on(inEvents...),
	check{area: "streams", name: "stream_index", kind: OfProtocol, topic: ofStreams, about: "Choices, calls, items and blocks have their index and id in each event"}.on(inEvents...),
	{area: "streams", name: "stream_order", kind: OfProtocol, topic: ofStreams, about: "Events come in the order of the API"},
	check{area: "streams", name: "stream_sum", kind: OfProtocol, topic: ofStreams, about: "The pieces of a stream add up to what its last events tell"}.on(Responses),
	{area: "streams", name: "stream_end", kind: OfProtocol, topic: ofStreams, about: "A stream ends with the event of the end"},
	{area: "streams", name: "stream_silence", kind: OfProtocol, topic: ofStreams, about: "A stream is not silent for longer than proxies wait"},
	{area: "streams", name: "streamed_text", kind: OfProtocol, topic: ofStreams, about: "A text comes in a stream", most: 1, make: checkStreamedText},
}
