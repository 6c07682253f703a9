package demo

import (
	"slices"

	"github.com/callwright/callwright"
)

// A Case is one fault of a model with the result that clients must receive, over each API, streamed and not streamed.
type Case struct {
	// Name is the simulator's model name for the fault, see simulate.FaultInfo.Model, such as "text_json-fence". It can
	// combine several variants.
	Name  string
	About string
	// Earlier is a former name of the case; empty if it had no other.
	Earlier string
	// steady faults continue after corrections by the gateway.
	steady bool
	// ask is the user's prompt; empty means the weather in Oslo.
	ask string
	// shown is the way (API and streaming mode) that is printed in detail. The others are only checked.
	shown way
	// streamOnly skips responses that are not streamed. flowing forwards the deltas of streamed calls before they are
	// validated; otherwise the gateway buffers calls, as it does by default for models whose calls needed repairs.
	streamOnly, flowing bool
	want                want
}

// A way is a client's API and its streaming mode.
type way struct {
	front  callwright.WireName
	stream bool
}

// A want is the result that a client is expected to receive in a demonstration case.
type want struct {
	calls []string // the arguments of the calls, all of get_weather
	text  string   // part of the last text; empty: the results of the calls
	code  string   // an expected error code instead of a text
	// atLimit expects clients with an output limit to receive the finish reason "length" instead of the error.
	atLimit bool
	rules   []string // required notes: parts of their rules, or their failure classes
	// untouched requires that the response reaches the client unchanged.
	untouched bool
}

// The tested combinations of client API and streaming mode.
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

// Cases returns the cases of callwright demo in order.
func Cases() []Case { return slices.Clone(cases) }

// cases are the cases of callwright demo, one per fault of a model.
var cases = []Case{
	{Name: "hermes-prose_before", Earlier: "hermes-leak", About: "the call is in the text, in tags, after a sentence",
		shown: openAIStreamed, want: oslo("dialect.hermes")},
	{Name: "text_json-fence", Earlier: "fenced-json", About: "the call is a JSON object in a code fence",
		shown: openAIWhole, want: oslo("dialect.")},
	{Name: "anthropic_invoke-plain", Earlier: "invoke-text", About: "the call is in the text, in Anthropic's markup",
		shown: anthropicStreamed, want: oslo("dialect.anthropic_invoke")},
	{Name: "kimi-sectionless", About: "the call is in the text, in Kimi's special tokens, but the start tokens are missing",
		shown: anthropicWhole, want: oslo("dialect.kimi")},
	{Name: "pythonic-plain", Earlier: "pythonic", About: "two calls are in the text, as a list of Python calls",
		ask: askBoth, shown: openAIStreamed, want: osloAndParis("dialect.pythonic")},
	{Name: "in_think-only", Earlier: "in-reasoning", About: "the call is inside the reasoning, and there is no other output",
		shown: anthropicStreamed, want: oslo("reasoning.promoted")},
	{Name: "quoted_markup", Earlier: "quoted-markup", About: "an explanation quotes a call as an example; it must not be run",
		shown: openAIStreamed, want: want{text: "I have not called anything."}},

	{Name: "json_damage-trailing_comma", Earlier: "broken-json", About: "the arguments have a trailing comma",
		shown: openAIWhole, want: oslo("json.trailing_comma")},
	{Name: "json_damage-python", Earlier: "python-dict", About: "the arguments are a Python dict, with True",
		shown: openAIStreamed, want: weather(`{"city":"Oslo","hourly":true}`, "json.python_literal")},
	{Name: "double_encode", Earlier: "double-encoded", About: "the arguments are encoded twice",
		shown: openAIWhole, want: oslo("json.double_encoded")},
	{Name: "stringify-array-number-bool", Earlier: "stringified", About: "an array, a number and a Boolean are strings",
		shown: anthropicWhole,
		want:  weather(`{"city":"Oslo","fields":["temperature"],"days":3,"hourly":true}`, "coerce.string_to_array", "coerce.string_to_boolean")},
	{Name: "optional_placeholder-empty", Earlier: "placeholders", About: "an optional number is filled with an empty string",
		shown: openAIStreamed, want: oslo("coerce.placeholder_optional")},
	{Name: "bigint", Earlier: "big-integer", About: "a valid integer is too large for a float, and stays unchanged",
		shown: openAIWhole, flowing: true,
		want: want{calls: []string{`{"city":"Oslo","days":9223372036854775807}`}, untouched: true}},

	{Name: "bad_name-prefix-suffix", Earlier: "bad-name", About: "the tool's name has a prefix and a special token",
		shown: openAIStreamed, want: oslo("name.")},
	{Name: "bad_name-unknown", Earlier: "invented-tool", About: "the model calls a tool that does not exist",
		shown: anthropicWhole, want: oslo("correct.asked")},
	{Name: "index-all0", Earlier: "index-0", About: "parallel calls all have the index 0",
		ask: askBoth, shown: openAIStreamed, want: want{calls: []string{argsOslo, argsParis}}},
	{Name: "id-dup", Earlier: "same-id", About: "parallel calls share an id",
		ask: askBoth, shown: anthropicWhole, want: osloAndParis("id.duplicate")},
	{Name: "finish-stop_with_calls", Earlier: "finish-lies", About: "the finish reason is stop although there is a call",
		shown: openAIWhole, want: oslo("F30")},

	{Name: "groq_failed-call", Earlier: "refused-call", About: "the provider rejects its model's call, and quotes it in an error 400",
		shown: openAIWhole, want: oslo("recovered.text")},
	{Name: "groq_failed-markup", Earlier: "refused-in-stream", About: "the provider begins a stream with 200, then rejects the call in it",
		shown: openAIStreamed, want: oslo("recovered.text")},
	{Name: "no_tools_400", Earlier: "no-tools", About: "the provider refuses tools; the gateway describes them in the prompt",
		shown: openAIStreamed, want: oslo("plan.learned")},
	{Name: "wrong_then_right", Earlier: "wrong-then-right", About: "a required argument is missing: the model is asked to correct it",
		shown: anthropicStreamed, want: oslo("correct.asked")},
	{Name: "429-retry_after_ms", Earlier: "rate-limited", About: "the provider is busy for a moment",
		shown: openAIWhole, want: oslo("transport.retry")},

	{Name: "truncate-lie_finish", Earlier: "truncated", About: "each answer has truncated arguments; a partial call is never run",
		steady: true, shown: openAIWhole, want: want{code: string(callwright.KindInvalidCall), atLimit: true}},
	{Name: "midstream-cut", Earlier: "cut-stream", About: "the connection breaks half-way: the client gets an error",
		shown: openAIStreamed, streamOnly: true, flowing: true, want: want{code: string(callwright.KindTruncated)}},
}

const (
	argsOslo  = `{"city":"Oslo"}`
	argsParis = `{"city":"Paris"}`
)

// weather returns the expectation of one call with the given arguments and of notes with the given rules.
func weather(args string, rules ...string) want {
	return want{calls: []string{args}, rules: rules}
}

func oslo(rules ...string) want { return weather(argsOslo, rules...) }

func osloAndParis(rules ...string) want {
	return want{calls: []string{argsOslo, argsParis}, rules: rules}
}

// IsNamed reports whether name is the current or former name of the case.
func (c *Case) IsNamed(name string) bool { return name != "" && (name == c.Name || name == c.Earlier) }

// Class returns the failure class of the case, F01 to F60, "" for none.
func (c *Case) Class() string { return faultOf(c.Name).Class }

// model returns the name of the simulated model that shows the fault of the case.
func (c *Case) model() string {
	if c.steady {
		return again + c.Name
	}
	return c.Name
}
