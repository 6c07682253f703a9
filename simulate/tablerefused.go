package simulate

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// conversationFaults are the faults that only appear over several requests.
var conversationFaults = []row{
	fault("repeat", "1", "F34", "the last call again, whatever its result", repeat(1)).whenProvoked().steady(),
	fault("repeat", "2", "F34", "two calls alternately, whatever their results", repeat(2)).whenProvoked().steady(),
	fault("repeat", "empty", "F34", "the last call again without arguments", repeat(1), func(a *response) {
		if len(a.seen.Results) > 0 {
			args(func(string) string { return "{}" })(a)
		}
	}).whenProvoked().steady(),
	fault("repeat", "beside_answer", "F34", "the right answer to the result, together with the last call again", func(a *response) {
		said := a.text
		repeat(1)(a)
		a.text = said
	}).whenProvoked(),
	fault("volatile_prefix", "", "F58",
		"usage reports the cached part of the prompt: the common prefix with an earlier prompt of the model",
		func(a *response) { a.cached = 0 }).on([]string{OpenAI, Responses, Anthropic, Gemini}).whenProvoked().steady(),
	fault("image_in_result", "dropped", "F55", "images in results do not reach the model, which invents them", sight).whenProvoked().steady(),
	fault("image_in_result", "refused", "F55",
		"400 for images in results").on(onlyOpenAI).whenProvoked().steady().withChecks("openai/chat/result-content"),
	fault("custom_tool", "rejected", "F43", "400 for tools that are not functions", foreignTools).on(onlyFree).whenProvoked().steady(),
	fault("custom_tool", "as_function", "F43", "a tool with a text input is called with an object", each(func(a *response, c *call) {
		if a.seen.kinds[c.name].custom {
			c.args = object(member{"input", quote(c.args)})
			a.seen.kinds = nil
		}
	})).on(onlyResponses).whenProvoked(),
	fault("namespace", "rejected", "F43", "400 for namespaces of tools", foreignTools).on(onlyResponses).whenProvoked().steady(),
	fault("namespace", "joined", "F43", "the namespace is part of the name of the call", each(func(a *response, c *call) {
		if group := a.seen.kinds[c.name].namespace; group != "" {
			c.name = group + "__" + c.name
		}
	})).on(onlyResponses).whenProvoked(),
	fault("grammar_fail_open", "", "F38", "a required JSON format is silently ignored: the JSON comes inside prose",
		failedOpen).whenProvoked(),
}

// refusalFaults reject requests that the real provider rejects, with its messages. Other requests get a response.
var refusalFaults = []row{
	newRefusal("gemini_schema_400", "F35", "400 for schemas with keywords that Gemini does not support", "gemini/gemini/unknown-member",
		"gemini/gemini/schema"),
	newRefusal("anthropic_root_combinator", "F36", "400 for schemas with oneOf, anyOf or allOf at the root", "anthropic/anthropic/tools"),
	newRefusal("openai_schema_400", "F37", "400 for schemas that OpenAI does not support", "openai/openai/schema", "openai/openai/strict-format",
		"responses/openai/tools", "responses/openai/strict-format"),
	newRefusal("grammar_400", "F38", "400 for patterns that cannot become a grammar", "openai/llama.cpp/pattern"),
	newRefusal("tool_name_400", "F39", "400 for tool names with characters other than letters, digits, hyphens and underscores", "openai/chat/tool-name", "responses/openai/tools",
		"anthropic/anthropic/tools", "gemini/gemini/functions"),
	newRefusal("extra_field_400", "F40", "400 for members that the API does not have", "openai/openai/unknown-member",
		"openai/xai/unsupported", "responses/openai/unknown-member",
		"anthropic/anthropic/unknown-member", "gemini/gemini/unknown-member"),
	newRefusal("needs_responses", "F42", "400 for tools together with reasoning, which only the Responses API supports", "openai/openai-5.6/tools-with-reasoning"),
	newRefusal("history_without_tools", "F44", "400 for calls in the history of a request without tools",
		"anthropic/anthropic/tools-for-history"),
	newRefusal("tools_over_limit", "F45", "400 for more than 128 tools", "openai/chat/tool-count", "gemini/gemini/functions"),
	newRefusal("empty_content_400", "F46", "400 for texts that are empty or blank", "openai/mistral/empty",
		"openai/moonshot/empty", "anthropic/anthropic/empty"),
	newRefusal("role_alternation", "F47", "500 or 400 for an order of roles that the chat template does not support", "openai/mistral/order",
		"openai/llama.cpp/order",
		"anthropic/anthropic/first-role"),
	newRefusal("orphan_use", "F48", "400 for calls without results", "openai/chat/pairing", "responses/openai/pairing",
		"anthropic/anthropic/pairing", "gemini/gemini/order"),
	newRefusal("orphan_result", "F48", "400 for results without calls", "openai/chat/pairing", "responses/openai/pairing",
		"anthropic/anthropic/pairing", "gemini/gemini/order"),
	newRefusal("poisoned_args_in_history", "F49", "400 for arguments in the history that are not JSON", "openai/vllm/arguments",
		"anthropic/anthropic/calls"),
	newRefusal("gemini_grouping_400", "F50", "400 for results that are not together, directly after their calls", "gemini/gemini/order"),
	newRefusal("sig_missing_400", "F51", "400 for calls without their signature", "gemini/gemini-3/signature"),
	newRefusal("sig_foreign_400", "F52", "400 for signatures of another provider", "gemini/gemini-3/signature",
		"anthropic/anthropic/signature", "responses/openai/reasoning"),
	newRefusal("reasoning_required_400", "F53", "400 for answers in the history without their reasoning",
		"openai/deepseek/reasoning", "openai/moonshot/reasoning"),
	newRefusal("responses_pairing_400", "F54", "400 for calls without their reasoning or their output",
		"responses/openai/reasoning", "responses/openai/pairing",
		"responses/deepseek/adjacency"),
	failing(500, "the server had an error while processing your request"),
	failing(502, "bad gateway"),
	failing(503, "the server is overloaded or not ready yet"),
	fault("503", "retry_after", "", "the first request of a conversation gets 503, with a retry after 1 s", func(a *response) {
		if a.seen.Repeat == 0 {
			refuse(failure{status: 503, message: "the server is overloaded or not ready yet", header: map[string]string{"Retry-After": "1"}})(a)
		}
	}).steady(),
	failing(504, "the upstream did not answer in time"),
	failing(529, "overloaded"),
}

// newRefusal returns a fault that rejects requests that fail one of the checks. It applies to the wires of the checks.
func newRefusal(name, class, doc string, checks ...string) row {
	var on []string
	for _, c := range checks {
		if wire, _, _ := strings.Cut(c, "/"); !slices.Contains(on, wire) {
			on = append(on, wire)
		}
	}
	return fault(name, "", class, doc).on(on).whenProvoked().steady().withChecks(checks...)
}

// failing returns a fault that fails the first request of each conversation with an HTTP status.
func failing(status int, message string) row {
	return fault(strconv.Itoa(status), "", "", "the first request of a conversation fails with "+strconv.Itoa(status), func(a *response) {
		if a.seen.Repeat == 0 {
			refuse(failure{status: status, message: message})(a)
		}
	}).steady()
}

// findObjection returns the first error of the fault's checks, nil for none. row.checks contains check names as in
// [CheckHeader].
func (f Fault) findObjection(doc *node, wire string) *failure {
	rows, _ := f.rows()
	for _, r := range rows {
		for _, c := range checks {
			if c.Wire != wire || !slices.Contains(r.checks, c.Wire+"/"+c.Profile+"/"+c.Name) {
				continue
			}
			if objection := c.examine(doc); objection != nil {
				return profileNamed(c.Profile).word(c.complete(objection))
			}
		}
	}
	return nil
}

// checkFaults applies the checks of the fault in the model's name and of the drawn faults to a request.
func checkFaults(seen *Seen, drawn []Fault) *failure {
	refuses := func(r row) bool {
		return r.checks != nil && (strings.Contains(seen.Model, r.Name) || bytes.Contains(seen.Body, []byte(r.Name)) ||
			slices.ContainsFunc(drawn, func(f Fault) bool { return f.Name == r.Name }))
	}
	if !slices.ContainsFunc(table, refuses) {
		return nil
	}
	doc, err := parseNode(seen.Body)
	if err != nil {
		return nil
	}
	named, _ := ParseFault(cmp.Or(seen.Model, doc.at("model").str()))
	for _, f := range append([]Fault{named}, drawn...) {
		if objection := f.findObjection(doc, seen.Wire); objection != nil {
			return objection
		}
	}
	return nil
}

// repeat makes the model repeat the call it made period calls ago, once there are results. With fewer calls, it repeats
// the last one with one more argument.
func repeat(period int) func(*response) {
	return func(a *response) {
		if len(a.seen.Results) == 0 {
			return
		}
		var past []Call
		for _, m := range a.seen.History {
			past = append(past, m.Calls...)
		}
		if len(past) == 0 {
			return
		}
		last := past[max(0, len(past)-period)]
		again := call{name: last.Name, args: last.Arguments, id: a.mintID(len(past))}
		if len(past) < period {
			a.widen(&again, "number")
		}
		a.text, a.calls = "", []call{again}
	}
}

// sight simulates a model that sees images in user messages but not in tool results.
func sight(a *response) {
	doc, err := parseNode(a.seen.Body)
	if err != nil {
		return
	}
	inResult, inMessage := images(doc, false, 0)
	switch {
	case inMessage > 0:
		a.text, a.calls = "I see an image of "+strconv.Itoa(inMessage)+" characters.", nil
	case inResult > 0:
		a.text, a.calls = "The picture shows a red bicycle.", nil
	}
}

// images returns the total length of base64 images inside and outside of tool results, in the syntax of any wire.
func images(n *node, inResult bool, depth int) (inside, outside int) {
	if n == nil || depth > 12 {
		return 0, 0
	}
	kind := n.at("type").str()
	inResult = inResult || kind == "tool_result" || kind == "function_call_output" || n.at("role").str() == "tool" ||
		n.member("functionResponse") != nil && n.is("object")
	for _, at := range [][]string{{"image_url", "url"}, {"image_url"}, {"source", "data"}, {"inlineData", "data"}} {
		if data := n.at(at...).str(); data != "" && n.is("object") {
			if inResult {
				return len(data), 0
			}
			return 0, len(data)
		}
	}
	for i, item := range n.items {
		if n.is("object") && n.keys[i] == "images" && item.is("array") {
			for _, image := range item.items {
				if inResult {
					inside += len(image.str())
				} else {
					outside += len(image.str())
				}
			}
			continue
		}
		in, out := images(item, inResult, depth+1)
		inside, outside = inside+in, outside+out
	}
	return inside, outside
}

// onlyFree are the wires that have tools other than functions.
var onlyFree = []string{OpenAI, Responses}

// foreignTools rejects tools that are not functions, like servers that implement only a part of the API.
func foreignTools(a *response) {
	doc, err := parseNode(a.seen.Body)
	if err != nil {
		return
	}
	for i, t := range doc.at("tools").list() {
		if kind := t.at("type").str(); kind != "function" {
			at := "tools[" + strconv.Itoa(i) + "].type"
			refuse(failure{status: 400, param: at, message: "Invalid value: '" + kind + "'. Supported values are: 'function'."})(a)
			return
		}
	}
}

// failedOpen simulates a server that ignores schemas: it puts a JSON document into prose and a code block, and removes
// a required argument.
func failedOpen(a *response) {
	if _, asked := answerSchema(a.seen.Format); asked && len(a.calls) == 0 {
		a.text = "Sure! Here is what you asked for:\n\n```json\n" + a.text + "\n```\nAnything else?"
	}
	missing(a)
}
