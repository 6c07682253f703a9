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
	{name: "native_call", most: 1, about: "A question for which there is a tool is answered with a call of it", ask: askNative},
	{name: "choice_required", key: "choice_forced", most: 1, about: "A call that is required comes although nothing needs it",
		needs: readable, ask: askRequired},
	{name: "tools_ignored", about: "Tools that are taken are called", needs: takesTools, ask: concludeIgnored, once: true},
	{name: "choice_named", key: "choice_forced", most: 1, about: "The one tool that is named is called", needs: callsTools, ask: askNamed},
	{name: "choice_none", most: 1, about: "No call comes where calls are forbidden", needs: callsTools, ask: askNone},
	{name: "unneeded_call", most: 1, about: "A greeting is answered without a call, although there is a tool",
		needs: callsTools, ask: askUnneeded},
	{name: "parallel_calls", most: 2, once: true, about: "A question about two cities is answered with two calls at once",
		needs: callsTools, ask: askParallel},
	{name: "unique_ids", about: "Calls of one answer have ids of their own", needs: callsTools, ask: concludeIDs, once: true},
	{name: "parallel_off", key: "parallel_field", most: 1, about: "At most one call comes where parallel calls are forbidden",
		needs: callsTools, ask: askSerial},
	{name: "stream_call", key: "stream_tools", most: 1, about: "A streamed call comes in well-formed pieces", needs: callsTools,
		ask: askStream},
	{name: "stream_usage", key: "stream_usage", most: 1, about: "A stream ends with the count of its tokens", ask: askStreamUsage},
	{name: "unicode_arguments", most: 1, about: "Letters of several scripts, and an emoji, come back as they were",
		needs: callsTools, ask: askUnicode},
	{name: "big_integer", most: 1, about: "2^53+1 comes back as it was", needs: callsTools, ask: askBigInteger},
	{name: "empty_arguments", most: 1, about: "A tool without parameters is called with an empty object", needs: callsTools, ask: askEmpty},
	{name: "nested_arguments", most: 1, about: "Objects in lists in objects come back as they were", needs: callsTools, ask: askNested},
	{name: "enum_arguments", most: 1, about: "An argument is one of the values that its schema lists", needs: callsTools, ask: askEnum},
	{name: "long_arguments", most: 1, about: "An argument of 2 KB comes back as it was", needs: callsTools, ask: askLong},
	{name: "many_tools", most: 1, about: "The right one of 40 tools is called", needs: callsTools, ask: askMany},
	{name: "strict_tools", key: "strict_tools", most: 1, about: "A strict tool is taken and called", needs: callsTools, ask: askStrict},
	{name: "result_turn", most: 1, about: "The result of a call is taken, and the answer uses it", needs: hasCall, ask: askResult},
	{name: "image", key: "images", most: 1, about: "The colour of an image is told", ask: askImage},
	{name: "result_image", key: "result_images", most: 2, about: "The colour of an image in a result is told",
		needs: seesImages, ask: askResultImage},
	{name: "json_object", key: "json_object", most: 1, about: "An answer in JSON mode is an object", ask: askJSONObject},
	{name: "json_schema", key: "json_schema", most: 1, about: "An answer satisfies the schema that was asked for", ask: askJSONSchema},
	{name: "json_with_tools", key: "json_with_tools", most: 2,
		about: "Beside a schema for the answer a tool is called, and then the answer satisfies it", needs: hasSchema, ask: askJSONWithTools},
	{name: "reasoning_with_tools", key: "reasoning_with_tools", most: 1,
		about: "A model that reasons calls a tool when it is asked to reason", needs: callsTools, ask: askReasoning},
	{name: "prompted_call", most: 1, about: "A tool that is only described in the prompt is called in a format that can be read", ask: askPrompted},
	{name: "text_calls", about: "No answer with declared tools has a call in its text", needs: takesTools, ask: concludeTextCalls, once: true},
	{name: "finish_reason", about: "Answers end for the reason that they give", ask: concludeFinish, once: true},
	{name: "error_shape", most: 1, once: true, about: "A request that is wrong is refused with a status and a message", ask: askError},
}

// Functions for check.needs. Each returns the reason to skip a check, "" for none.

func takesTools(r *run) string {
	switch r.native {
	case refused:
		return "it takes no tools"
	case unasked:
		return "it is not known whether it takes tools"
	case ignored, asText, broken, works:
	}
	return ""
}

func readable(r *run) string {
	switch r.native {
	case asText:
		return "it writes its calls as text"
	case broken:
		return "its calls could not be read"
	case unasked, refused, ignored, works:
	}
	return takesTools(r)
}

func callsTools(r *run) string {
	if r.native == ignored {
		return "it makes no calls"
	}
	return readable(r)
}

func hasCall(r *run) string {
	if why := callsTools(r); why != "" {
		return why
	}
	if r.first == nil {
		return "no sound call came before"
	}
	return ""
}

func seesImages(r *run) string {
	if !r.sees {
		return "it sees no images"
	}
	return takesResults(r)
}

func hasSchema(r *run) string {
	if r.card.Facts["json_schema"] != yes {
		return "it answers by no schema"
	}
	return takesResults(r)
}

func takesResults(r *run) string {
	if why := callsTools(r); why != "" {
		return why
	}
	if r.noResult {
		return "it refuses the results of its calls"
	}
	return ""
}
