package kit

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/notes"
)

// Notes are the notes of one encoding. The zero Notes is ready for use.
type Notes []callwright.Note

// Add adds a note of the stage of encoding, graded by the row of its rule, with bounded copies of its quotations. A
// duplicate, or a note without room, is only counted.
func (l *Notes) Add(n callwright.Note) {
	n.Stage = callwright.StageEncode
	*l = notes.Fold(*l, n.Classify())
}

// ChoiceWithoutTools notes a choice that asks for calls where no tool is left to be called.
func (l *Notes) ChoiceWithoutTools(c callwright.Choice) {
	if c.IsForced() {
		l.Add(callwright.Note{Rule: "params.tool_choice", Path: "/tool_choice", Was: string(c.Mode), Why: "there are no tools to choose from"})
	}
}
