package reliable_test

import (
	"fmt"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

var weather = []callwright.Tool{{
	Name:   "get_weather",
	Schema: []byte(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"],"additionalProperties":false}`),
}}

func text(s string) []callwright.Event {
	return []callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: s}, callwright.End{Finish: callwright.FinishStop}}
}

func native(name, args string, finish callwright.Finish) []callwright.Event {
	return []callwright.Event{
		callwright.Begin{}, callwright.CallBegin{ID: "call_1", Name: name}, callwright.CallDelta{Text: args}, callwright.CallEnd{},
		callwright.End{Finish: finish},
	}
}

// said is an extraction in one line a thing.
func said(x *reliable.Extraction) []string {
	var out []string
	for _, c := range x.Calls {
		out = append(out, "call "+c.Name+" "+string(c.Arguments))
	}
	for _, c := range x.Invalid {
		out = append(out, "invalid "+c.Name+" "+c.Violations[0].Keyword)
	}
	if x.Content != "" {
		out = append(out, "text "+x.Content)
	}
	if x.Reasoning != "" {
		out = append(out, "reasoning "+x.Reasoning)
	}
	return append(out, "finish "+string(x.Finish))
}

func TestExtract(t *testing.T) {
	const oslo = `{"city":"Oslo"}`
	for _, tc := range []struct {
		name   string
		events []callwright.Event
		want   []string
		rules  []string
	}{
		{"plain text stays", text("Hello there."), []string{"text Hello there.", "finish stop"}, nil},
		{"native call stays", native("get_weather", oslo, callwright.FinishCalls), []string{"call get_weather " + oslo, "finish tool_calls"}, nil},
		{"finish is derived", native("get_weather", oslo, callwright.FinishStop), []string{"call get_weather " + oslo, "finish tool_calls"}, []string{"finish.derived"}},
		{"finish without calls", []callwright.Event{callwright.TextDelta{Text: "Done."}, callwright.End{Finish: callwright.FinishCalls}},
			[]string{"text Done.", "finish stop"}, []string{"finish.derived"}},
		{"stringified number", native("get_weather", `{"city":"Oslo","days":"3"}`, callwright.FinishCalls),
			[]string{`call get_weather {"city":"Oslo","days":3}`, "finish tool_calls"}, []string{"coerce.string_to_integer"}},
		{"digits stay text", native("get_weather", `{"city":"007"}`, callwright.FinishCalls), []string{`call get_weather {"city":"007"}`, "finish tool_calls"}, nil},
		{"trailing comma", native("get_weather", `{"city":"Oslo",}`, callwright.FinishCalls), []string{"call get_weather " + oslo, "finish tool_calls"}, []string{"json.trailing_comma"}},
		{"name with a prefix", native("functions.get_weather", oslo, callwright.FinishCalls), []string{"call get_weather " + oslo, "finish tool_calls"}, []string{"name.prefix"}},
		{"arguments in the name", native("get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value>", "", callwright.FinishCalls),
			[]string{"call get_weather " + oslo, "finish tool_calls"}, []string{"dialect.in_name"}},
		{"arguments encoded twice", native("get_weather", `"{\"city\":\"Oslo\"}"`, callwright.FinishCalls), []string{"call get_weather " + oslo, "finish tool_calls"}, []string{"json.double_encoded"}},
		{"no arguments, and one is required", native("get_weather", "", callwright.FinishCalls), []string{"invalid get_weather required", "finish stop"}, []string{"json.empty", "judge.invalid", "finish.derived"}},
		{"no arguments as null", native("get_weather", "null", callwright.FinishCalls), []string{"invalid get_weather required", "finish stop"}, []string{"json.empty", "judge.invalid", "finish.derived"}},
		{"a name that other languages know", native("get_weather", `{"city":"Oslo","__proto__":{"x":1}}`, callwright.FinishCalls),
			[]string{"invalid get_weather additionalProperties", "finish stop"}, []string{"judge.invalid", "finish.derived"}},
		{"a prefix of one vendor", native("default_api:get_weather", oslo, callwright.FinishCalls), []string{"call get_weather " + oslo, "finish tool_calls"}, []string{"name.prefix"}},
		{"a prefix of one vendor, as in Python", native("default_api.get_weather", oslo, callwright.FinishCalls), []string{"call get_weather " + oslo, "finish tool_calls"}, []string{"name.prefix"}},
		{"the same id twice", append(native("get_weather", oslo, "")[:4], native("get_weather", `{"city":"Rome"}`, callwright.FinishCalls)[1:]...),
			[]string{"call get_weather " + oslo, `call get_weather {"city":"Rome"}`, "finish tool_calls"}, []string{"id.duplicate"}},
		{"a call in reasoning alone", []callwright.Event{callwright.ReasoningDelta{Text: `<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`}, callwright.ReasoningEnd{}, callwright.End{Finish: callwright.FinishStop}},
			[]string{"call get_weather " + oslo, `reasoning <tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`, "finish tool_calls"}, []string{"reasoning.promoted", "finish.derived"}},
		{"undeclared name", native("get_wether", oslo, callwright.FinishCalls), []string{"invalid get_wether name", "finish stop"}, []string{"judge.undeclared", "finish.derived"}},
		{"cut inside a value", native("get_weather", `{"city":"Os`, callwright.FinishLength), []string{"invalid get_weather truncated", "finish length"}, []string{"judge.truncated"}},
		{"cut after a value, length", native("get_weather", `{"city":"Oslo"`, callwright.FinishLength), []string{"invalid get_weather truncated", "finish length"}, []string{"judge.truncated"}},
		{"cut after a value, refused", native("get_weather", `{"city":"Oslo"`, callwright.FinishContentFilter), []string{"invalid get_weather truncated", "finish content_filter"}, []string{"judge.truncated"}},
		{"cut after a value, broken off", native("get_weather", `{"city":"Oslo"`, callwright.FinishError), []string{"invalid get_weather truncated", "finish error"}, []string{"judge.truncated"}},
		{"complete, refused afterwards", native("get_weather", oslo, callwright.FinishContentFilter), []string{"call get_weather " + oslo, "finish tool_calls"}, []string{"finish.derived"}},
		{"cut inside a value, finish lies", native("get_weather", `{"city":"Os`, callwright.FinishCalls), []string{"invalid get_weather truncated", "finish stop"}, []string{"judge.truncated", "finish.derived"}},
		{"missing required", native("get_weather", `{}`, callwright.FinishCalls), []string{"invalid get_weather required", "finish stop"}, []string{"judge.invalid", "finish.derived"}},
		{"control characters", native("get_weather", `{"city":"Os\u0000lo\u0008"}`, callwright.FinishCalls), []string{"call get_weather " + oslo, "finish tool_calls"}, []string{"string.control"}},
		{"call in text", text("On it.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>"),
			[]string{`call get_weather {"city": "Oslo"}`, "text On it.", "finish tool_calls"}, []string{"dialect.hermes", "finish.derived"}},
		{"wrapper of parallel calls", native("multi_tool_use.parallel",
			`{"tool_uses":[{"recipient_name":"functions.get_weather","parameters":{"city":"Oslo"}},{"recipient_name":"functions.get_weather","parameters":{"city":"Rome"}}]}`, callwright.FinishCalls),
			[]string{"call get_weather " + oslo, `call get_weather {"city":"Rome"}`, "finish tool_calls"},
			[]string{"normalise.parallel_wrapper", "name.prefix", "name.prefix"}},
		{"wrapper of parallel calls by its short name", native("parallel", `{"tool_uses":[{"recipient_name":"functions.get_weather","parameters":{"city":"Oslo"}}]}`, callwright.FinishCalls),
			[]string{"call get_weather " + oslo, "finish tool_calls"}, []string{"normalise.parallel_wrapper", "name.prefix"}},
		{"wrapper of an undeclared tool", native("parallel", `{"tool_uses":[{"recipient_name":"functions.other","parameters":{}}]}`, callwright.FinishCalls),
			[]string{"invalid parallel name", "finish stop"}, []string{"judge.undeclared", "finish.derived"}},
		{"repeated in the text", append([]callwright.Event{callwright.TextDelta{Text: `<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`}},
			native("get_weather", oslo, callwright.FinishCalls)...), []string{"call get_weather " + oslo, "finish tool_calls"}, []string{"normalise.duplicate_text"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x, err := reliable.Extract(tc.events, weather)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, said(x)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			var rules []string
			for _, n := range x.Notes {
				rules = append(rules, n.Rule)
			}
			if d := cmp.Diff(tc.rules, rules); d != "" {
				t.Errorf("rules (-want +got)\n%s", d)
			}
		})
	}
}

func TestExtractHoldsToTheChoice(t *testing.T) {
	answer := text(`Well. <tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`)
	x, err := reliable.Extract(answer, weather, reliable.WithChoice(callwright.Choice{Mode: callwright.ChoiceNone}))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"text Well.", "finish stop"}, said(x)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func ExampleExtract() {
	answer := []callwright.Event{callwright.TextDelta{Text: `<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo", "days": "3",}}</tool_call>`}}
	x, err := reliable.Extract(answer, weather)
	if err != nil {
		panic(err)
	}
	for _, c := range x.Calls {
		fmt.Println(c.Name, string(c.Arguments))
	}
	for _, n := range x.Notes {
		fmt.Println(n.Rule)
	}
	// Output:
	// get_weather {"city": "Oslo", "days": 3}
	// dialect.hermes
	// json.trailing_comma
	// coerce.string_to_integer
	// finish.derived
}
