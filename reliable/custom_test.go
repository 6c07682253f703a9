package reliable_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

// A provider that knows no custom tools is sent a function in place of one. Its call is a custom call to the client from the
// first event on, whole or in pieces, in a frame or not.
func TestFunctionCallOfACustomTool(t *testing.T) {
	events := []callwright.Event{
		callwright.Begin{Model: "m"}, callwright.CallBegin{ID: "c1", Name: "patch"}, callwright.CallDelta{Text: `{"inp`}, callwright.CallDelta{Text: `ut":"+1"}`},
		callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls},
	}
	framed := append([]callwright.Event{callwright.Frame{Wire: callwright.WireGemini, Bytes: []byte("{}"), Events: len(events)}}, events...)
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
