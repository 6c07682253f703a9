package reliable

import (
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/correction"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// maxPauses is the maximum number of continuations of a paused response. maxSearches is the maximum number of
// continuations after a tool search.
const maxPauses, maxSearches = 10, 10

// correctionRule returns the rule ID of the self-correction or continuation that a response needs, "" if the response
// is accepted.
func (r *run) correctionRule(out *inbound.Outcome) string {
	if r.o.changesNothing() {
		return ""
	}
	return correction.Rule(out, correction.Before{
		Calls: len(r.delivery.good), Text: r.delivery.text, Pauses: r.pauses, MayContinue: r.pauses < maxPauses &&
			r.ctx.Err() == nil, Forced: r.req.Params.Choice.IsForced(),
	})
}

// handleSwallowed reports whether the server's tool-call parser discarded the model's output, so that another mode must
// be tried. It removes the modes with a JSON document of this model from the candidates, because they force a call of a
// declared tool even if the model called an undeclared one. It returns false if no candidate remains.
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

// resumePaused returns the request that continues a paused response: req with the response so far appended unchanged.
// Only Anthropic's API has pauses, so clients of other APIs cannot continue the response themselves.
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

// afterSearch returns the request that continues after a tool search: the client's request with the delivered part of
// the response appended. A tool choice that forces the search counts as satisfied.
func (r *run) afterSearch(at *attempt) (*callwright.Request, error) {
	msgs, err := r.req.History()
	if err != nil {
		return nil, err
	}
	if r.searches > 0 {
		msgs = msgs[:len(msgs)-1] // removes the response up to the previous search
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
