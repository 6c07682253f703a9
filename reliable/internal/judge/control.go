package judge

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/control"
)

// controlRule is the rule that removes control characters from the strings of arguments. They are valid there, so the
// rule is heuristic.
const controlRule = "string.control"

// clean removes control characters from the text values of a document. Each string that changes is a note with its
// path.
func (j *Judge) clean(doc []byte, tool string) []byte {
	if !control.Has(doc) || !j.Ledger.May(controlRule) {
		return doc
	}
	out, changes := control.Clean(doc)
	for _, c := range changes {
		j.Ledger.Add(callwright.Note{Rule: controlRule, Stage: callwright.StageValidate, Call: tool, Path: c.Path, Was: c.Was, Now: c.Now})
	}
	return out
}
