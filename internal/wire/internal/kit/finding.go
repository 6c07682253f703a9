package kit

import (
	"slices"

	"github.com/callwright/callwright"
)

// A Finding is a defect of a provider's response: it deviates from the documentation of its API. Rule is the id of the
// rule for the note, which determines fault and risk. Why is the reason in the note.
type Finding struct{ Rule, Why string }

func (f Finding) note() callwright.Note {
	return callwright.Note{Rule: f.Rule, Stage: callwright.StageNormalise, Why: f.Why}.Classify()
}

// FoundBroken is the finding for a tool call that is dropped because the provider reported that it could not parse the
// model's output.
var FoundBroken = Finding{Rule: "wire.broken_call", Why: "the provider says that it could not parse the call of its model"}

// Findings is the set of findings of one response. A response with findings is encoded anew for clients, not forwarded.
// The zero Findings is ready for use.
type Findings struct {
	list     []Finding
	reported int // number of findings that TakeNotes has returned
}

// Add adds a defect of the response unless it is in f already.
func (f *Findings) Add(found Finding) {
	if !slices.Contains(f.list, found) {
		f.list = append(f.list, found)
	}
}

// HasUnreported reports whether there is a finding that TakeNotes has not returned.
func (f *Findings) HasUnreported() bool { return f.reported < len(f.list) }

// TakeNotes returns a note for each finding that an earlier call has not returned.
func (f *Findings) TakeNotes() []callwright.Note {
	var notes []callwright.Note
	for ; f.reported < len(f.list); f.reported++ {
		notes = append(notes, f.list[f.reported].note())
	}
	return notes
}

// Report sets the report of resp to notes on the findings, and removes its raw bytes. It does nothing if there are no
// findings.
func (f *Findings) Report(resp *callwright.Response) {
	if len(f.list) == 0 {
		return
	}
	resp.Raw, resp.Report = nil, &callwright.Report{}
	for _, found := range f.list {
		resp.Report.Notes = append(resp.Report.Notes, found.note())
	}
}
