package reliable_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

// What the cases of TestExtract are made of.
const extractOslo = `{"city":"Oslo"}`

// extractCases are those of TestExtract.
var extractCases = []struct {
	name   string
	events []callwright.Event
	want   []string
	rules  []string
}{
	{"plain text stays", text("Hello there."), []string{"text Hello there.", "finish stop"}, nil},
	{"native call stays", native("get_weather", extractOslo, callwright.FinishCalls), []string{"call get_weather " + extractOslo, "finish tool_calls"}, nil},
	{"finish is derived", native("get_weather", extractOslo, callwright.FinishStop), []string{"call get_weather " + extractOslo, "finish tool_calls"}, []string{"finish.derived"}},
	{"finish without calls", []callwright.Event{callwright.TextDelta{Text: "Done."}, callwright.End{Finish: callwright.FinishCalls}},
		[]string{"text Done.", "finish stop"}, []string{"finish.derived"}},
	{"stringified number", native("get_weather", `{"city":"Oslo","days":"3"}`, callwright.FinishCalls),
		[]string{`call get_weather {"city":"Oslo","days":3}`, "finish tool_calls"}, []string{"coerce.string_to_integer"}},
	{"digits stay text", native("get_weather", `{"city":"007"}`, callwright.FinishCalls), []string{`call get_weather {"city":"007"}`, "finish tool_calls"}, nil},
	{"trailing comma", native("get_weather", `{"city":"Oslo",}`, callwright.FinishCalls), []string{"call get_weather " + extractOslo, "finish tool_calls"}, []string{"json.trailing_comma"}},
	{"name with a prefix", native("functions.get_weather", extractOslo, callwright.FinishCalls), []string{"call get_weather " + extractOslo, "finish tool_calls"}, []string{"name.prefix"}},
	{"arguments in the name", native("get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value>", "", callwright.FinishCalls),
		[]string{"call get_weather " + extractOslo, "finish tool_calls"}, []string{"dialect.in_name"}},
	{"arguments encoded twice", native("get_weather", `"{\"city\":\"Oslo\"}"`, callwright.FinishCalls), []string{"call get_weather " + extractOslo, "finish tool_calls"}, []string{"json.double_encoded"}},
	{"no arguments, and one is required", native("get_weather", "", callwright.FinishCalls), []string{"invalid get_weather required", "finish stop"}, []string{"json.empty", "judge.invalid", "finish.derived"}},
	{"no arguments as null", native("get_weather", "null", callwright.FinishCalls), []string{"invalid get_weather required", "finish stop"}, []string{"json.empty", "judge.invalid", "finish.derived"}},
	{"a name that other languages know", native("get_weather", `{"city":"Oslo","__proto__":{"x":1}}`, callwright.FinishCalls),
		[]string{"invalid get_weather additionalProperties", "finish stop"}, []string{"judge.invalid", "finish.derived"}},
	{"a prefix of one vendor", native("default_api:get_weather", extractOslo, callwright.FinishCalls), []string{"call get_weather " + extractOslo, "finish tool_calls"}, []string{"name.prefix"}},
	{"a prefix of one vendor, as in Python", native("default_api.get_weather", extractOslo, callwright.FinishCalls), []string{"call get_weather " + extractOslo, "finish tool_calls"}, []string{"name.prefix"}},
	{"the same id twice", append(native("get_weather", extractOslo, "")[:4], native("get_weather", `{"city":"Rome"}`, callwright.FinishCalls)[1:]...),
		[]string{"call get_weather " + extractOslo, `call get_weather {"city":"Rome"}`, "finish tool_calls"}, []string{"id.duplicate"}},
	{"a call in reasoning alone", []callwright.Event{callwright.ReasoningDelta{Text: `<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`}, callwright.ReasoningEnd{}, callwright.End{Finish: callwright.FinishStop}},
		[]string{"call get_weather " + extractOslo, `reasoning <tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`, "finish tool_calls"}, []string{"reasoning.promoted", "finish.derived"}},
	{"undeclared name", native("get_wether", extractOslo, callwright.FinishCalls), []string{"invalid get_wether name", "finish stop"}, []string{"judge.undeclared", "finish.derived"}},
	{"cut inside a value", native("get_weather", `{"city":"Os`, callwright.FinishLength), []string{"invalid get_weather truncated", "finish length"}, []string{"judge.truncated"}},
	{"cut after a value, length", native("get_weather", `{"city":"Oslo"`, callwright.FinishLength), []string{"invalid get_weather truncated", "finish length"}, []string{"judge.truncated"}},
	{"cut after a value, refused", native("get_weather", `{"city":"Oslo"`, callwright.FinishContentFilter), []string{"invalid get_weather truncated", "finish content_filter"}, []string{"judge.truncated"}},
	{"cut after a value, broken off", native("get_weather", `{"city":"Oslo"`, callwright.FinishError), []string{"invalid get_weather truncated", "finish error"}, []string{"judge.truncated"}},
	{"complete, refused afterwards", native("get_weather", extractOslo, callwright.FinishContentFilter), []string{"call get_weather " + extractOslo, "finish tool_calls"}, []string{"finish.derived"}},
	{"cut inside a value, finish lies", native("get_weather", `{"city":"Os`, callwright.FinishCalls), []string{"invalid get_weather truncated", "finish stop"}, []string{"judge.truncated", "finish.derived"}},
	{"missing required", native("get_weather", `{}`, callwright.FinishCalls), []string{"invalid get_weather required", "finish stop"}, []string{"judge.invalid", "finish.derived"}},
	{"control characters", native("get_weather", `{"city":"Os\u0000lo\u0008\f\u001b[0m\u007f"}`, callwright.FinishCalls),
		[]string{`call get_weather {"city":"Os\u0000lo\u0008\f\u001b[0m\u007f"}`, "finish tool_calls"}, nil},
	{"call in text", text("On it.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>"),
		[]string{`call get_weather {"city": "Oslo"}`, "text On it.", "finish tool_calls"}, []string{"dialect.hermes", "finish.derived"}},
	{"wrapper of parallel calls", native("multi_tool_use.parallel",
		`{"tool_uses":[{"recipient_name":"functions.get_weather","parameters":{"city":"Oslo"}},{"recipient_name":"functions.get_weather","parameters":{"city":"Rome"}}]}`, callwright.FinishCalls),
		[]string{"call get_weather " + extractOslo, `call get_weather {"city":"Rome"}`, "finish tool_calls"},
		[]string{"normalise.parallel_wrapper", "name.prefix"}},
	{"wrapper of parallel calls by its short name", native("parallel", `{"tool_uses":[{"recipient_name":"functions.get_weather","parameters":{"city":"Oslo"}}]}`, callwright.FinishCalls),
		[]string{"call get_weather " + extractOslo, "finish tool_calls"}, []string{"normalise.parallel_wrapper", "name.prefix"}},
	{"wrapper of an undeclared tool", native("parallel", `{"tool_uses":[{"recipient_name":"functions.other","parameters":{}}]}`, callwright.FinishCalls),
		[]string{"invalid parallel name", "finish stop"}, []string{"judge.undeclared", "finish.derived"}},
	{"repeated in the text", append([]callwright.Event{callwright.TextDelta{Text: `<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`}},
		native("get_weather", extractOslo, callwright.FinishCalls)...), []string{"call get_weather " + extractOslo, "finish tool_calls"}, []string{"normalise.duplicate_text"}},
}

func TestExtract(t *testing.T) {
	for _, tc := range extractCases {
		t.Run(tc.name, func(t *testing.T) {
			x, err := reliable.Extract(tc.events, weather, reliable.ExtractOptions{})
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

// Control characters of a valid string are removed only where that is asked for. The note names the string and its text.
func TestExtractRemovesControlCharacters(t *testing.T) {
	tools := []callwright.Tool{{Name: "run", Schema: []byte(`{"type":"object"}`)}}
	events := native("run", `{"a/b":["x",{"c":"1\u0000\b2\\b"}],"d":"\n\t\r","e":"\f"}`, callwright.FinishCalls)
	for _, o := range []reliable.ExtractOptions{{Policy: callwright.PolicyHealHeuristic}, {Rules: map[string]bool{"string.control": true}}} {
		x, err := reliable.Extract(events, tools, o)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{`call run {"a/b":["x",{"c":"12\\b"}],"d":"\n\t\r","e":""}`, "finish tool_calls"}, said(x)); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
		var got []string
		for _, n := range x.Notes {
			got = append(got, strings.Join([]string{n.Rule, string(n.Risk), n.Call, n.Path, n.Was, n.Now}, " "))
		}
		want := []string{`string.control heuristic run /a~1b/1/c "1\u0000\b2\\b" "12\\b"`, `string.control heuristic run /e "\f" ""`}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("notes (-want +got)\n%s", d)
		}
	}
}

func TestExtractHoldsToTheChoice(t *testing.T) {
	answer := text(`Well. <tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`)
	x, err := reliable.Extract(answer, weather, reliable.ExtractOptions{Choice: callwright.Choice{Mode: callwright.ChoiceNone}})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"text Well.", "finish stop"}, said(x)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// A provider that knows no custom tools is sent a function in place of one. Its call is a custom call to the client from the
// first event on, whole or in pieces, in a frame or not.
func TestFunctionCallOfACustomTool(t *testing.T) {
	events := []callwright.Event{
		callwright.Begin{Model: "m"}, callwright.CallBegin{ID: "c1", Name: "patch"}, callwright.CallDelta{Text: `{"inp`}, callwright.CallDelta{Text: `ut":"+1"}`},
		callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls},
	}
	framed := append([]callwright.Event{rawOf{Wire: callwright.WireGemini, Bytes: []byte("{}"), Events: len(events)}}, events...)
	for _, answer := range [][]callwright.Event{events, framed} {
		req := ask(callwright.Choice{})
		req.Tools = []callwright.Tool{{Name: "patch", Type: callwright.CustomTool}}
		var got []callwright.Event
		m := &scripted{name: "lab/m", answers: []any{answer}}
		for ev, err := range reliable.New(m).Stream(t.Context(), req) {
			if err != nil {
				t.Fatal(err)
			}
			switch ev := ev.(type) {
			case callwright.CallBegin, callwright.CallDelta:
				got = append(got, ev)
			}
		}
		want := []callwright.Event{callwright.CallBegin{ID: "c1", Name: "patch", Type: callwright.CustomTool}, callwright.CallDelta{Text: "+1"}}
		for i := range got {
			if begin, ok := got[i].(callwright.CallBegin); ok {
				begin.Origin = callwright.Origin{}
				got[i] = begin
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("unexpected call (-want +got):\n%s", diff)
		}
	}
}

// A call that is cut anywhere leaves with the values it had, each of them whole, or not at all.
func TestCutAtEveryByte(t *testing.T) {
	tools := []callwright.Tool{{Name: "put_file", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},` +
		`"count":{"type":"integer"},"list":{"type":"array"},"about":{"type":"object"},"text":{"type":"string"}},"required":["path"]}`)}}
	x, err := reliable.NewExtractor(tools, reliable.ExtractOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		`{"path":"/srv/a b.txt","count":12345,"list":["one","two",3],"about":{"k":"v","n":[1,22]},"text":"a \"b\" c"}`,
		`{"text":"","path":"it's, b='c'","list":[[1,2],[3]],"about":{"a":{"b":"deep"}},"count":-7}`,
	} {
		for _, f := range dialect.Formats() {
			if !f.Renders() {
				continue
			}
			text := f.RenderCalls([]dialect.RenderedCall{{Name: "put_file", Arguments: []byte(args)}})
			for cut := range len(text) {
				got := x.Extract([]callwright.Event{callwright.TextDelta{Text: text[:cut]}})
				for _, c := range got.Calls {
					wholeValues(t, f.Name+" "+text[:cut], c.Arguments, []byte(args))
				}
			}
		}
	}
}

func wholeValues(t *testing.T, from string, got, want []byte) {
	t.Helper()
	for k, v := range jsonx.Members(got) {
		if w, ok := jsonx.Find(want, k.String()); !ok || !jsonx.Equal(v, w) {
			t.Errorf("%s:\n%s is %s", from, k.String(), v)
		}
	}
}

// The input of a custom tool is free text: that it was cut shows only in the reason why the answer ended.
func TestCustomCallCut(t *testing.T) {
	tools := []callwright.Tool{{Name: "patch", Type: callwright.CustomTool}}
	for finish, calls := range map[callwright.Finish]int{callwright.FinishCalls: 1, callwright.FinishLength: 0} {
		x, err := reliable.Extract([]callwright.Event{
			callwright.CallBegin{ID: "call_1", Name: "patch", Type: callwright.CustomTool},
			callwright.CallDelta{Text: "delete /srv/o"}, callwright.CallEnd{}, callwright.End{Finish: finish},
		}, tools, reliable.ExtractOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(x.Calls) != calls {
			t.Errorf("finish %s: got %d calls, want %d", finish, len(x.Calls), calls)
		}
	}
}

// What a model invents is not kept at its own length.
func TestLongNameIsBounded(t *testing.T) {
	long := string(make([]byte, 1<<20))
	x, err := reliable.Extract([]callwright.Event{
		callwright.CallBegin{ID: "call_1", Name: long}, callwright.CallDelta{Text: "{}"}, callwright.CallEnd{},
	}, weather, reliable.ExtractOptions{})
	if err != nil {
		t.Fatal(err)
	}
	kept, _ := json.Marshal([]any{x.Invalid, x.Notes})
	if len(kept) > 64<<10 {
		t.Errorf("%d bytes are kept of a call with a name of 1 MiB", len(kept))
	}
}

func ExampleExtract() {
	answer := []callwright.Event{callwright.TextDelta{Text: `<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo", "days": "3",}}</tool_call>`}}
	x, err := reliable.Extract(answer, weather, reliable.ExtractOptions{})
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
