package dialect_test

import (
	"testing"

	"github.com/callwright/callwright/dialect"
)

// book has two required parameters, of which the second comes after an optional one.
var book = []dialect.Tool{{Name: "book", Params: []dialect.Param{
	{Name: "from", Types: []string{"string"}, Required: true}, {Name: "seats", Types: []string{"integer"}},
	{Name: "to", Types: []string{"string"}, Required: true}, {Name: "class", Types: []string{"string"}},
}}}

// A call that is cut between two arguments is given with those that were closed, when all that are required are among
// them; else it is reported as truncated. So it is in every format with a tag a parameter.
func TestCutBetweenArguments(t *testing.T) {
	args := []byte(`{"from": "Bonn", "seats": 2, "to": "Ulm", "class": "first"}`)
	texts := map[string]string{"blocks": "<|tool_call>call:book:\nBEGIN_ARG:\nBonn\nEND_ARG\nBEGIN_ARG:\n2\nEND_ARG\nBEGIN_ARG:\nUlm\nEND_ARG\nBEGIN_ARG:\nfirst\nEND_ARG\n<tool_call|>"}
	for _, f := range dialect.Formats() {
		texts[f.Name] = f.RenderCalls([]dialect.RenderedCall{{Name: "book", Arguments: args}})
	}
	tagged := 0
	for name, text := range texts {
		o := dialect.Options{Tools: book, Hint: name}
		if c := onlyCall(scan(o, text)); c == nil || len(c.Args) != 4 || c.Args[0].Kind != dialect.Literal {
			continue // its arguments are one value, a list in Python's way, or not rendered
		}
		tagged++
		given, refused := 0, 0
		for cut := range len(text) {
			for _, it := range scan(o, text[:cut]) {
				switch {
				case it.Kind == dialect.CallFound && !closed(it.Call):
					t.Errorf("%s: %q gives %v", name, text[:cut], it.Call.Args)
				case it.Kind == dialect.CallFound && len(it.Call.Args) == 3:
					given++
				case it.Kind == dialect.CallRejected && it.Why == dialect.Truncated:
					refused++
				}
			}
		}
		if given == 0 || refused == 0 {
			t.Errorf("%s: cut between its arguments, the call is given %d times and refused %d times", name, given, refused)
		}
	}
	if tagged < 20 {
		t.Errorf("%d formats have a tag a parameter", tagged)
	}
}

// onlyCall is the call among items, or nil when there is not exactly one.
func onlyCall(items []dialect.Item) *dialect.Call {
	var found *dialect.Call
	for _, it := range items {
		if it.Kind != dialect.CallFound {
			continue
		}
		if found != nil {
			return nil
		}
		found = it.Call
	}
	return found
}

// closed reports whether a call has the required arguments of book, and nothing but whole values.
func closed(c *dialect.Call) bool {
	whole := map[string]string{"from": "Bonn", "seats": "2", "to": "Ulm", "class": "first"}
	given := map[string]bool{}
	for _, a := range c.Args {
		if a.Text != whole[a.Key] {
			return false
		}
		given[a.Key] = true
	}
	return given["from"] && given["to"]
}
