package kit

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/notes"
)

// Notes collects the notes on changes that an encoder made to one request or response. The zero Notes is ready for use.
type Notes []callwright.Note

// Add appends n as a note of the encode stage, with the risk and fault of its rule and bounded copies of its excerpts.
// A duplicate, or a note beyond the limit, only increases a count.
func (l *Notes) Add(n callwright.Note) {
	n.Stage = callwright.StageEncode
	*l = notes.Fold(*l, n.Classify())
}

// ChoiceWithoutTools adds a note if c requires a tool call although the request has no tools.
func (l *Notes) ChoiceWithoutTools(c callwright.Choice) {
	if c.IsForced() {
		l.Add(callwright.Note{Rule: "params.tool_choice", Path: "/tool_choice", Was: string(c.Mode), Why: "there are no tools to choose from"})
	}
}
