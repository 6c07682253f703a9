package reliable_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

// framed is an answer that came as one piece, as whole ones do.
func framed(events ...callwright.Event) []callwright.Event {
	events = append([]callwright.Event{callwright.Begin{ID: "a1", Model: "m"}}, events...)
	return append([]callwright.Event{rawOf{Wire: callwright.WireOpenAI, Bytes: []byte("{}"), Events: len(events)}}, events...)
}

// callAt is a call of the weather tool at an index.
func callAt(i int, id, args string) []callwright.Event {
	return []callwright.Event{callwright.CallBegin{Index: i, ID: id, Name: "get_weather"}, callwright.CallDelta{Index: i, Text: args}, callwright.CallEnd{Index: i}}
}

// What of an answer stands is not lost when the model is asked again, though its one piece could not be passed on; and the
// client sees one answer: one beginning, with a model's name.
func TestFurtherAttemptsGoOnFromFramedAnswers(t *testing.T) {
	const paris = `{"city":"Paris"}`
	ended := callwright.End{Finish: callwright.FinishCalls}
	half := framed(append(append(callAt(0, "c1", oslo), callAt(1, "c2", `{"town":"Paris"}`)...), ended)...)
	for _, tc := range []struct {
		name    string
		answers []any
		want    []string
	}{
		{"a good call beside a bad one", []any{half, framed(append(callAt(0, "c3", paris), ended)...)},
			[]string{"call get_weather " + oslo, "call get_weather " + paris, "finish tool_calls"}},
		{"the first half of a paused answer", []any{
			framed(callwright.TextDelta{Text: "One, "}, callwright.End{Finish: callwright.FinishPause}),
			framed(callwright.TextDelta{Text: "two."}, callwright.End{Finish: callwright.FinishStop})}, []string{"text One, two.", "finish stop"}},
		{"nothing but the beginning", []any{[]callwright.Event{callwright.Begin{ID: "a0", Model: "m"}, callwright.End{Finish: callwright.FinishStop}}, framed(append(callAt(0, "c3", oslo), ended)...)},
			[]string{"call get_weather " + oslo, "finish tool_calls"}},
		{"nothing but a refusal", []any{&callwright.Error{Kind: callwright.KindRefusedCall, Recovered: `{"name":"get_weather","arguments":` + oslo + `}`}},
			[]string{"call get_weather " + oslo, "finish tool_calls"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			whole := reliable.New(&scripted{name: "lab/m", answers: tc.answers})
			resp, err := whole.Generate(t.Context(), ask(callwright.Choice{}))
			if diff := cmp.Diff(tc.want, outcome(resp, err)); diff != "" {
				t.Errorf("whole (-want +got):\n%s", diff)
			}
			if err == nil && resp.Model != "m" {
				t.Errorf("expected the model's name, got %q", resp.Model)
			}
			begun := 0
			streamed := reliable.New(&scripted{name: "lab/m", answers: tc.answers})
			resp, err = callwright.Collect(func(yield func(callwright.Event, error) bool) {
				for ev, err := range streamed.Stream(t.Context(), ask(callwright.Choice{})) {
					if _, ok := ev.(callwright.Begin); ok {
						begun++
					}
					if !yield(ev, err) {
						return
					}
				}
			})
			if diff := cmp.Diff(tc.want, outcome(resp, err)); diff != "" || begun != 1 {
				t.Errorf("streamed, %d beginnings (-want +got):\n%s", begun, diff)
			}
		})
	}
}
