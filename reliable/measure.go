package reliable

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/modes"
	"github.com/callwright/callwright/transform"
)

// count counts the first response or error of a candidate in the statistics of its mode. rule is the rule of the
// self-correction that the response needs, "" for none.
func (r *run) count(at *attempt, rule string, err error) {
	g := at.candidate
	if g.counted || len(r.tools.ByName) == 0 || r.o.changesNothing() || g.Transforms.Has(transform.Responses, transform.ToolCalls) {
		return
	}
	g.counted = true
	a := modes.Answer{Mode: g.Mode, Out: &at.answer.Outcome, Rule: rule, Notes: at.ledger.Notes, Err: err}
	if n := len(r.report.Attempts); n > 0 {
		a.Took = r.report.Attempts[n-1].Duration
	}
	if r.o.places[g.place].tally.Count(&a, r.o.now()) {
		r.uncounted = g
	}
}

// writeCounts stores the mode statistics of the last counted model if they are due. It ignores errors of the store.
func (r *run) writeCounts() {
	g := r.uncounted
	if g == nil {
		return
	}
	p := r.planner()
	plan := p.modePlan(g.Caps)
	if f, ok := r.o.places[g.place].tally.Write(p.learnedFacts(g.ID), &plan, r.o.now()); ok {
		_ = r.o.capsStore.Learn(r.ctx, string(g.ID), f)
	}
}

// modeNote returns the note about why the candidate's mode is tried first.
func modeNote(g *candidate) callwright.Note {
	return callwright.Note{Rule: "plan.mode", Stage: callwright.StagePlan, Now: string(g.Mode), Why: g.firstModeReason}
}
