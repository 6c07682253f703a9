package kit

import (
	"slices"

	"github.com/callwright/callwright"
)

// A Finding is a way in which an answer was not as its API describes it. Its fault and risk are those of its rule.
type Finding struct{ Rule, Why string }

func (f Finding) note() callwright.Note {
	return callwright.Note{Rule: f.Rule, Stage: callwright.StageNormalise, Why: f.Why}.Graded()
}

// Findings are those of one answer, each once. An answer that has any is written anew for clients. The zero Findings is
// ready for use.
type Findings struct {
	list []Finding
	told int // of them, by Tell
}

// Add adds a finding that is not among them yet.
func (f *Findings) Add(found Finding) {
	if !slices.Contains(f.list, found) {
		f.list = append(f.list, found)
	}
}

// Untold reports whether there is a finding that Tell has not told.
func (f *Findings) Untold() bool { return f.told < len(f.list) }

// Tell appends a note for each finding that was not told before.
func (f *Findings) Tell(out []callwright.Event) []callwright.Event {
	for ; f.told < len(f.list); f.told++ {
		out = append(out, callwright.Noted{Note: f.list[f.told].note()})
	}
	return out
}

// Report puts the findings into the report of a whole answer, which loses its raw bytes then. Without any it does nothing.
func (f *Findings) Report(resp *callwright.Response) {
	if len(f.list) == 0 {
		return
	}
	resp.Raw, resp.Report = nil, &callwright.Report{}
	for _, found := range f.list {
		resp.Report.Notes = append(resp.Report.Notes, found.note())
	}
}
