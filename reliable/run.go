package reliable

import (
	"context"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/vault"
)

// A run is the way of one request through a Client.
type run struct {
	c     *Client
	o     *options
	ctx   context.Context
	req   *callwright.Request
	tools *judge.Toolset

	ask    askFunc
	client delivery
	past   map[string]bool // ids of calls of the history and of earlier attempts, see idTaken

	report      callwright.Report
	altered     bool // the request or the answer was changed
	corrections int
	pauses      int // how often a paused answer was continued
	moreWork    *bool
	plain       string // the latest text of an attempt without valid calls, for when no rung is left
}

// start checks a request and compiles its tools.
func (c *Client) start(ctx context.Context, req *callwright.Request) (*run, error) {
	r := &run{c: c, o: c.o, ctx: ctx, req: req}
	if keepsState(c.o.vault, c.o.policy) {
		r.client.recorder = vault.NewRecorder(ctx, c.o.vault, req)
	}
	r.report = callwright.Report{ID: req.ReportID, Model: req.Model}
	if r.report.ID == "" {
		r.report.ID = c.o.newID("rep_")
	}
	if r.report.Model == "" {
		r.report.Model = c.ID()
	}
	tools, err := c.o.toolsets.Of(req)
	if err != nil {
		return nil, r.failed(err)
	}
	r.tools = tools
	if err := r.checkChoice(); err != nil {
		return nil, r.failed(err)
	}
	r.report.Fingerprint = fingerprint(req, tools, c.o)
	r.report.Notes = append(r.report.Notes, tools.Notes...)
	return r, nil
}

// checkChoice refuses a choice that no answer can satisfy. The policies that change nothing leave that to the provider.
func (r *run) checkChoice() error {
	choice := r.req.Params.Choice
	if !choice.Forced() || r.o.changesNothing() {
		return nil
	}
	if len(r.tools.Tools) == 0 {
		return callwright.Errorf("choice", callwright.KindInvalid, "/tool_choice", "a call is required and no tools are declared")
	}
	for _, name := range choice.Names {
		if !slices.ContainsFunc(r.tools.Tools, func(t callwright.Tool) bool { return t.Name == name }) {
			return callwright.Errorf("choice", callwright.KindInvalid, "/tool_choice", "a call of %q is required, which is not declared", callwright.Excerpt(name))
		}
	}
	return nil
}

// climb tries the rungs in order until one answers.
func (r *run) climb() error {
	rungs := r.planner().ladder()
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
		if r.client.shown || r.ctx.Err() != nil {
			break
		}
		switch callwright.KindOf(err) {
		case callwright.KindUnsupported, callwright.KindInvalidCall, callwright.KindNoCall, callwright.KindRefusedCall, callwright.KindBadAnswer:
			continue
		case callwright.KindInvalid, callwright.KindSchema, callwright.KindCanceled, callwright.KindContentFilter, callwright.KindTouched:
			return last
		}
		for i+1 < len(rungs) && rungs[i+1].ID == g.ID { // the provider failed: another mode of its model would too
			i++
		}
	}
	if callwright.KindOf(last) == callwright.KindInvalidCall && r.plain != "" && !r.req.Params.Choice.Forced() {
		r.givePlainText()
		return nil
	}
	return last
}

func (r *run) noteRung(g rung) {
	rule := "plan.other_mode"
	if g.why == whyFallback {
		rule = "plan.fallback"
	}
	r.note(callwright.Note{Rule: rule, Stage: callwright.StagePlan, Now: string(g.ID) + " " + string(g.Mode)})
	r.altered = true
}

// try makes attempts on one rung: the first, one without a feature that the provider refused, corrections and continuations.
func (r *run) try(g rung) error {
	req, why, adapted := r.req, g.why, false
	for {
		at, err := r.attempt(g, req, why)
		if err != nil {
			e := asError(err)
			taught, ok := r.learner().fromRefusal(&g, e)
			if ok {
				r.note(taught.note)
			}
			if !ok || taught.endsMode || adapted || r.client.shown {
				return e
			}
			adapted, why = true, "without "+string(taught.feature)
			continue
		}
		out := &at.answer.Outcome
		if out.Delivered.Stopped {
			return nil
		}
		rule := r.needs(out)
		switch {
		case rule == "":
			return r.complete(at)
		case rule == rulePaused:
			req, err = r.continuation(req, at)
			why = whyPause
		case r.corrections >= r.o.maxCorrections || r.ctx.Err() != nil:
			return r.spent(at, rule)
		default:
			r.corrections++
			r.altered = true
			r.note(callwright.Note{Rule: rule, Stage: callwright.StageCorrect, Was: joinRaw(out.Invalid)}.Graded())
			r.keep(at)
			c := correction{tools: r.tools, mint: r.o.newID, mode: g.Mode, rule: rule, number: r.corrections}
			req, err = c.request(req, out)
			why = whyCorrection
		}
		if err != nil {
			return asError(err)
		}
	}
}

// keep takes over what an attempt has handed on that another follows, its good calls included.
func (r *run) keep(at attempt) {
	out := &at.answer.Outcome
	if len(out.Good) > 0 {
		at.answer.ReleaseWithoutEnd()
	}
	if t := out.Visible.String(); t != "" {
		r.plain = t
	}
	r.client.keep(out)
}

// complete hands on the end of an answer that stands.
func (r *run) complete(at attempt) error {
	out := &at.answer.Outcome
	out.Good = append(r.client.good, out.Good...)
	if !r.o.changesNothing() {
		at.answer.ReleaseEnd()
		r.altered = r.altered || out.Delivered.Altered || r.req.Body != nil && out.AnswerWire != r.req.Body.Wire()
	}
	r.moreWork = out.MoreWork
	if out.MoreWork != nil && len(out.Good) > 0 {
		yes := true
		r.moreWork = &yes
	}
	r.report.Mode = at.rung.Mode
	r.note(at.newNotes()...)
	r.learner().fromAnswer(at.rung, out)
	if r.o.policy == callwright.PolicyStrict && (r.altered || at.ledger.Changed > 0) {
		return strictError(at.ledger.Notes)
	}
	return nil
}

// spent decides about an answer that needs a correction when none may be asked for any more.
func (r *run) spent(at attempt, rule string) error {
	out := &at.answer.Outcome
	forced := r.req.Params.Choice.Forced()
	switch {
	case len(r.client.good)+len(out.Good) > 0, rule == ruleMoreWork, rule == ruleWrongForm, rule == ruleEmpty && out.Reasoning.Len() > 0,
		!forced && r.client.sawText(out), !forced && out.End.Finish == callwright.FinishLength && out.AllTruncated():
		return r.complete(at)
	}
	r.keep(at)
	if rule == ruleEmpty {
		return callwright.Errorf("judge", callwright.KindBadAnswer, "", "the model gave an empty answer: neither text nor a call")
	}
	if forced && len(out.Invalid) == 0 {
		return callwright.Errorf("judge", callwright.KindNoCall, "", "a call was required and the model made none")
	}
	what := "the model's calls are not valid"
	if len(out.Invalid) > 0 && len(out.Invalid[0].Violations) > 0 {
		what += ": " + out.Invalid[0].Name + ": " + out.Invalid[0].Violations[0].Message
	}
	return callwright.Errorf("judge", callwright.KindInvalidCall, "", "%s", what)
}

// givePlainText answers with the text that is left when no call could be made valid.
func (r *run) givePlainText() {
	r.altered = true
	r.note(callwright.Note{Rule: "plain_text", Stage: callwright.StageCorrect}.Graded())
	events := []callwright.Event{callwright.TextDelta{Text: r.plain}, callwright.End{Finish: callwright.FinishStop}}
	if !r.client.begun {
		events = append([]callwright.Event{callwright.Begin{}}, events...)
	}
	for _, ev := range events {
		if !r.client.hand(ev) {
			return
		}
	}
}

// strictError is the error of an answer that needed changes under the policy strict.
func strictError(notes []callwright.Note) error {
	e := callwright.Errorf("policy", callwright.KindTouched, "", "policy strict: the answer needed changes")
	for _, n := range notes {
		if n.Risk != "" {
			e.Message = "policy strict: " + n.Rule + " would have changed the answer"
			break
		}
	}
	return e
}
