package reliable_test

import (
	"encoding/json"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable"
	"pgregory.net/rapid"
)

// A model that gets a tool for free text as a function, and whose input is refused, sees its own arguments in the next request, not a text that holds
// them. So does one that gets the tool itself.
func TestRefusedInputIsShownOnce(t *testing.T) {
	tools := []callwright.Tool{{Name: "edit", Type: callwright.CustomTool, Extra: callwright.Extra{Wire: callwright.WireResponses, JSON: []byte(
		`{"format":{"type":"grammar","syntax":"lark","definition":"start: \"+\" /(.|\\n)*/"}}`)}}}
	rapid.Check(t, func(t *rapid.T) {
		input := "-" + rapid.SampledFrom([]string{"1", `a "quoted" \ word`, "two\nlines", `{"input":"+1"}x`, "é <b>"}).Draw(t, "input")
		own := rapid.Bool().Draw(t, "the tool itself")
		first, second := native("edit", input, callwright.FinishCalls), native("edit", "+1", callwright.FinishCalls)
		c := caps.Caps{CustomTools: caps.Yes}
		if own {
			for _, answer := range [][]callwright.Event{first, second} {
				answer[1] = callwright.CallBegin{ID: "call_1", Name: "edit", Type: callwright.CustomTool}
			}
		} else {
			args, _ := json.Marshal(map[string]string{"input": input})
			first, second = native("edit", string(args), callwright.FinishCalls), native("edit", `{"input":"+1"}`, callwright.FinishCalls)
			c = caps.Caps{CustomTools: caps.No}
		}
		m := &scripted{name: "lab/m", caps: c, answers: []any{first, second}}
		req := ask(callwright.Choice{})
		req.Tools = tools
		resp, err := reliable.New(m, reliable.WithOneMode()).Generate(t.Context(), req)
		if err != nil || len(resp.Calls()) != 1 || resp.Calls()[0].Input != "+1" || len(m.asked) != 2 {
			t.Fatalf("%q: %v after %d requests", input, outcome(resp, err), len(m.asked))
		}
		msgs, err := m.asked[1].History()
		if err != nil {
			t.Fatal(err)
		}
		var shown []string
		for _, msg := range msgs {
			for _, call := range callwright.CallsOf(msg.Parts) {
				text := call.Input
				if call.Type != callwright.CustomTool {
					v, _ := jsonx.Find(call.Arguments, "input")
					text, _ = jsonx.String(v)
				}
				shown = append(shown, text)
			}
		}
		if len(shown) != 1 || shown[0] != input {
			t.Fatalf("%q: the model is shown %q", input, shown)
		}
	})
}
