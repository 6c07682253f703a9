package judge

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/adapter"
)

// An Undo has the translations of the tools whose arguments do not come as their own schemas have them, by the tools' names.
type Undo map[string]*adapter.Translation

// Touches reports whether the arguments of a tool may have to be undone.
func (u Undo) Touches(tool string) bool { return u[tool] != nil }

// Arguments returns arguments of a tool as its own schema has them: args itself where nothing is to be done.
func (u Undo) Arguments(tool string, args []byte) []byte {
	if t := u[tool]; t != nil {
		return t.Undo(args)
	}
	return args
}

// undone brings arguments back to the form of the client's own schema.
func (j *Judge) undone(args []byte, tool string) []byte {
	out := j.Undo.Arguments(tool, args)
	if !bytes.Equal(out, args) {
		j.Ledger.Add(callwright.Note{Rule: "schema.undone", Stage: callwright.StageValidate, Call: tool, Was: string(args), Now: string(out)})
	}
	return out
}

// A Sent translates an answer from the form in which tools and documents were sent back to the declared form: names, arguments, document.
type Sent struct {
	Naming   *Naming                      // nil where tools were sent under their own names
	Undo     Undo                         // for arguments, nil where they come as declared
	Document func(document []byte) []byte // of a mode, in the form in which it is read; nil where it comes so
}
