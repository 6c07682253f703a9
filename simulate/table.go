package simulate

import (
	"slices"
	"strconv"
	"strings"
)

// table is the list of all faults. Rows with one name are adjacent; the name without a variant means the first of them.
var table = slices.Concat(answerFaults, conversationFaults, refusalFaults, stubborn)

// answerFaults are the faults that appear in a single response.
var answerFaults = []row{
	fault("text_json", "bare", "F01", "the call as bare JSON in the text", text(bareForm)),
	fault("text_json", "fence", "F01", "the call as JSON in a code fence", text(bareForm, func(f *callFormat) {
		f.start, f.end = "```json\n", "\n```"
	})),
	fault("text_json", "prose_before", "F01", "a sentence, then the call as bare JSON", text(bareForm, prose)),
	fault("text_json", "keys_args", "F01", "the arguments in the member args", text(bareForm, keys("name", "args"))),
	fault("text_json", "keys_parameters", "F01", "the arguments in the member parameters", text(bareForm, keys("name", "parameters"))),
	fault("text_json", "keys_input", "F01", "the arguments in the member input", text(bareForm, keys("name", "input"))),
	fault("text_json", "keys_tool", "F01", "the name in the member tool", text(bareForm, keys("tool", "arguments"))),

	fault("hermes", "plain", "F02", "the call in tool_call tags in the text", text(hermesForm)),
	fault("hermes", "unclosed", "F02", "the end tag is missing", text(hermesForm, func(f *callFormat) { f.end = "" })),
	fault("hermes", "multi", "F02", "all calls in one pair of tags", text(hermesForm, func(f *callFormat) {
		f.open, f.close, f.start, f.end = f.start, f.end, "", ""
	})),
	fault("hermes", "alt_keys", "F02", "the arguments in the member parameters", text(hermesForm, keys("name", "parameters"))),
	fault("hermes", "bare_name", "F02", "the name before the JSON", text(hermesForm, func(f *callFormat) { f.body = namedBody })),
	fault("hermes", "single_quotes", "F02", "a Python dict between the tags", text(hermesForm, func(f *callFormat) {
		f.mend = func(s string) string { return strings.ReplaceAll(s, `"`, "'") }
	})),
	fault("hermes", "prose_before", "F02", "a sentence, then the tags", text(hermesForm, prose)),

	fault("qwen3xml", "plain", "F03", "function and parameter tags in the text", text(qwenForm)),
	fault("qwen3xml", "orphan", "F03", "the start tag tool_call is missing", text(qwenForm, func(f *callFormat) { f.start = "" })),
	fault("qwen3xml", "unclosed_parameter", "F03", "the end tags of parameters are missing", text(qwenForm, func(f *callFormat) {
		f.mend = func(s string) string { return strings.ReplaceAll(s, "</parameter>\n", "") }
	})),
	fault("qwen3xml", "self_closing", "F03", "a tag named after the tool, with attributes", text(attributeForm)),
	fault("kimi", "plain", "F04", "a section of special tokens in the text", text(kimiForm)),
	fault("kimi", "sectionless", "F04", "the start tokens are missing", text(kimiForm, func(f *callFormat) { f.open, f.start = "", "" })),
	fault("kimi", "no_idx", "F04", "ids without an index", text(kimiForm, func(f *callFormat) {
		f.body = func(_ callFormat, _ int, c call) string {
			return "functions." + c.name + "<|tool_call_argument_begin|>" + c.args
		}
	})),
	fault("kimi", "k3", "F04", "the tokens of Kimi K3: one element for each argument", text(kimi3Form)),
	fault("dsml", "plain", "F05", "invoke tags in the text, with a namespace between bars", text(barredForm)),
	fault("dsml", "bare", "F05", "invoke tags without the enclosing block", text(barredForm, func(f *callFormat) { f.open, f.close = "", "" })),
	fault("dsml", "glyph", "F05", "a namespace between other bars", text(barredForm, func(f *callFormat) {
		f.mend = func(s string) string { return strings.ReplaceAll(s, "｜DSML｜", "‖DSML‖") }
	})),
	fault("dsml", "unterminated", "F05", "the block is never closed", text(barredForm, func(f *callFormat) { f.close = "" })),
	fault("dsml", "sibling_bad", "F05", "a call without a name before the real ones", text(barredForm, func(f *callFormat) {
		f.open += "<｜DSML｜invoke>\n</｜DSML｜invoke>\n"
	})),
	fault("dsml", "split", "F05", "each tag is split between events", text(barredForm, func(f *callFormat) {
		f.before = "Hello."
	}), func(a *response) { a.piece = min(a.piece, 2) }).streamOnly(),
	fault("glm", "plain", "F06", "name, arg_key and arg_value in the text", text(glmForm)),
	fault("glm", "noarg", "F06", "only the name, in tags", text(glmForm, func(f *callFormat) {
		f.body = func(_ callFormat, _ int, c call) string { return c.name }
	})),
	fault("glm", "in_name", "F06", "the tags arg_key and arg_value in the name of a native call", each(func(_ *response, c *call) {
		c.name, c.args = strings.ReplaceAll(glmBody(glmForm, 0, *c), "\n", ""), "{}"
	})),
	fault("anthropic_invoke", "plain", "F07", "function_calls and invoke tags in the text", text(invokeForm)),
	fault("anthropic_invoke", "array", "F07", "a JSON array in function_calls", text(invokeForm, func(f *callFormat) {
		f.open, f.close, f.sep, f.body = f.open+"[", "]"+f.close, ", ", jsonBody
	})),
	fault("anthropic_invoke", "unwrapped", "F07", "invoke tags without the enclosing block", text(invokeForm, func(f *callFormat) { f.open, f.close = "", "" })),
	fault("anthropic_invoke", "wrong_closer", "F07", "the end tag of a parameter has the name of the parameter", text(invokeForm, func(f *callFormat) {
		f.body = func(_ callFormat, _ int, c call) string {
			out := `<invoke name="` + c.name + "\">\n"
			for _, m := range membersOf(c.args) {
				out += `<parameter name="` + m.key + `">` + plain(m.value) + "</" + m.key + ">\n"
			}
			return out + "</invoke>"
		}
	})),
	fault("minimax", "m2", "F07", "invoke tags in a minimax block", text(minimaxForm)),
	fault("minimax", "m3", "F07", "the tags of MiniMax M3, each after a special token", text(minimax3Form)),
	fault("minimax", "tool_calls", "F07", "invoke tags in a tool_calls block", text(minimaxForm, func(f *callFormat) {
		f.open, f.close = "<tool_calls>\n", "\n</tool_calls>"
	})),
	fault("harmony", "plain", "F08", "a commentary message in the text", text(harmonyForm)),
	fault("harmony", "stripped", "F08", "a commentary message in the text, without its special tokens", text(harmonyForm, func(f *callFormat) {
		f.body, f.sep = strippedHarmonyBody, "\n"
	})),
	fault("harmony", "analysis_recipient", "F08", "a message to the tool on the channel for reasoning", text(harmonyForm, func(f *callFormat) {
		f.body = func(_ callFormat, _ int, c call) string {
			return "<|channel|>analysis to=functions." + c.name + " code<|message|>" + c.args + "<|call|>"
		}
	})),
	fault("harmony", "name_suffix", "F08", "a channel token after the name of the call", rename(func(s string) string {
		return s + "<|channel|>commentary"
	})),
	fault("imitation", "", "F09", "the call as an array after the token [TOOL_CALLS]", text(imitationForm)),
	fault("imitation", "history", "F09", "the call as a line of an agent log", text(logForm)),
	fault("imitation", "args", "F09", "the name, then ARGS in brackets and JSON", text(logForm, func(f *callFormat) {
		f.start, f.end = "", ""
		f.body = func(_ callFormat, _ int, c call) string { return c.name + "[ARGS]" + c.args }
	})),
	fault("xai", "plain", "F02", "JSON in x.ai tags in the text", text(xaiForm)),
	fault("xai", "parameters", "F02", "parameter tags in xai tags", text(xaiForm, func(f *callFormat) {
		f.start, f.end, f.body = "", "", xaiBody
	})),
	fault("tool_tag", "plain", "F02", "JSON in tool tags in the text", text(toolForm)),
	fault("tool_tag", "named", "F02", "the name as an attribute of the tag", text(toolForm, func(f *callFormat) {
		f.start, f.end, f.body = "", "", namedTagBody
	})),
	fault("pythonic", "plain", "F09", "a list of Python calls as the text", text(pythonForm)),
	fault("envelope", "plain", "F01", "a JSON envelope of calls and content", text(envelopeForm)),
	fault("envelope", "scratchpad", "F01", "one tool, its arguments and a scratchpad", text(bareForm, keys("tool", "arguments"),
		func(f *callFormat) {
			f.mend = func(s string) string {
				return strings.ReplaceAll(s, `{"tool"`, `{"scratchpad": "I have to look it up.", "tool"`)
			}
		})),
	fault("entities", "", "F32", "the whole call escaped as HTML", text(hermesForm, func(f *callFormat) {
		f.mend = strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace
	})),
	fault("xml_newline", "", "F32", "a text argument in tags, with a line end at its start and end", each(func(a *response, c *call) {
		key := a.widen(c, "string")
		c.change(key, func(value string) string { return quote("\n" + plain(value) + "\n") })
	}), text(qwenForm)),
	fault("companion_text", "", "F33", "text before and after a call in the text", text(hermesForm, prose, func(f *callFormat) {
		f.after = "\n\nI will report back."
	})),
	fault("companion_text", "native", "F33", "text before and after native calls", func(a *response) {
		if len(a.calls) > 0 {
			a.text, a.after = "I will look that up.", " I will report back."
		}
	}),

	fault("in_think", "only", "F10", "only reasoning, with the call inside", text(hermesForm, func(f *callFormat) {
		f.mend = func(s string) string { return "<think>\nI should look it up.\n" + s + "\n</think>" }
	})),
	fault("in_think", "dup", "F10", "a draft of the call in the reasoning, then the call", text(hermesForm, func(f *callFormat) {
		f.mend = func(s string) string { return "<think>\nA draft: " + s + "\n</think>\n\n" + s }
	})),
	fault("in_think", "unclosed", "F10", "the call in reasoning that never ends", text(hermesForm, func(f *callFormat) {
		f.mend = func(s string) string { return "<think>\nI should look it up.\n" + s }
	})),
	fault("in_think", "prefilled", "F10", "reasoning without its start tag, then the call", text(hermesForm, func(f *callFormat) {
		f.mend = func(s string) string { return "I should look it up.\n</think>\n\n" + s }
	})),
	fault("in_think", "field", "F10", "the call in the reasoning member of the answer", func(a *response) {
		if len(a.calls) > 0 {
			a.reasoning, a.calls = hermesForm.write("I should look it up.", a.calls), nil
		}
	}),
	fault("quoted_markup", "", "F11", "an explanation that quotes a call in a code fence and inline", quoteCall),
	fault("injected_result_markup", "", "F11", "an answer that repeats its input verbatim, with a call in it", echoInput),
	fault("intent_no_call", "", "F12", "an announcement of a call, but no call", replaceCallsByText("I will look up the weather now.")),
	fault("empty_turn", "", "F13", "an empty answer", replaceCallsByText("")),
	fault("empty_turn", "after_tool", "F13", "an empty answer after tool results", func(a *response) {
		if len(a.seen.Results) > 0 {
			a.text, a.calls = "", nil
		}
	}).whenProvoked(),
	fault("empty_turn", "reasoning_only", "F13", "an answer with reasoning only", func(a *response) {
		if len(a.calls) > 0 {
			a.reasoning, a.text, a.calls = "I know what to do.", "", nil
		}
	}),

	fault("truncate", "at", "F17", "arguments truncated inside a string, finish reason length", truncate("length")).on(asText),
	fault("truncate", "lie_finish", "F17", "arguments truncated inside a string, finish reason stop", truncate("stop")).on(asText),
	fault("json_damage", "trailing_comma", "F18", "a comma before the closing brace", args(func(s string) string {
		return strings.TrimSuffix(s, "}") + ",}"
	})).on(asText),
	fault("json_damage", "single_quotes", "F18", "single quotes", args(func(s string) string {
		return strings.ReplaceAll(s, `"`, "'")
	})).on(asText),
	fault("json_damage", "unquoted", "F18", "keys without quotes", args(unquoteKeys)).on(asText),
	fault("json_damage", "python", "F18", "a Python dict with True", each(func(a *response, c *call) {
		a.widen(c, "boolean")
		c.args = python(c.args)
	})).on(asText),
	fault("json_damage", "missing_brace", "F18", "no closing brace", args(func(s string) string {
		return strings.TrimSuffix(s, "}")
	})).on(asText),
	fault("json_damage", "missing_quote", "F18", "a key without its first quote", each(func(a *response, c *call) {
		a.widen(c, "number")
		c.args = missingQuote(c.args)
	})).on(asText),
	fault("json_damage", "special_token", "F18", "a special token after the arguments", args(func(s string) string {
		return s + "<|call|>"
	})).on(asText),
	fault("stringify", "array", "F19", "an array as a string", stringify("array")),
	fault("stringify", "object", "F19", "an object as a string", stringify("object")),
	fault("stringify", "number", "F19", "a number as a string", stringify("number")),
	fault("stringify", "bool", "F19", "a Boolean as a string", stringify("boolean")),
	fault("double_encode", "", "F20", "the arguments encoded twice", args(quote)),
	fault("args_as_object", "", "F20", "the arguments as an object instead of text", each(func(_ *response, c *call) {
		c.object = true
	})).on(onlyOpenAI),
	fault("optional_placeholder", "empty", "F21", `"" for an optional argument`, placeholder(`""`)),
	fault("optional_placeholder", "null", "F21", "null for an optional argument", placeholder(`null`)),
	fault("optional_placeholder", "undefined", "F21", `"undefined" for an optional argument`, placeholder(`"undefined"`)),
	fault("bad_name", "case", "F22", "the name in upper case", rename(strings.ToUpper)),
	fault("bad_name", "prefix", "F22", "a namespace before the name", rename(func(s string) string { return "functions." + s })),
	fault("bad_name", "suffix", "F22", "a channel token after the name", rename(func(s string) string {
		return s + "<|channel|>commentary"
	})),
	fault("bad_name", "unknown", "F22", "a tool that was never declared", rename(func(string) string { return "lookup_forecast" })),
	fault("key_rename", "", "F23", "argument keys with a capital first letter", args(func(s string) string {
		members := membersOf(s)
		for i, m := range members {
			members[i].key = strings.ToUpper(m.key[:min(1, len(m.key))]) + m.key[min(1, len(m.key)):]
		}
		return joinMembers(members)
	})),
	fault("empty_args", "empty", "F24", "empty arguments", args(func(string) string { return "" })).on(asText),
	fault("empty_args", "space", "F24", "a space as arguments", args(func(string) string { return " " })).on(asText),
	fault("empty_args", "seed", "F24", "an empty object before the arguments", args(func(s string) string { return "{}" + s })).on(asText),
	fault("empty_args", "missing", "F24", "the member for the arguments is missing", each(func(_ *response, c *call) { c.noArgs = true })),
	fault("index", "all0", "F26", "every call has index 0", each(func(_ *response, c *call) { c.index = 0 })).on(indexed),
	fault("index", "noid", "F26", "every call has index 0 and no id", each(func(_ *response, c *call) {
		c.index, c.noID = 0, true
	})).on(onlyOpenAI),
	fault("index", "missing", "F26", "deltas of calls have no index", each(func(_ *response, c *call) {
		c.noIndex = true
	})).on(onlyOpenAI).streamOnly(),
	fault("index", "interleave", "F26", "the deltas of parallel calls are interleaved", func(a *response) { a.interleave = true }).on(onlyOpenAI).streamOnly(),
	fault("index", "dup_first", "F26", "the first call is announced twice",
		func(a *response) { a.dupFirst = true }).on(onlyOpenAI).streamOnly(),
	fault("index_drift", "", "F27", "later deltas of a call have another index", each(func(_ *response, c *call) {
		c.index, c.drift = 2*c.index, true
	})).on(onlyOpenAI).streamOnly(),
	fault("id", "dup", "F28", "parallel calls share an id", each(func(a *response, c *call) { c.id = a.calls[0].id })),
	fault("id", "empty", "F28", "ids are empty", each(func(_ *response, c *call) { c.id = "" })),
	fault("id", "constant", "F28", "every call of the conversation has the same id", each(func(_ *response, c *call) { c.id = "call_0" })),
	fault("id", "missing", "F28", "the member for the id is missing", each(func(_ *response, c *call) { c.noID = true })).on(nameless),
	fault("id", "per_round", "F28", "ids count the calls of an answer, and start again in the next one", each(func(_ *response, c *call) {
		c.id = c.name + ":" + strconv.Itoa(c.index)
	})),
	fault("id_format", "long", "F29", "ids are longer than any provider accepts in a request", each(func(_ *response, c *call) {
		c.id += strings.Repeat("0123456789abcdef", 20)
	})),
	fault("id_format", "refused", "F29",
		"400 for ids other than 9 letters and digits").on(onlyOpenAI).whenProvoked().steady().withChecks("openai/mistral/call-id"),
	fault("done_only", "", "F25", "the arguments are only in the last event of the call", func(a *response) {
		a.doneOnly = true
	}).on(onlyResponses).streamOnly(),
	fault("final_empty", "", "F25", "the arguments are missing in the last events of the call", func(a *response) {
		a.finalEmpty = a.seen.Stream
	}).on(onlyResponses).streamOnly(),
	fault("finish", "stop_with_calls", "F30", "finish reason stop, with calls", func(a *response) {
		if len(a.calls) > 0 {
			a.finish = "stop"
		}
	}).on(finishing),
	fault("finish", "calls_without", "F30", "finish reason tool_calls, without calls", func(a *response) {
		replaceCallsByText("I will look up the weather now.")(a)
		a.finish = "tool_calls"
	}).on(finishing),
	fault("bigint", "", "F31", "an integer that a float cannot represent", each(func(a *response, c *call) {
		c.change(a.widen(c, "number"), func(string) string { return "9223372036854775807" })
	})),
	fault("utf8_split", "delta", "F32", "characters split between events", withNonASCII(func(a *response) { a.splitRunes = true })).streamOnly(),
	fault("utf8_split", "write", "F32", "characters split between packets", withNonASCII(func(a *response) { a.splitBytes = true })).streamOnly(),
	fault("identical_twice", "", "F33", "the same call twice", func(a *response) {
		for _, c := range a.calls {
			c.index += len(a.calls)
			c.id = a.mintID(c.index)
			a.calls = append(a.calls, c)
		}
	}),

	fault("groq_failed", "call", "F15", "a refusal that quotes the call as JSON", groq(schemaMessage, func(calls []call) string {
		if len(calls) == 1 {
			return bareForm.write("", calls)
		}
		list := bareForm
		list.open, list.close, list.sep = "[", "]", ", "
		return list.write("", calls)
	})).on(onlyOpenAI),
	fault("groq_failed", "markup", "F15", "a refusal that quotes the call as markup", groq(parseMessage, func(calls []call) string {
		return callFormat{sep: "\n", body: llamaBody}.write("", calls)
	})).on(onlyOpenAI),
	fault("groq_failed", "text", "F15", "a refusal that quotes plain text", groq(choiceMessage, func([]call) string {
		return "I would have to look at a forecast."
	})).on(onlyOpenAI),
	fault("gemini_malformed", "call", "F14", "no content, and the call as Python in the finish message",
		unreadable("MALFORMED_FUNCTION_CALL",
			func(calls []call) string {
				return "Malformed function call: " + pythonForm.with(printResults).write("", calls)
			})).on(onlyGemini),
	fault("gemini_malformed", "unexpected", "F14", "no content, and a finish reason that names an unexpected call",
		unreadable("UNEXPECTED_TOOL_CALL", func([]call) string { return "" })).on(onlyGemini),
	fault("engine500_with_payload", "", "F03", "an engine error that quotes the call", func(a *response) {
		if len(a.calls) > 0 {
			payload := qwenForm.write("", a.calls)
			refuse(failure{status: 500, message: "Failed to parse input at pos 0: " + payload})(a)
		}
	}),
	fault("engine500_parser", "", "F03",
		"an engine error without the call, for a native call that the parser cannot read; if the prompt asks for calls, they are text",
		failParser(func(a *response, f failure) { a.failure = &f })).steady(),
	fault("engine500_parser", "inband", "F03", "the same engine error inside an answer with status 200",
		failParser(func(a *response, f failure) { a.inband = &f })).steady(),
	fault("engine500_parser", "thought", "F03", "the same engine error after reasoning", failParser(func(a *response, f failure) {
		a.reasoning, a.inband = "The user wants the weather.", &f
	})).steady().streamOnly(),
	fault("no_tools_400", "", "F16", "400 for any tools; if the prompt asks for calls, they are text",
		noTools(400, "this model does not support tools")).steady(),
	fault("no_tools_404", "", "F16", "404 for any tools; if the prompt asks for calls, they are text",
		noTools(404, "No endpoints found that support tool use")).steady(),
	fault("tools_ignored_200", "", "F16", "declared tools are never called; if the prompt asks for calls, they are text",
		func(a *response) {
			if len(a.seen.Tools) > 0 {
				replaceCallsByText("I cannot look up the weather.")(a)
			}
		}).steady(),
	fault("forced_choice_400", "", "F41", "400 for a tool choice that requires a call", func(a *response) {
		if a.seen.isForced() {
			refuse(failure{status: 400, message: "tool_choice forces tool use is not compatible with this model"})(a)
		}
	}).on(choosing).steady(),
	fault("forced_choice_ignored", "", "F41", "text although the tool choice requires a call", func(a *response) {
		if a.seen.isForced() {
			replaceCallsByText("I would rather not call a tool.")(a)
		}
	}).on(choosing),
	fault("midstream", "cut", "F56", "the connection breaks half-way", func(a *response) { a.cut = true }).steady(),
	fault("midstream", "inband", "F56", "an error event half-way", func(a *response) {
		a.inband = &failure{status: 529, message: "the model is overloaded"}
	}).steady(),
	fault("midstream", "stall", "F56", "the stream stops half-way, and the connection stays open",
		func(a *response) { a.stall = true }).steady().streamOnly().stalls(),
	fault("midstream", "badline", "F56", "an event half-way that is not JSON", func(a *response) { a.badLine = true }).steady().streamOnly(),
	fault("late_args", "", "F57", "all arguments of a call come in one delta at the end",
		func(a *response) { a.late = true }).on(asText).streamOnly(),
	fault("429", "retry_after", "", "the first request of a conversation gets 429, with a retry after 1 s", busy(map[string]string{
		"Retry-After": "1",
	})).steady(),
	fault("429", "retry_after_ms", "", "the first request of a conversation gets 429, with a retry after 20 ms", busy(map[string]string{
		"Retry-After-Ms": "20", "X-Should-Retry": "true",
	})).steady(),
	fault("swallowed", "value", "F60", "a value contains its end tag and the next argument", each(func(a *response, c *call) {
		a.widen(c, "number")
		c.args = swallowLast(c.args)
	})),
	fault("swallowed", "key", "F60", "a key contains a tag of its call's format", args(func(s string) string {
		members := membersOf(s)
		if len(members) > 0 {
			members[0].key += "</arg_key>"
		}
		return joinMembers(members)
	})),
	fault("wrong_then_right", "", "F59", "a required argument is missing until the first correction", missing),
	fault("never_right", "", "F59", "a required argument is always missing", missing).steady(),
	fault("provider_profile", "", "F59", "a required argument is missing in one of five requests", func(a *response) {
		if digestNumber(a.seen.Body)%5 == 0 {
			missing(a)
		}
	}).whenProvoked(),
}

func fault(name, variant, class, doc string, bends ...func(*response)) row {
	return row{FaultInfo: FaultInfo{Name: name, Variant: variant, Class: class, Doc: doc, Wires: every}, apply: func(a *response) {
		for _, bend := range bends {
			bend(a)
		}
	}}
}

func (r row) on(wires []string) row { r.Wires = wires; return r }
func (r row) streamOnly() row       { r.StreamOnly = true; return r }
func (r row) steady() row           { r.Steady = true; return r }
func (r row) whenProvoked() row     { r.Provoked = true; return r }
func (r row) stalls() row           { r.Stalls = true; return r }

// withChecks makes the fault reject requests that fail one of the checks.
func (r row) withChecks(checks ...string) row { r.checks = checks; return r }
