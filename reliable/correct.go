package reliable

import (
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/correction"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// maxPauses bounds how often a paused answer is continued.
const maxPauses = 10

// correctionRule is the rule by which the model has to be asked again, "" when the answer stands.
func (r *run) correctionRule(out *inbound.Outcome) string {
	good := len(r.delivery.good)
	switch {
	case r.o.changesNothing():
		return ""
	case out.End.Finish == callwright.FinishPause && out.Collected != nil && r.pauses < maxPauses && r.ctx.Err() == nil:
		return correction.RulePaused
	case out.End.Finish == callwright.FinishContentFilter:
		return ""
	case out.Correctable(), r.req.Params.Choice.Forced() && len(out.Good)+good == 0:
		return correction.RuleInvalid
	case len(out.Good)+out.Repeated > 0:
		return ""
	case out.ScratchpadOnly, out.MoreWork != nil && *out.MoreWork:
		return correction.RuleMoreWork
	case out.Empty() && good+r.pauses == 0 && !r.delivery.text:
		return correction.RuleEmpty
	case out.End.Finish == callwright.FinishMalformedCall && good == 0:
		return correction.RuleInvalid
	case out.WrongForm:
		return correction.RuleWrongForm
	}
	return ""
}

// swallowed reports whether the server's own parser took a call of the model and gave nothing: it would do so again, and another mode
// does without that parser. Those in which the answer has to be a document are left out: they make a model that called an undeclared
// tool call a declared one.
func (r *run) swallowed(g rung, out *inbound.Outcome) bool {
	if g.Mode != caps.Native || len(r.tools.ByName) == 0 || !out.Swallowed() {
		return false
	}
	r.rungs = slices.DeleteFunc(r.rungs, func(next rung) bool { return next.place == g.place && inDocument(next.Mode) })
	if len(r.rungs) == 0 {
		return false
	}
	r.note(callwright.Note{Rule: "correct.swallowed", Stage: callwright.StageCorrect, Was: "tokens: " + strconv.Itoa(out.Usage.Output)})
	return true
}

// continuation is the request that continues a paused answer: the same with the answer so far after it, unchanged. Clients of
// other wires do not know pauses.
func (r *run) continuation(req *callwright.Request, at attempt) (*callwright.Request, error) {
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
