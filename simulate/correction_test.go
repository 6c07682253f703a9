package simulate_test

import (
	"testing"

	"github.com/callwright/callwright/simulate"
)

// A script is told whether the client came back with something to mend.
func TestCorrected(t *testing.T) {
	history := func(texts ...string) (out []simulate.Message) {
		for i, text := range texts {
			out = append(out, simulate.Message{Role: []string{"user", "assistant"}[i%2], Text: text})
		}
		return out
	}
	given := func(results ...simulate.Result) []simulate.Message {
		return append(history("Look.", "Looking."), simulate.Message{Role: "tool", Results: results})
	}
	for what, c := range map[string]struct {
		history []simulate.Message
		want    bool
	}{
		"nothing said":                          {nil, false},
		"a question of its own words":           {history("Try again to call the tool with the missing argument."), false},
		"the model's turn is the last":          {history("Look.", "The call was not executed."), false},
		"a call that was not executed":          {given(simulate.Result{Text: "The call of look was not executed:\n- /n: expected integer"}), true},
		"one of two":                            {given(simulate.Result{Text: "Write the call again: not executed"}, simulate.Result{Text: "fine"}), true},
		"a result that is marked":               {given(simulate.Result{Text: "gone", Error: true}), true},
		"an envelope":                           {given(simulate.Result{Text: `{"ok":false,"errors":["no"]}`}), true},
		"a result":                              {given(simulate.Result{Text: `{"ok":true,"data":"an error of measurement"}`}), false},
		"no call":                               {history("Look.", "I will.", "No tool was called. Call a tool."), true},
		"an unreadable one":                     {history("Look.", "<tool", "Your tool call could not be read. Write the call again, or answer in text."), true},
		"an empty answer":                       {history("Look.", "", "Your last answer was empty. Give the final answer now, in plain text."), true},
		"another form":                          {history("Look.", "{", "Give this answer as the JSON object that was asked for."), true},
		"a result as text":                      {history("Look.", "<tool_call>", "<tool_response>20 degrees</tool_response>"), false},
		"an error as text":                      {history("Look.", "<tool_call>", `<tool_response>{"ok": false}</tool_response>`), true},
		"a question after a correction":         {append(history("Look.", "", "Try again."), simulate.Message{Role: "user", Text: "And now?"}), false},
		"a question after the answer to one":    {history("Look.", "", "Try again.", "Done.", "And in Rome?"), false},
		"results beside words of encouragement": {append(given(simulate.Result{Text: "20"}), simulate.Message{Role: "user", Text: "Thanks."}), false},
	} {
		if got := (simulate.Seen{History: c.history}).IsCorrection(); got != c.want {
			t.Errorf("%s: got %v", what, got)
		}
	}
}
