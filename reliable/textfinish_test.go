package reliable_test

import (
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
)

// TestFinishOfNativeCall: a native call that came with the finish "stop" gets another finish with a note, whichever way calls were asked for: as text they
// have no finish of their own, natively they have.
func TestFinishOfNativeCall(t *testing.T) {
	const args = `{"city":"Oslo"}`
	native := []callwright.Event{callwright.Begin{}, callwright.CallBegin{ID: "call_0", Name: "get_weather"}, callwright.CallDelta{Text: args}, callwright.CallEnd{},
		callwright.End{Finish: callwright.FinishStop}}
	inText := []callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: `<tool_call>{"name": "get_weather", "arguments": ` + args + `}</tool_call>`},
		callwright.End{Finish: callwright.FinishStop}}
	for _, c := range []struct {
		name  string
		mode  caps.Mode
		came  []callwright.Event
		noted bool
	}{
		{"native, asked natively", caps.Native, native, true},
		{"native, asked as text", caps.Text, native, true},
		{"text, asked as text", caps.Text, inText, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := ask(callwright.Choice{})
			req.Tools = lawTools
			resp, err := reliable.New(&scripted{name: "lab/m", answers: []any{c.came}}, reliable.WithModes(c.mode), reliable.WithOneMode()).Generate(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			noted := slices.ContainsFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Rule == "finish.derived" })
			if len(resp.Calls()) != 1 || resp.Finish != callwright.FinishCalls || noted != c.noted {
				t.Errorf("%d calls, finish %s, noted %v: %+v", len(resp.Calls()), resp.Finish, noted, resp.Report.Notes)
			}
		})
	}
}
