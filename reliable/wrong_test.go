package reliable_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

// endedInside is an answer with a text and a call that ends for another reason than that it is complete.
func endedInside(args string, finish callwright.Finish) []callwright.Event {
	return []callwright.Event{
		callwright.Begin{}, callwright.TextDelta{Text: "Well."}, callwright.CallBegin{ID: "call_1", Name: "get_weather"}, callwright.CallDelta{Text: args},
		callwright.CallEnd{}, callwright.End{Finish: finish},
	}
}

// What a stream comes to when its call goes wrong after a part of the answer was seen.
func TestStreamGoesWrong(t *testing.T) {
	refused := &callwright.Error{Kind: callwright.KindRefusedCall, Message: "Failed to call a function."}
	flowing := func(finish callwright.Finish) []callwright.Event {
		return []callwright.Event{callwright.Begin{}, callwright.CallBegin{ID: "call_1", Name: "get_weather"}, callwright.CallDelta{Text: `{"city":"Os`},
			callwright.Flush{}, callwright.CallEnd{}, callwright.End{Finish: finish}}
	}
	malformed := []callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: "Let me see."}, callwright.Flush{}, callwright.End{Finish: callwright.FinishMalformedCall}}
	for _, tc := range []struct {
		name    string
		answers []any
		want    []string
		choice  callwright.ChoiceMode
	}{
		{"the refused text holds no call, and one is required", []any{&callwright.Error{Kind: callwright.KindRefusedCall, Recovered: "It is cold."}, goodCall},
			[]string{"text It is cold.", "begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}, callwright.ChoiceRequired},
		{"a call is refused after its text was sent", []any{brokenOff{[]callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: "Let me see."}, callwright.Flush{}}, refused}, goodCall},
			[]string{"text Let me see.", "flush", "begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}, ""},
		{"a call is refused that the text held", []any{brokenOff{[]callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: `<function=get_weather>{"city":"Oslo"}</function>`}, callwright.Flush{}}, refused}},
			[]string{"begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}, ""},
		{"a call is refused before anything came", []any{refused, inHermes}, []string{"begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}, ""},
		{"a call beside text was botched", []any{malformed, goodCall},
			[]string{"text Let me see.", "flush", "begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}, ""},
		{"the model refuses inside a call that flows", []any{flowing(callwright.FinishContentFilter)}, []string{"begin 0 get_weather", `delta {"city":"Os`, "flush", "error content_filter"}, ""},
		{"a call that flows is cut", []any{flowing(callwright.FinishLength)}, []string{"begin 0 get_weather", `delta {"city":"Os`, "flush", "error invalid_tool_call"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := &scripted{name: "lab/m", answers: tc.answers}
			got := streamed(reliable.New(m).Stream(t.Context(), ask(callwright.Choice{Mode: tc.choice})))
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// A call that came to nothing is asked for again in words that say what can be done.
func TestBotchedCallIsAskedForAgain(t *testing.T) {
	botched := []callwright.Event{callwright.Begin{}, callwright.End{Finish: callwright.FinishMalformedCall}}
	for name, c := range map[string]struct {
		tools []callwright.Tool
		want  string
	}{
		"with tools": {weather, "Your tool call could not be read. Write the call again, or answer in text."},
		"without":    {nil, "There is no tool to call. Answer in text."},
	} {
		t.Run(name, func(t *testing.T) {
			m := &scripted{name: "lab/m", answers: []any{botched, text("Cold.")}}
			req := ask(callwright.Choice{})
			req.Tools = c.tools
			resp, err := reliable.New(m).Generate(t.Context(), req)
			if d := cmp.Diff([]string{"text Cold.", "finish stop"}, outcome(resp, err)); d != "" {
				t.Fatalf("(-want +got)\n%s", d)
			}
			if d := cmp.Diff([]string{asked, "assistant (no answer)", "user " + c.want}, sent(t, m.asked[1])[:3]); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}
