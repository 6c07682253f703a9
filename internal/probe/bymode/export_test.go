package bymode

import (
	"encoding/json"

	"github.com/callwright/callwright"
)

// Asked is a question for tests: its text, its tools, and a right answer.
type Asked struct {
	Text  string
	Tools []callwright.Tool
	Calls []callwright.Call
	Right func([]callwright.Call) bool
}

// AllQuestions are the questions in their order.
func AllQuestions() []Asked {
	var out []Asked
	for i := range questions {
		q := &questions[i]
		a := Asked{Text: q.text, Tools: q.tools, Right: q.right}
		for _, c := range q.calls {
			args := map[string]json.RawMessage{}
			for name, values := range c.args {
				if values[0] != `""` {
					args[name] = json.RawMessage(values[0])
				}
			}
			text, _ := json.Marshal(args)
			a.Calls = append(a.Calls, callwright.Call{Name: c.tool, Arguments: text})
		}
		out = append(out, a)
	}
	return out
}
