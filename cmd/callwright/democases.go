package main

import "github.com/callwright/callwright"

// A demoCase is one way to misbehave and what a client must get in spite of it, whatever its API and whether it streams.
type demoCase struct {
	name  string
	about string
	// model is the simulated model's name, which selects the fault. Behind demoAgain it misbehaves after corrections too.
	model string
	// ask is the question; empty asks for the weather in Oslo.
	ask string
	// shown is the way whose bytes are shown; the others are only checked.
	shown demoWay
	// streamOnly leaves whole answers out. flowing lets the pieces of streamed calls through before they are judged as a whole;
	// otherwise calls are held, as the gateway does by itself once a model's calls needed help.
	streamOnly, flowing bool
	want                demoWant
}

// A demoWay is the client's API and the form of its answers.
type demoWay struct {
	front  callwright.WireName
	stream bool
}

// A demoWant is what the client must get.
type demoWant struct {
	calls []string // the arguments of the calls that are run, all of get_weather
	text  string   // a part of the last text; empty: the results of the calls
	code  string   // the code of an error, in place of a last text
	rules []string // notes that must be there: words of their rules, or their classes of faults
	// untouched demands that nothing was changed on the way.
	untouched bool
}

// The ways.
var (
	openAIWhole       = demoWay{callwright.WireOpenAI, false}
	openAIStreamed    = demoWay{callwright.WireOpenAI, true}
	anthropicWhole    = demoWay{callwright.WireAnthropic, false}
	anthropicStreamed = demoWay{callwright.WireAnthropic, true}

	demoWays = []demoWay{openAIWhole, openAIStreamed, anthropicWhole, anthropicStreamed}
)

const (
	demoQuestion = "What is the weather in Oslo?"
	demoTwo      = "What is the weather in Oslo and Paris?"
)

// demoCases is the demonstration, in the order in which it is shown.
var demoCases = []demoCase{
	{name: "hermes-leak", about: "the call is written into the text, in tags, behind a sentence",
		model: "hermes-prose_before", shown: openAIStreamed, want: oslo("dialect.hermes")},
	{name: "fenced-json", about: "the call is a JSON object in a code fence",
		model: "text_json-fence", shown: openAIWhole, want: oslo("dialect.")},
	{name: "invoke-text", about: "Anthropic's own markup arrives as plain text",
		model: "anthropic_invoke", shown: anthropicStreamed, want: oslo("dialect.anthropic_invoke")},
	{name: "kimi-sectionless", about: "special tokens leak, and the opening ones are lost",
		model: "kimi-sectionless", shown: anthropicWhole, want: oslo("dialect.kimi")},
	{name: "pythonic", about: "the call is a list of Python calls, two of them",
		model: "pythonic", ask: demoTwo, shown: openAIStreamed, want: osloAndParis("dialect.pythonic")},
	{name: "in-reasoning", about: "the call is inside the reasoning, and nothing else is said",
		model: "in_think-only", shown: anthropicStreamed, want: oslo("reasoning.promoted")},
	{name: "quoted-markup", about: "an explanation quotes a call as an example: that is no call",
		model: "quoted_markup", shown: openAIStreamed, want: demoWant{text: "I have not called anything."}},

	{name: "broken-json", about: "the arguments have a comma too many",
		model: "json_damage-trailing_comma", shown: openAIWhole, want: oslo("json.trailing_comma")},
	{name: "python-dict", about: "the arguments are a Python dict, with True",
		model: "json_damage-python", shown: openAIStreamed, want: weather(`{"city":"Oslo","hourly":true}`, "json.python_literal")},
	{name: "double-encoded", about: "the arguments are encoded twice",
		model: "double_encode", shown: openAIWhole, want: oslo("json.double_encoded")},
	{name: "stringified", about: "an array, a number and a Boolean come as strings",
		model: "stringify-array-number-bool", shown: anthropicWhole,
		want: weather(`{"city":"Oslo","fields":["temperature"],"days":3,"hourly":true}`, "coerce.string_to_array", "coerce.string_to_boolean")},
	{name: "placeholders", about: "an optional number is filled with an empty string",
		model: "optional_placeholder-empty", shown: openAIStreamed, want: oslo("coerce.placeholder_optional")},
	{name: "big-integer", about: "an integer that no float can hold: nothing is wrong, so nothing is touched",
		model: "bigint", shown: openAIWhole, flowing: true,
		want: demoWant{calls: []string{`{"city":"Oslo","days":9223372036854775807}`}, untouched: true}},

	{name: "bad-name", about: "the tool's name has a prefix, and a token leaked into it",
		model: "bad_name-prefix-suffix", shown: openAIStreamed, want: oslo("name.")},
	{name: "invented-tool", about: "the model calls a tool that does not exist",
		model: "bad_name-unknown", shown: anthropicWhole, want: oslo("correct.asked")},
	{name: "index-0", about: "parallel calls all stream under index 0",
		model: "index-all0", ask: demoTwo, shown: openAIStreamed, want: demoWant{calls: []string{argsOslo, argsParis}}},
	{name: "same-id", about: "parallel calls share an id",
		model: "id-dup", ask: demoTwo, shown: anthropicWhole, want: osloAndParis("id.duplicate")},
	{name: "finish-lies", about: "the finish reason says stop although there is a call",
		model: "finish-stop_with_calls", shown: openAIWhole, want: oslo("F30")},

	{name: "refused-call", about: "the provider refuses its model's call and quotes it in a 400",
		model: "groq_failed-call", shown: openAIWhole, want: oslo("recovered.text")},
	{name: "refused-in-stream", about: "the provider refuses the call inside a stream that began with 200",
		model: "groq_failed-markup", shown: openAIStreamed, want: oslo("recovered.text")},
	{name: "no-tools", about: "the model takes no tools: it is asked again in words",
		model: "no_tools_400", shown: openAIStreamed, want: oslo("plan.learned")},
	{name: "wrong-then-right", about: "a required argument is missing: the model is told what is wrong",
		model: "wrong_then_right", shown: anthropicStreamed, want: oslo("correct.asked")},
	{name: "rate-limited", about: "the provider is busy for a moment",
		model: "429-retry_after_ms", shown: openAIWhole, want: oslo("transport.retry")},

	{name: "truncated", about: "the arguments are cut off, again and again: a part of a call is never run",
		model: demoAgain + "truncate-lie_finish", shown: openAIWhole, want: demoWant{code: string(callwright.KindInvalidCall)}},
	{name: "cut-stream", about: "the connection breaks half-way: the client hears of it",
		model: "midstream-cut", shown: openAIStreamed, streamOnly: true, flowing: true, want: demoWant{code: string(callwright.KindTruncated)}},
}

const (
	argsOslo  = `{"city":"Oslo"}`
	argsParis = `{"city":"Paris"}`
)

// weather wants one call with these arguments, and notes of these rules.
func weather(args string, rules ...string) demoWant {
	return demoWant{calls: []string{args}, rules: rules}
}

func oslo(rules ...string) demoWant { return weather(argsOslo, rules...) }

func osloAndParis(rules ...string) demoWant {
	return demoWant{calls: []string{argsOslo, argsParis}, rules: rules}
}
