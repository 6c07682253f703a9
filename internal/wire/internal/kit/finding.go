package kit

import (
	"slices"

	"github.com/callwright/callwright"
)

// A Finding is a way in which an answer was not as its API describes it. Its fault and risk are those of its rule.
type Finding struct{ Rule, Why string }

func (f Finding) note() callwright.Note {
	return callwright.Note{Rule: f.Rule, Stage: callwright.StageNormalise, Why: f.Why}.Classify()
}

// FoundBroken is a call that is left out, as its provider says that it could not parse the model's text.
var FoundBroken = Finding{Rule: "wire.broken_call", Why: "the provider says that it could not parse the call of its model"}

// Findings are those of one answer, each once. An answer that has any is written anew for clients. The zero Findings is
// ready for use.
type Findings struct {
	list     []Finding
	reported int // of them, by TakeNotes
}

// Add adds a finding that is not among them yet.
func (f *Findings) Add(found Finding) {
	if !slices.Contains(f.list, found) {
		f.list = append(f.list, found)
	}
}

// HasUnreported reports whether there is a finding that TakeNotes has not returned.
func (f *Findings) HasUnreported() bool { return f.reported < len(f.list) }

// TakeNotes returns a note for each finding that it has not returned before.
func (f *Findings) TakeNotes() []callwright.Note {
	var notes []callwright.Note
	for ; f.reported < len(f.list); f.reported++ {
		notes = append(notes, f.list[f.reported].note())
	}
	return notes
}

// Report puts the findings into the report of a whole answer, which loses its raw bytes then. Without any it does
// nothing.
func (f *Findings) Report(resp *callwright.Response) {
	if len(f.list) == 0 {
		return
	}
	resp.Raw, resp.Report = nil, &callwright.Report{}
	for _, found := range f.list {
		resp.Report.Notes = append(resp.Report.Notes, found.note())
	}
}
