package probe

import "context"

// A check is a test of a model's behaviour: it sends requests, or concludes from the responses to earlier checks.
type check struct {
	name  string
	about string            // one sentence: the condition under which the check passes
	key   string            // key of the fact that the check sets to "yes" if it passes and "no" if it fails; "" for none
	most  int               // maximum number of requests in one run of the check
	once  bool              // a failed check is not repeated
	needs func(*run) string // returns the reason to skip the check, "" to run it; nil for no condition
	ask   func(context.Context, *run) verdict
}

// tries returns the maximum number of runs of the check: 1 or 2.
func (c *check) tries() int {
	if c.once {
		return 1
	}
	return 2
}

// checks lists all checks in their order. Later checks depend on the results of earlier checks.
var checks = []check{
	{name: "answer", most: 1, about: "A greeting is answered with text", ask: askAnswer},
	{name: "native_call", most: 1, about: "A question that a tool can answer leads to a call of this tool", ask: askNative},
	{name: "choice_required", key: "choice_forced", most: 1, about: "The model obeys a tool choice that requires a call",
		needs: readable, ask: askRequired},
	{name: "tools_ignored", about: "A model that accepts tools has made a call", needs: takesTools, ask: concludeIgnored, once: true},
	{name: "choice_named", key: "choice_forced", most: 1, about: "The model obeys a tool choice that names a tool",
		needs: callsTools, ask: askNamed},
	{name: "choice_none", most: 1, about: "No call is made if calls are forbidden", needs: callsTools, ask: askNone},
	{name: "unneeded_call", most: 1, about: "A greeting is answered without a call, although there is a tool",
		needs: callsTools, ask: askUnneeded},
	{name: "parallel_calls", most: 2, once: true, about: "A question about two cities is answered with two calls at once",
		needs: callsTools, ask: askParallel},
	{name: "unique_ids", about: "Calls of one answer have different ids", needs: callsTools, ask: concludeIDs, once: true},
	{name: "parallel_off", key: "parallel_field", most: 1, about: "At most one call is made if parallel calls are forbidden",
		needs: callsTools, ask: askSerial},
	{name: "stream_call", key: "stream_tools", most: 1, about: "A streamed call has well-formed pieces", needs: callsTools,
		ask: askStream},
	{name: "stream_usage", key: "stream_usage", most: 1, about: "A stream ends with the token usage", ask: askStreamUsage},
	{name: "unicode_arguments", most: 1, about: "Letters of several scripts, and an emoji, are unchanged in arguments",
		needs: callsTools, ask: askUnicode},
	{name: "big_integer", most: 1, about: "2^53+1 is unchanged in arguments", needs: callsTools, ask: askBigInteger},
	{name: "empty_arguments", most: 1, about: "A tool without parameters is called with an empty object", needs: callsTools, ask: askEmpty},
	{name: "nested_arguments", most: 1, about: "Objects in lists in objects are unchanged in arguments", needs: callsTools, ask: askNested},
	{name: "enum_arguments", most: 1, about: "An argument is one of the values that its schema lists", needs: callsTools, ask: askEnum},
	{name: "long_arguments", most: 1, about: "An argument of 2 KB is unchanged", needs: callsTools, ask: askLong},
	{name: "many_tools", most: 1, about: "The right one of 40 tools is called", needs: callsTools, ask: askMany},
	{name: "strict_tools", key: "strict_tools", most: 1, about: "A strict tool is accepted and called", needs: callsTools, ask: askStrict},
	{name: "result_turn", most: 1, about: "The result of a call is accepted, and the answer uses it", needs: hasCall, ask: askResult},
	{name: "image", key: "images", most: 1, about: "The answer names the colour of an image", ask: askImage},
	{name: "result_image", key: "result_images", most: 2, about: "The answer names the colour of an image in a tool result",
		needs: seesImages, ask: askResultImage},
	{name: "json_object", key: "json_object", most: 1, about: "An answer in JSON mode is an object", ask: askJSONObject},
	{name: "json_schema", key: "json_schema", most: 1, about: "An answer satisfies the requested schema", ask: askJSONSchema},
	{name: "json_with_tools", key: "json_with_tools", most: 2,
		about: "With a requested schema, a tool is called, and then the answer satisfies the schema", needs: hasSchema, ask: askJSONWithTools},
	{name: "reasoning_with_tools", key: "reasoning_with_tools", most: 1,
		about: "A reasoning model calls a tool in a request with a reasoning effort", needs: callsTools, ask: askReasoning},
	{name: "prompted_call", most: 1, about: "A tool that is only described in the prompt is called in a known format", ask: askPrompted},
	{name: "text_calls", about: "No answer to a request with tools has a call in its text",
		needs: takesTools, ask: concludeTextCalls, once: true},
	{name: "finish_reason", about: "The finish reason of an answer matches its content", ask: concludeFinish, once: true},
	{name: "error_shape", most: 1, once: true, about: "An invalid request is refused with a status and a message", ask: askError},
}

// Functions for check.needs. Each returns the reason to skip a check, "" for none.

func takesTools(r *run) string {
	switch r.native {
	case refused:
		return "the model does not accept tools"
	case unasked:
		return "it is not known whether the model accepts tools"
	case ignored, asText, broken, works:
	}
	return ""
}

func readable(r *run) string {
	switch r.native {
	case asText:
		return "the model writes its calls as text"
	case broken:
		return "its calls could not be parsed"
	case unasked, refused, ignored, works:
	}
	return takesTools(r)
}

func callsTools(r *run) string {
	if r.native == ignored {
		return "the model makes no calls"
	}
	return readable(r)
}

func hasCall(r *run) string {
	if why := callsTools(r); why != "" {
		return why
	}
	if r.first == nil {
		return "no earlier check got a valid call"
	}
	return ""
}

func seesImages(r *run) string {
	if !r.sees {
		return "the model does not accept images"
	}
	return takesResults(r)
}

func hasSchema(r *run) string {
	if r.card.Facts["json_schema"] != yes {
		return "the model does not answer by a schema"
	}
	return takesResults(r)
}

func takesResults(r *run) string {
	if why := callsTools(r); why != "" {
		return why
	}
	if r.noResult {
		return "the model does not accept results of its calls"
	}
	return ""
}
