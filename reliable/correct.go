package reliable

import (
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/correction"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// The bounds of how often a paused answer is continued, and one in which the model searched for tools.
const maxPauses, maxSearches = 10, 10

// correctionRule is the rule by which the model has to be asked again, "" when the answer stands.
func (r *run) correctionRule(out *inbound.Outcome) string {
	if r.o.changesNothing() {
		return ""
	}
	return correction.Rule(out, correction.Before{
		Calls: len(r.delivery.good), Text: r.delivery.text, Pauses: r.pauses, MayContinue: r.pauses < maxPauses &&
			r.ctx.Err() == nil, Forced: r.req.Params.Choice.IsForced(),
	})
}

// handleSwallowed reports whether the server's own parser took a call of the model and gave nothing: it would do so
// again, and another mode does without that parser. Those in which the answer has to be a document are left out: they
// make a model that called an undeclared tool call a declared one.
func (r *run) handleSwallowed(g *candidate, out *inbound.Outcome) bool {
	if g.Mode != caps.Native || len(r.tools.ByName) == 0 || !out.IsSwallowed() {
		return false
	}
	r.candidates = slices.DeleteFunc(slices.Clone(r.candidates), func(next candidate) bool { return next.place == g.place && next.Mode.InDocument() })
	if len(r.candidates) == 0 {
		return false
	}
	r.note(callwright.Note{Rule: "correct.swallowed", Stage: callwright.StageCorrect, Was: "tokens: " + strconv.Itoa(out.Usage.Output)})
	return true
}

// resumePaused returns the request that continues a paused answer: the same with the answer so far after it, unchanged.
// Other APIs than Anthropic's have no pauses, so that their clients cannot continue it.
func (r *run) resumePaused(req *callwright.Request, at *attempt) (*callwright.Request, error) {
	msgs, err := req.History()
	if err != nil {
		return nil, err
	}
	out := &at.answer.Outcome
	r.pauses++
	at.answer.ReleaseWithoutEnd()
	r.changed = true
	r.delivery.continueWith(out)
	r.note(callwright.Note{Rule: correction.RulePaused, Stage: callwright.StageCorrect})
	next := *req
	next.Messages = append(slices.Clone(msgs), out.Collected.Response().Message())
	return &next, nil
}

// afterSearch returns the request that continues after a search for tools: the client's, and the shown part of the
// answer, just as the client will send it back. A choice of the search itself is met.
func (r *run) afterSearch(at *attempt) (*callwright.Request, error) {
	msgs, err := r.req.History()
	if err != nil {
		return nil, err
	}
	if r.searches > 0 {
		msgs = msgs[:len(msgs)-1] // the answer up to the last search
	}
	r.searches++
	at.answer.ReleaseOpen()
	r.changed = true
	r.delivery.continueWith(&at.answer.Outcome)
	next := *r.req
	next.Messages = append(slices.Clone(msgs), r.delivery.turn())
	if c := next.Params.Choice; c.Mode == callwright.ChoiceNamed && r.tools.Search.Has(c.Names[0]) {
		next.Params.Choice = callwright.Choice{}
	}
	r.req = &next
	return r.req, nil
}
