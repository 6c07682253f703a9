package demo

import (
	"slices"

	"github.com/callwright/callwright"
)

// A Case is one misbehaviour of a model and what a client must get in spite of it, whatever its API and whether it streams.
type Case struct {
	Name  string
	About string
	// model is the simulated model's name, which selects the fault. With the prefix again the model misbehaves after corrections too.
	model string
	// ask is the question; empty asks for the weather in Oslo.
	ask string
	// shown is the way whose bytes are shown; the others are only checked.
	shown way
	// streamOnly leaves whole answers out. flowing lets the pieces of streamed calls through before they are judged as a whole;
	// otherwise calls are held, as the gateway does by itself once a model's calls needed help.
	streamOnly, flowing bool
	want                want
}

// A way is a client's API and the form of its answers.
type way struct {
	front  callwright.WireName
	stream bool
}

// A want is what the client must get.
type want struct {
	calls []string // the arguments of the calls that are run, all of get_weather
	text  string   // a part of the last text; empty: the results of the calls
	code  string   // the code of an error, in place of a last text
	// atLimit has clients that give a limit of the output hear, in place of the error, that it was reached.
	atLimit bool
	rules   []string // notes that must be there: words of their rules, or their classes of faults
	// untouched demands that nothing was changed on the way.
	untouched bool
}

// The ways.
var (
	openAIWhole       = way{callwright.WireOpenAI, false}
	openAIStreamed    = way{callwright.WireOpenAI, true}
	anthropicWhole    = way{callwright.WireAnthropic, false}
	anthropicStreamed = way{callwright.WireAnthropic, true}

	ways = []way{openAIWhole, openAIStreamed, anthropicWhole, anthropicStreamed}
)

const (
	askOslo = "What is the weather in Oslo?"
	askBoth = "What is the weather in Oslo and Paris?"
)

// Cases returns the demonstration, in the order in which it is shown.
func Cases() []Case { return slices.Clone(cases) }

// cases is the demonstration.
var cases = []Case{
	{Name: "hermes-leak", About: "the call is written into the text, in tags, behind a sentence",
		model: "hermes-prose_before", shown: openAIStreamed, want: oslo("dialect.hermes")},
	{Name: "fenced-json", About: "the call is a JSON object in a code fence",
		model: "text_json-fence", shown: openAIWhole, want: oslo("dialect.")},
	{Name: "invoke-text", About: "Anthropic's own markup arrives as plain text",
		model: "anthropic_invoke", shown: anthropicStreamed, want: oslo("dialect.anthropic_invoke")},
	{Name: "kimi-sectionless", About: "special tokens leak, and the opening ones are lost",
		model: "kimi-sectionless", shown: anthropicWhole, want: oslo("dialect.kimi")},
	{Name: "pythonic", About: "the call is a list of Python calls, two of them",
		model: "pythonic", ask: askBoth, shown: openAIStreamed, want: osloAndParis("dialect.pythonic")},
	{Name: "in-reasoning", About: "the call is inside the reasoning, and nothing else is said",
		model: "in_think-only", shown: anthropicStreamed, want: oslo("reasoning.promoted")},
	{Name: "quoted-markup", About: "an explanation quotes a call as an example: that is no call",
		model: "quoted_markup", shown: openAIStreamed, want: want{text: "I have not called anything."}},

	{Name: "broken-json", About: "the arguments have a comma too many",
		model: "json_damage-trailing_comma", shown: openAIWhole, want: oslo("json.trailing_comma")},
	{Name: "python-dict", About: "the arguments are a Python dict, with True",
		model: "json_damage-python", shown: openAIStreamed, want: weather(`{"city":"Oslo","hourly":true}`, "json.python_literal")},
	{Name: "double-encoded", About: "the arguments are encoded twice",
		model: "double_encode", shown: openAIWhole, want: oslo("json.double_encoded")},
	{Name: "stringified", About: "an array, a number and a Boolean come as strings",
		model: "stringify-array-number-bool", shown: anthropicWhole,
		want: weather(`{"city":"Oslo","fields":["temperature"],"days":3,"hourly":true}`, "coerce.string_to_array", "coerce.string_to_boolean")},
	{Name: "placeholders", About: "an optional number is filled with an empty string",
		model: "optional_placeholder-empty", shown: openAIStreamed, want: oslo("coerce.placeholder_optional")},
	{Name: "big-integer", About: "an integer that no float can hold: nothing is wrong, so nothing is touched",
		model: "bigint", shown: openAIWhole, flowing: true,
		want: want{calls: []string{`{"city":"Oslo","days":9223372036854775807}`}, untouched: true}},

	{Name: "bad-name", About: "the tool's name has a prefix, and a token leaked into it",
		model: "bad_name-prefix-suffix", shown: openAIStreamed, want: oslo("name.")},
	{Name: "invented-tool", About: "the model calls a tool that does not exist",
		model: "bad_name-unknown", shown: anthropicWhole, want: oslo("correct.asked")},
	{Name: "index-0", About: "parallel calls all stream under index 0",
		model: "index-all0", ask: askBoth, shown: openAIStreamed, want: want{calls: []string{argsOslo, argsParis}}},
	{Name: "same-id", About: "parallel calls share an id",
		model: "id-dup", ask: askBoth, shown: anthropicWhole, want: osloAndParis("id.duplicate")},
	{Name: "finish-lies", About: "the finish reason says stop although there is a call",
		model: "finish-stop_with_calls", shown: openAIWhole, want: oslo("F30")},

	{Name: "refused-call", About: "the provider refuses its model's call and quotes it in a 400",
		model: "groq_failed-call", shown: openAIWhole, want: oslo("recovered.text")},
	{Name: "refused-in-stream", About: "the provider refuses the call inside a stream that began with 200",
		model: "groq_failed-markup", shown: openAIStreamed, want: oslo("recovered.text")},
	{Name: "no-tools", About: "the model takes no tools: it is asked again in words",
		model: "no_tools_400", shown: openAIStreamed, want: oslo("plan.learned")},
	{Name: "wrong-then-right", About: "a required argument is missing: the model is told what is wrong",
		model: "wrong_then_right", shown: anthropicStreamed, want: oslo("correct.asked")},
	{Name: "rate-limited", About: "the provider is busy for a moment",
		model: "429-retry_after_ms", shown: openAIWhole, want: oslo("transport.retry")},

	{Name: "truncated", About: "the arguments are cut off, again and again: a part of a call is never run",
		model: again + "truncate-lie_finish", shown: openAIWhole, want: want{code: string(callwright.KindInvalidCall), atLimit: true}},
	{Name: "cut-stream", About: "the connection breaks half-way: the client hears of it",
		model: "midstream-cut", shown: openAIStreamed, streamOnly: true, flowing: true, want: want{code: string(callwright.KindTruncated)}},
}

const (
	argsOslo  = `{"city":"Oslo"}`
	argsParis = `{"city":"Paris"}`
)

// weather wants one call with these arguments, and notes of these rules.
func weather(args string, rules ...string) want {
	return want{calls: []string{args}, rules: rules}
}

func oslo(rules ...string) want { return weather(argsOslo, rules...) }

func osloAndParis(rules ...string) want {
	return want{calls: []string{argsOslo, argsParis}, rules: rules}
}
