package reliable

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/vault"
)

// A run is the way of one request through a Client.
type run struct {
	c    *Client
	o    *options
	ctx  context.Context
	req  *callwright.Request
	s    *judge.Toolset
	seen map[string]bool // ids of calls in the history

	// source asks a model and feeds the answer.
	ask       func(m callwright.Model, req *callwright.Request, a *inbound.Answer) error
	yield     func(callwright.Event) bool // of a stream
	collected *callwright.Collector       // of a whole answer
	keeper    *vault.Keeper               // nil where nothing is kept

	report      callwright.Report
	corrections int
	pauses      int               // how often the answer was gone on with
	good        []callwright.Call // handed on by earlier attempts of this run
	begun       bool              // the client has seen the beginning of an answer
	visible     bool              // the client has seen some of an answer's content
	spoke       bool              // the client has seen text
	touched     bool
	moreWork    *bool
	plain       string // the best text so far, for when all is spent
}

// start checks a request and plans its surface.
func (c *Client) start(ctx context.Context, req *callwright.Request) (*run, error) {
	r := &run{c: c, o: c.o, ctx: ctx, req: req}
	if c.o.keeps(req) {
		r.keeper = vault.NewKeeper(ctx, c.o.vault, req)
	}
	r.report = callwright.Report{ID: req.ReportID, Model: req.Model}
	if r.report.ID == "" {
		r.report.ID = c.o.newID("rep_")
	}
	if r.report.Model == "" {
		r.report.Model = c.ID()
	}
	s, err := c.o.surfaces.Of(req)
	if err != nil {
		return nil, r.failed(err)
	}
	r.s = s
	if err := r.choosable(); err != nil {
		return nil, r.failed(err)
	}
	r.report.Fingerprint = fingerprint(req, s, c.o)
	r.report.Notes = append(r.report.Notes, s.Notes...)
	return r, nil
}

// choosable refuses a choice that no answer can satisfy. The policies that change nothing leave that to the provider.
func (r *run) choosable() error {
	choice := r.req.Params.Choice
	if !choice.Forced() || r.o.policy == callwright.PolicyOff || r.o.policy == callwright.PolicyObserve {
		return nil
	}
	if len(r.s.Tools) == 0 {
		return callwright.Errorf("choice", callwright.KindInvalid, "/tool_choice", "a call is required and no tools are declared")
	}
	for _, name := range choice.Names {
		if !slices.ContainsFunc(r.s.Tools, func(t callwright.Tool) bool { return t.Name == name }) {
			return callwright.Errorf("choice", callwright.KindInvalid, "/tool_choice", "a call of %q is required, which is not declared", callwright.Excerpt(name))
		}
	}
	return nil
}

// A rung is one step of the ladder: a model in a mode, and why it is tried.
type rung struct {
	outbound.Receiver
	model callwright.Model
	why   string
}

// shaper makes requests of the run fit for a rung.
func (r *run) shaper(g rung, l *judge.Ledger) *outbound.Shaper {
	f := &outbound.Shaper{Surface: r.s, Ledger: l, Mint: r.o.newID, StrictJSON: r.o.strictJSON}
	if r.o.keeps(r.req) && l.May(vault.RuleRestored) {
		f.Restore = func(out *callwright.Request, turns []callwright.Summary) error {
			notes, err := vault.Restore(r.ctx, r.o.vault, out, turns, g.ID, g.Caps.History)
			for _, n := range notes {
				l.Add(n)
			}
			return err
		}
	}
	return f
}

// climb tries the rungs in order until one answers.
func (r *run) climb() error {
	rungs := r.plan()
	var last error
	for i := 0; i < len(rungs); i++ {
		g := rungs[i]
		if i > 0 {
			r.noteRung(g)
		}
		err := r.try(g)
		if err == nil {
			return nil
		}
		last = err
		if r.visible || r.ctx.Err() != nil {
			break
		}
		switch callwright.KindOf(err) {
		case callwright.KindUnsupported, callwright.KindInvalidCall, callwright.KindNoCall, callwright.KindRefusedCall, callwright.KindBadAnswer:
			continue
		case callwright.KindInvalid, callwright.KindSchema, callwright.KindCanceled, callwright.KindContentFilter, callwright.KindTouched:
			return last
		}
		for i+1 < len(rungs) && rungs[i+1].ID == g.ID { // another mode does not mend what the model's provider lacks
			i++
		}
	}
	if callwright.KindOf(last) == callwright.KindInvalidCall && r.plain != "" && !r.req.Params.Choice.Forced() {
		return r.speak()
	}
	return last
}

func (r *run) noteRung(g rung) {
	rule := "plan.other_mode"
	if g.why == whyFallback {
		rule = "plan.fallback"
	}
	r.report.Notes = append(r.report.Notes, callwright.Note{Rule: rule, Stage: callwright.StagePlan, Now: string(g.ID) + " " + string(g.Mode)})
	r.touched = true
}

// try runs one rung: the first attempt, then corrections.
func (r *run) try(g rung) error {
	req, why, mended := r.req, g.why, false
	for {
		a, err := r.attempt(g, req, why)
		if err != nil {
			e := asError(err)
			if fixed, ok := r.adapt(&g, e); ok && !mended && !r.visible {
				mended, why = true, "without "+fixed
				continue
			}
			return e
		}
		if a.Stopped() {
			return nil
		}
		ask := r.needs(a)
		if ask == "" {
			return r.complete(g, a)
		}
		if ask == goOn {
			next, err := r.goneOn(req, a)
			if err != nil {
				return asError(err)
			}
			req, why = next, whyPause
			continue
		}
		if r.corrections >= r.o.maxCorrections || r.ctx.Err() != nil {
			return r.spent(g, a, ask)
		}
		r.corrections++
		r.touched = true
		r.report.Notes = append(r.report.Notes, callwright.Note{Rule: ask, Stage: callwright.StageCorrect, Risk: callwright.RiskImplied, Was: joinRaw(a.Invalid)})
		r.keep(a)
		next, err := r.correction(g, req, a, ask)
		if err != nil {
			return asError(err)
		}
		req, why = next, whyCorrection
	}
}

// The rules by which a model is asked again.
const (
	askAgain = "correct.asked"
	askMore  = "correct.more_work"
	askEmpty = "correct.empty"
	goOn     = "correct.paused"
	askForm  = "correct.format"
)

// maxPauses bounds how often a paused answer is gone on with.
const maxPauses = 10

// needs is the rule by which the model has to be asked again, "" when the answer stands.
func (r *run) needs(a *inbound.Answer) string {
	switch {
	case r.o.policy == callwright.PolicyOff || r.o.policy == callwright.PolicyObserve:
		return ""
	case a.End.Finish == callwright.FinishPause && a.Whole != nil && r.pauses < maxPauses && r.ctx.Err() == nil:
		return goOn
	case a.End.Finish == callwright.FinishContentFilter:
		return ""
	case correctable(a.Invalid), r.req.Params.Choice.Forced() && len(a.Good)+len(r.good) == 0:
		return askAgain
	case len(a.Good) > 0:
		return ""
	case a.Scratch, a.MoreWork != nil && *a.MoreWork:
		return askMore
	case a.Hollow() && len(r.good)+r.pauses == 0 && !r.spoke:
		return askEmpty
	case a.End.Finish == callwright.FinishMalformedCall && len(r.good) == 0:
		return askAgain
	case a.Misfit:
		return askForm
	}
	return ""
}

// goneOn is the request that goes on with an answer which the provider broke off for a while: the same with the answer so
// far behind it, unchanged. Clients of other wires do not know pauses.
func (r *run) goneOn(req *callwright.Request, a *inbound.Answer) (*callwright.Request, error) {
	msgs, err := req.History()
	if err != nil {
		return nil, err
	}
	r.pauses++
	a.HandOver()
	r.touched, r.begun, r.good = true, true, append(r.good, a.Good...)
	r.visible = r.visible || r.yield != nil && a.Shown()
	r.report.Notes = append(r.report.Notes, callwright.Note{Rule: goOn, Stage: callwright.StageCorrect})
	next := *req
	next.Messages = append(slices.Clone(msgs), callwright.Message{Role: callwright.RoleAssistant, Parts: a.Whole.Response().Parts})
	return &next, nil
}

// correctable reports whether any of the calls is worth asking for again: not those that native calls made needless.
func correctable(invalid []callwright.InvalidCall) bool {
	return slices.ContainsFunc(invalid, func(c callwright.InvalidCall) bool {
		return len(c.Violations) == 0 || c.Violations[0].Keyword != "beside_native"
	})
}

// keep takes over what an attempt that is not the last has handed on, its good calls among it.
func (r *run) keep(a *inbound.Answer) {
	if len(a.Good) > 0 {
		a.HandOver()
	}
	r.good = append(r.good, a.Good...)
	if t := a.Visible.String(); t != "" {
		r.plain = t
	}
	if r.yield == nil {
		r.collected = callsOnly(r.collected)
		r.begun = len(r.good) > 0
		return
	}
	r.visible = r.visible || a.Shown()
	r.spoke = r.spoke || a.Spoke()
}

// callsOnly has the calls of what was collected and nothing else: the answer is asked for again.
func callsOnly(was *callwright.Collector) *callwright.Collector {
	resp, out := was.Response(), &callwright.Collector{}
	out.Add(callwright.Begin{ID: resp.ID, Model: resp.Model})
	for _, c := range resp.Calls() {
		out.Add(callwright.CallEnd{Call: &c})
	}
	return out
}

// complete hands on the end of an answer that stands.
func (r *run) complete(g rung, a *inbound.Answer) error {
	a.Good = append(r.good, a.Good...)
	if !a.Direct {
		a.Finish()
		r.touched = r.touched || a.Touched() || r.req.Body != nil && a.Framed != r.req.Body.Wire()
	}
	r.moreWork = a.MoreWork
	if a.MoreWork != nil && len(a.Good) > 0 {
		yes := true
		r.moreWork = &yes
	}
	r.report.Mode = g.Mode
	r.report.Notes = append(r.report.Notes, a.Ledger.Notes[a.Noted:]...)
	a.Noted = len(a.Ledger.Notes)
	r.learn(g, a)
	if r.o.policy == callwright.PolicyStrict && (r.touched || a.Ledger.Changed > 0) {
		return r.strict(a)
	}
	return nil
}

// spent decides about an answer that needs more than may still be asked.
func (r *run) spent(g rung, a *inbound.Answer, ask string) error {
	forced := r.req.Params.Choice.Forced()
	switch {
	case len(r.good)+len(a.Good) > 0, ask == askMore, ask == askForm, ask == askEmpty && a.Reasoning.Len() > 0,
		!forced && r.clientSawText(a), !forced && a.End.Finish == callwright.FinishLength && allCut(a.Invalid):
		return r.complete(g, a)
	}
	r.keep(a)
	if ask == askEmpty {
		return callwright.Errorf("judge", callwright.KindBadAnswer, "", "the model gave an empty answer: neither text nor a call")
	}
	if forced && len(a.Invalid) == 0 {
		return callwright.Errorf("judge", callwright.KindNoCall, "", "a call was required and the model made none")
	}
	what := "the model's calls are not valid"
	if len(a.Invalid) > 0 && len(a.Invalid[0].Violations) > 0 {
		what += ": " + a.Invalid[0].Name + ": " + a.Invalid[0].Violations[0].Message
	}
	return callwright.Errorf("judge", callwright.KindInvalidCall, "", "%s", what)
}

// told reports whether the client of a stream has seen text, of this or an earlier attempt.
func (r *run) clientSawText(a *inbound.Answer) bool { return r.yield != nil && (r.spoke || a.Spoke()) }

// allCut reports whether the answer's end came inside each of the calls: there is an honest answer without them.
func allCut(invalid []callwright.InvalidCall) bool {
	return len(invalid) > 0 && !slices.ContainsFunc(invalid, func(c callwright.InvalidCall) bool {
		return len(c.Violations) == 0 || c.Violations[0].Keyword != "truncated"
	})
}

// speak gives the text that is left when no call could be made valid.
func (r *run) speak() error {
	r.touched = true
	r.report.Notes = append(r.report.Notes, callwright.Note{Rule: "plain_text", Stage: callwright.StageCorrect, Risk: callwright.RiskImplied})
	events := []callwright.Event{callwright.TextDelta{Text: r.plain}, callwright.End{Finish: callwright.FinishStop}}
	if !r.begun {
		events = append([]callwright.Event{callwright.Begin{}}, events...)
	}
	for _, ev := range events {
		if !r.hand(ev) {
			return nil
		}
	}
	return nil
}

func (r *run) strict(a *inbound.Answer) error {
	e := callwright.Errorf("policy", callwright.KindTouched, "", "policy strict: the answer needed changes")
	for _, n := range a.Ledger.Notes {
		if n.Risk != "" {
			e.Message = "policy strict: " + n.Rule + " would have changed the answer"
			break
		}
	}
	return e
}

// hand gives one event to the client.
func (r *run) hand(ev callwright.Event) bool {
	r.keeper.See(ev)
	if _, ok := ev.(callwright.Begin); ok {
		r.begun = true
	}
	if r.yield != nil {
		return r.yield(ev)
	}
	r.collected.Add(ev)
	return true
}

// done completes the report. What it returns keeps nothing of the run alive.
func (r *run) done() *callwright.Report {
	r.report.Untouched = !r.touched && !slices.ContainsFunc(r.report.Notes, func(n callwright.Note) bool { return n.Risk != "" && !n.Observed })
	r.report.Confidence = confidence(&r.report)
	rep := r.report
	if rep.Notes == nil {
		rep.Notes = []callwright.Note{}
	}
	rep.Model = callwright.ModelID(strings.Clone(string(rep.Model)))
	return &rep
}

// confidence falls with every change that was more than a matter of form.
func confidence(rep *callwright.Report) float64 {
	c := 1.0
	if rep.Mode != caps.Native && rep.Mode != "" {
		c = 0.95
	}
	for _, n := range rep.Notes {
		switch n.Risk {
		case callwright.RiskImplied:
			c *= 0.97
		case callwright.RiskHeuristic:
			c *= 0.8
		}
	}
	return max(c, 0.1)
}

// failed gives an error its report.
func (r *run) failed(err error) *callwright.Error {
	e := *asError(err)
	e.Report = r.done()
	if e.Model == "" {
		e.Model = r.report.Model
	}
	return &e
}

func asError(err error) *callwright.Error {
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		return e
	}
	switch {
	case errors.Is(err, context.Canceled):
		return &callwright.Error{Kind: callwright.KindCanceled, Err: err}
	case errors.Is(err, context.DeadlineExceeded):
		return &callwright.Error{Kind: callwright.KindTimeout, Err: err}
	}
	return &callwright.Error{Kind: callwright.KindInternal, Err: err}
}
