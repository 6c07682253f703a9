package steps

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/dashboard/internal/inplace"
)

// mostParts is the maximum number of shown parts of a message.
const mostParts = 100

// Parts returns the parts of a message with the changes in notes marked.
func Parts(list []callwright.Part, notes []callwright.Note) []inplace.Text {
	var out []inplace.Text
	for _, part := range list[:min(len(list), mostParts)] {
		switch part := part.(type) {
		case callwright.Text:
			out = append(out, inplace.MarkChanges("text", part.Text, notes))
		case callwright.Reasoning:
			out = append(out, inplace.MarkChanges("reasoning", part.Text, notes))
		case callwright.Call:
			input := part.Input
			if part.Type != callwright.CustomTool {
				input = inplace.Pretty(part.Arguments)
			}
			out = append(out, inplace.MarkChanges("call "+part.Name+" "+part.ID, input, notes))
		case callwright.Result:
			for _, t := range Parts(part.Parts, notes) {
				t.Title = "result of " + part.CallID
				out = append(out, t)
			}
		default:
			out = append(out, inplace.Plain(strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", part), "callwright.")), ""))
		}
	}
	return out
}
