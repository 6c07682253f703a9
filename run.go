package callwright

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/callwright/callwright/caps"
)

// A run is the way of one request through a Client.
type run struct {
	c    *Client
	o    *options
	ctx  context.Context
	req  *Request
	s    *surface
	seen map[string]bool // ids of calls in the history

	// source asks a model and feeds the answer.
	source    func(m Model, req *Request, a *answer) error
	yield     func(Event) bool // of a stream
	collected *collector       // of a whole answer
	keeper    *keeper          // nil where nothing is kept

	report      Report
	corrections int
	pauses      int    // how often the answer was gone on with
	good        []Call // handed on by earlier attempts of this run
	begun       bool   // the client has seen the beginning of an answer
	visible     bool   // the client has seen some of an answer's content
	spoke       bool   // the client has seen text
	touched     bool
	moreWork    *bool
	plain       string // the best text so far, for when all is spent
}

// start checks a request and plans its surface.
func (c *Client) start(ctx context.Context, req *Request) (*run, error) {
	r := &run{c: c, o: c.o, ctx: ctx, req: req}
	if c.o.keeps(req) {
		r.keeper = &keeper{r: r}
	}
	r.report = Report{ID: req.ReportID, Model: req.Model}
	if r.report.ID == "" {
		r.report.ID = c.o.newID("rep_")
	}
	if r.report.Model == "" {
		r.report.Model = c.ID()
	}
	s, err := c.o.surfaces.of(req)
	if err != nil {
		return nil, r.failed(err)
	}
	r.s = s
	if err := r.choosable(); err != nil {
		return nil, r.failed(err)
	}
	r.report.Fingerprint = fingerprint(req, s, c.o)
	r.report.Notes = append(r.report.Notes, s.notes...)
	return r, nil
}

// choosable refuses a choice that no answer can satisfy. The policies that change nothing leave that to the provider.
func (r *run) choosable() error {
	choice := r.req.Params.Choice
	if !choice.Forced() || r.o.policy == Off || r.o.policy == Observe {
		return nil
	}
	if len(r.s.tools) == 0 {
		return errorf("choice", KindInvalid, "/tool_choice", "a call is required and no tools are declared")
	}
	for _, name := range choice.Names {
		if !slices.ContainsFunc(r.s.tools, func(t Tool) bool { return t.Name == name }) {
			return errorf("choice", KindInvalid, "/tool_choice", "a call of %q is required, which is not declared", Excerpt(name))
		}
	}
	return nil
}

// A rung is one step of the ladder: a model in a mode.
type rung struct {
	model   Model
	id      ModelID
	caps    caps.Caps
	more    bool // caps hold more than the model says of itself
	mode    caps.Mode
	dialect string
	why     string
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
		switch KindOf(err) {
		case KindUnsupported, KindInvalidCall, KindNoCall, KindRefusedCall, KindBadAnswer:
			continue
		case KindInvalid, KindSchema, KindCanceled, KindContentFilter, KindTouched:
			return last
		}
		for i+1 < len(rungs) && rungs[i+1].id == g.id { // another mode does not mend what the model's provider lacks
			i++
		}
	}
	if KindOf(last) == KindInvalidCall && r.plain != "" && !r.req.Params.Choice.Forced() {
		return r.speak()
	}
	return last
}

func (r *run) noteRung(g rung) {
	rule := "plan.other_mode"
	if g.why == whyFallback {
		rule = "plan.fallback"
	}
	r.report.Notes = append(r.report.Notes, Note{Rule: rule, Stage: StagePlan, Now: string(g.id) + " " + string(g.mode)})
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
		if a.q.stopped {
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
		r.report.Notes = append(r.report.Notes, Note{Rule: ask, Stage: StageCorrect, Risk: Implied, Was: joinRaw(a.invalid)})
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
func (r *run) needs(a *answer) string {
	switch {
	case r.o.policy == Off || r.o.policy == Observe:
		return ""
	case a.end.Finish == FinishPause && a.whole != nil && r.pauses < maxPauses && r.ctx.Err() == nil:
		return goOn
	case a.end.Finish == FinishContentFilter:
		return ""
	case correctable(a.invalid), r.req.Params.Choice.Forced() && len(a.good)+len(r.good) == 0:
		return askAgain
	case len(a.good) > 0:
		return ""
	case a.scratch, a.moreWork != nil && *a.moreWork:
		return askMore
	case a.hollow() && len(r.good)+r.pauses == 0 && !r.spoke:
		return askEmpty
	case a.end.Finish == FinishMalformedCall && len(r.good) == 0:
		return askAgain
	case a.misfit:
		return askForm
	}
	return ""
}

// goneOn is the request that goes on with an answer which the provider broke off for a while: the same with the answer so
// far behind it, unchanged. Clients of other wires do not know pauses.
func (r *run) goneOn(req *Request, a *answer) (*Request, error) {
	msgs, err := req.History()
	if err != nil {
		return nil, err
	}
	r.pauses++
	a.handOver()
	r.touched, r.begun, r.good = true, true, append(r.good, a.good...)
	r.visible = r.visible || r.yield != nil && a.q.visible
	r.report.Notes = append(r.report.Notes, Note{Rule: goOn, Stage: StageCorrect})
	next := *req
	next.Messages = append(slices.Clone(msgs), Message{Role: Assistant, Parts: a.whole.response().Parts})
	return &next, nil
}

// correctable tells whether any of the calls is worth asking for again: not those that native calls made needless.
func correctable(invalid []InvalidCall) bool {
	return slices.ContainsFunc(invalid, func(c InvalidCall) bool {
		return len(c.Violations) == 0 || c.Violations[0].Keyword != "beside_native"
	})
}

// keep takes over what an attempt that is not the last has handed on, its good calls among it.
func (r *run) keep(a *answer) {
	if len(a.good) > 0 {
		a.handOver()
	}
	r.good = append(r.good, a.good...)
	if t := a.visible.String(); t != "" {
		r.plain = t
	}
	if r.yield == nil {
		r.collected.callsOnly()
		r.begun = len(r.good) > 0
		return
	}
	r.visible = r.visible || a.q.visible
	r.spoke = r.spoke || a.q.spoke
}

// complete hands on the end of an answer that stands.
func (r *run) complete(g rung, a *answer) error {
	a.good = append(r.good, a.good...)
	if a.direct == nil {
		a.finish()
		r.touched = r.touched || a.q.touched || r.req.Body != nil && a.framed != r.req.Body.Wire()
	}
	r.moreWork = a.moreWork
	if a.moreWork != nil && len(a.good) > 0 {
		yes := true
		r.moreWork = &yes
	}
	r.report.Mode = g.mode
	r.report.Notes = append(r.report.Notes, a.l.notes[a.noted:]...)
	a.noted = len(a.l.notes)
	r.learn(g, a)
	if r.o.policy == Strict && (r.touched || a.l.changed > 0) {
		return r.strict(a)
	}
	return nil
}

// spent decides about an answer that needs more than may still be asked.
func (r *run) spent(g rung, a *answer, ask string) error {
	forced := r.req.Params.Choice.Forced()
	switch {
	case len(r.good)+len(a.good) > 0, ask == askMore, ask == askForm, ask == askEmpty && a.reasoning.Len() > 0,
		!forced && r.told(a), !forced && a.end.Finish == FinishLength && allCut(a.invalid):
		return r.complete(g, a)
	}
	r.keep(a)
	if ask == askEmpty {
		return errorf("judge", KindBadAnswer, "", "the model gave an empty answer: neither text nor a call")
	}
	if forced && len(a.invalid) == 0 {
		return errorf("judge", KindNoCall, "", "a call was required and the model made none")
	}
	what := "the model's calls are not valid"
	if len(a.invalid) > 0 && len(a.invalid[0].Violations) > 0 {
		what += ": " + a.invalid[0].Name + ": " + a.invalid[0].Violations[0].Message
	}
	return errorf("judge", KindInvalidCall, "", "%s", what)
}

// told tells whether the client of a stream has seen text, of this or an earlier attempt.
func (r *run) told(a *answer) bool { return r.yield != nil && (r.spoke || a.q.spoke) }

// allCut tells whether the answer's end came inside each of the calls: there is an honest answer without them.
func allCut(invalid []InvalidCall) bool {
	return len(invalid) > 0 && !slices.ContainsFunc(invalid, func(c InvalidCall) bool {
		return len(c.Violations) == 0 || c.Violations[0].Keyword != "truncated"
	})
}

// speak gives the text that is left when no call could be made valid.
func (r *run) speak() error {
	r.touched = true
	r.report.Notes = append(r.report.Notes, Note{Rule: "plain_text", Stage: StageCorrect, Risk: Implied})
	events := []Event{TextDelta{Text: r.plain}, End{Finish: FinishStop}}
	if !r.begun {
		events = append([]Event{Begin{}}, events...)
	}
	for _, ev := range events {
		if !r.hand(ev) {
			return nil
		}
	}
	return nil
}

func (r *run) strict(a *answer) error {
	e := errorf("policy", KindTouched, "", "policy strict: the answer needed changes")
	for _, n := range a.l.notes {
		if n.Risk != "" {
			e.Message = "policy strict: " + n.Rule + " would have changed the answer"
			break
		}
	}
	return e
}

// hand gives one event to the client.
func (r *run) hand(ev Event) bool {
	r.keeper.see(ev)
	if _, ok := ev.(Begin); ok {
		r.begun = true
	}
	if r.yield != nil {
		return r.yield(ev)
	}
	r.collected.add(ev)
	return true
}

// done completes the report. What it returns keeps nothing of the run alive.
func (r *run) done() *Report {
	r.report.Untouched = !r.touched && !slices.ContainsFunc(r.report.Notes, func(n Note) bool { return n.Risk != "" && !n.Observed })
	r.report.Confidence = confidence(&r.report)
	rep := r.report
	if rep.Notes == nil {
		rep.Notes = []Note{}
	}
	rep.Model = ModelID(strings.Clone(string(rep.Model)))
	return &rep
}

// confidence falls with every change that was more than a matter of form.
func confidence(rep *Report) float64 {
	c := 1.0
	if rep.Mode != caps.Native && rep.Mode != "" {
		c = 0.95
	}
	for _, n := range rep.Notes {
		switch n.Risk {
		case Implied:
			c *= 0.97
		case Heuristic:
			c *= 0.8
		}
	}
	return max(c, 0.1)
}

// failed gives an error its report.
func (r *run) failed(err error) *Error {
	e := *asError(err)
	e.Report = r.done()
	if e.Model == "" {
		e.Model = r.report.Model
	}
	return &e
}

func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	switch {
	case errors.Is(err, context.Canceled):
		return &Error{Kind: KindCanceled, Err: err}
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Kind: KindTimeout, Err: err}
	}
	return &Error{Kind: KindInternal, Err: err}
}
