package reliable

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/modes"
	"github.com/callwright/callwright/transform"
)

// count counts the first answer that came on a candidate, or the error in its place, for the mode of the candidate.
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

// writeCounts writes the counts of a model that are due. A store that fails costs knowledge, not the answer.
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

// modeNote says why a candidate is the first of its model.
func modeNote(g *candidate) callwright.Note {
	return callwright.Note{Rule: "plan.mode", Stage: callwright.StagePlan, Now: string(g.Mode), Why: g.leads}
}
