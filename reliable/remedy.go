package reliable

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/reliable/internal/correction"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/remedy"
)

// remedies has the state of the remedies on one candidate. A remedy is a change of a self-correction request besides
// its wording, such as a lower temperature.
type remedies struct {
	base    *candidate // the candidate without remedies
	tried   []string   // names of remedies tried so far
	failure remedy.Failure
	made    []remedy.Applied
	plain   *callwright.Request // latest correction request without remedies, nil if it had none
	wrong   string              // invalid calls of the previous response
	// earlier is the request with previous corrections, if the latest request omitted the failed response. The next
	// correction continues from it. Otherwise it is nil.
	earlier *callwright.Request
}

// correct returns the self-correction request that follows an attempt, and the candidate to send it to. This candidate
// is that of the attempt, changed by remedies. rule is the rule of the correction.
func (r *run) correct(at *attempt, rule string, with *remedies, req *callwright.Request) (*callwright.Request, *candidate, error) {
	out := &at.answer.Outcome
	setup := &at.answer.Setup
	if with.earlier != nil {
		req, with.earlier = with.earlier, nil
	}
	change := r.planRemedies(at, rule, with)
	c := correction.Correction{Toolset: setup.Toolset, Mint: mintOr(r.o.mint), Mode: at.candidate.Mode, Next: change.To.Mode,
		Rule:         rule,
		FormInPrompt: setup.Form != nil && setup.Form.InPrompt, Marked: change.Marked}
	next, err := c.Request(req, out)
	if err != nil {
		return nil, nil, err
	}
	if with.plain = nil; !remedy.IsWordsOnly(with.made) {
		with.plain = next
	}
	if change.Afresh {
		with.earlier, next = req, r.req
	}
	p := change.Params
	if rule == correction.RuleWrongForm { // this rule handles invalid calls itself
		p.Choice, p.Parallel = next.Params.Choice, next.Params.Parallel
	}
	next = withParams(next, &p)
	g := with.base
	if to := &change.To; to.Mode != g.Mode || to.Constrain != g.Constrain || to.Strict != g.Strict {
		g = new(*with.base)
		g.Receiver = change.To
	}
	return next, g, nil
}

// withParams returns a copy of req with the parameters p.
func withParams(req *callwright.Request, p *callwright.Params) *callwright.Request {
	next := *req
	next.Params = *p
	return &next
}

// planRemedies selects the remedies for a response and notes them.
func (r *run) planRemedies(at *attempt, rule string, with *remedies) remedy.Change {
	out, base := &at.answer.Outcome, with.base
	change := remedy.Change{Params: r.req.Params, To: base.Receiver}
	wrong := wrongOf(out)
	p := r.planner()
	c := remedy.Case{
		Failure: remedy.FailureOf(rule, out), Out: out, Params: &r.req.Params, To: &base.Receiver, Tool: failedTool(at),
		CanShowError: correction.HasExcerpt(out.Invalid),
		Repeated:     wrong != "" && wrong == with.wrong, TextSent: r.delivery.streams() && (r.delivery.text || out.Delivered.Text),
		Modes: p.modes(base.Caps, ""), Asked: r.corrections,
		NothingSent: !r.delivery.text && !r.delivery.shown && len(r.delivery.good)+len(out.Good)+len(out.Delivered.Searches) == 0 &&
			r.searches == 0 && r.pauses == 0 &&
			!(r.delivery.streams() && out.Delivered.Text),
	}
	with.failure, with.wrong = c.Failure, wrong
	known := r.o.places[base.place].remedies.CurrentTable(base.Caps.Counted.RemedySuccess, r.o.now())
	with.made = remedy.Plan(&c, &change, &known, with.tried, r.o.ledger().May)
	for _, a := range with.made {
		if a.Fresh {
			with.tried = append(with.tried, a.Name)
		}
		n := callwright.Note{Rule: a.Rule, Stage: callwright.StageCorrect, Now: a.Now}
		if row := known.Row(string(c.Failure), a.Name); row.Corrections() > 0 {
			n.Why = row.String()
		}
		r.note(n)
	}
	return change
}

// failedTool returns the declared name of the only tool with invalid calls in the response. It returns "" if there is
// none or more than one, or if a call rule rejected a call. Calls in text beside native calls do not count.
func failedTool(at *attempt) (name string) {
	for i := range at.answer.Outcome.Invalid {
		call := &at.answer.Outcome.Invalid[i]
		if call.Why == callwright.InvalidBesideNative {
			continue
		}
		tg, _, ok := at.answer.Setup.Toolset.ResolveTool(call.Name)
		if !ok || name != "" && name != tg.Tool.Name || call.Why == callcheck.InvalidRefused {
			return ""
		}
		name = tg.Tool.Name
	}
	return name
}

// wrongOf returns the invalid calls of a response as text, for comparison.
func wrongOf(out *inbound.Outcome) (text string) {
	for i := range out.Invalid {
		text += out.Invalid[i].Name + " " + out.Invalid[i].Raw + "\n"
	}
	return text
}

// settle counts whether the remedies of the latest correction helped: they did if the response needs no further
// correction. Pauses and tool searches are not counted.
func (r *run) settle(with *remedies, rule string) {
	if rule != correction.RulePaused && rule != correction.RuleSearched {
		r.countRemedies(with, rule == "")
	}
}

func (r *run) countRemedies(with *remedies, helped bool) {
	if with.failure == "" || !slices.ContainsFunc(with.made, func(a remedy.Applied) bool { return a.Fresh }) {
		return
	}
	r.o.places[with.base.place].remedies.Count(with.failure, with.made, helped, r.o.now())
	r.remedied, with.failure = with.base, ""
}

// withoutRemedies returns the latest correction request without its remedies, after a provider rejected it with
// remedies. It counts the remedies as failed. ok is false if there were none, if the client has received content of a
// response, or if the error is not a rejection.
func (r *run) withoutRemedies(with *remedies, e *callwright.Error) (req *callwright.Request, ok bool) {
	req = with.plain
	if req == nil || r.delivery.shown || !refusesRequest(e) {
		return nil, false
	}
	r.countRemedies(with, false)
	r.note(callwright.Note{Rule: "remedy.refused", Stage: callwright.StageCorrect, Why: callwright.Excerpt(e.Message)})
	with.plain, with.made, with.earlier = nil, nil, nil // the request already has earlier corrections
	return req, true
}

// refusesRequest reports whether e refuses the contents of a request. The request may then succeed without remedies.
func refusesRequest(e *callwright.Error) bool {
	switch e.Kind {
	case callwright.KindInvalid, callwright.KindUnsupported, callwright.KindSchema:
		return true
	}
	return false
}

// writeRemedies stores the remedy statistics of a model if they are due. It ignores errors of the store.
func (r *run) writeRemedies() {
	g := r.remedied
	if g == nil {
		return
	}
	p := r.planner()
	if f, ok := r.o.places[g.place].remedies.Write(p.learnedFacts(g.ID), r.o.now()); ok {
		_ = r.o.capsStore.Learn(r.ctx, string(g.ID), f)
	}
}
