package judge

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/control"
)

// controlRule is the rule for the removal of control characters from strings. They are valid in JSON, so the rule is
// heuristic.
const controlRule = "string.control"

// clean removes control characters from the strings of a document and notes each change, if the rule is enabled.
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
