package reliable

import (
	"context"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/notice"
	"github.com/callwright/callwright/internal/restore"
	"github.com/callwright/callwright/reliable/internal/correction"
	"github.com/callwright/callwright/reliable/internal/form"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/learning"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// A run is the processing of one request by a Client.
type run struct {
	c          *Client
	o          *options
	ctx        context.Context
	req        *callwright.Request
	tools      *judge.Toolset
	candidates []candidate // candidates that were not tried yet

	ask      askFunc
	delivery delivery
	past     judge.PastIDs

	report      callwright.Report
	changed     bool // the request or the response was changed
	bodyChanged bool // the sent body differs from the client's body
	learner     learning.Learner
	lessons     []learning.Lesson // features learned from rejections that no response has confirmed yet
	culprits    *culprits         // search for rejected tools, nil if none was rejected
	corrections int
	searches    int // number of continuations after tool searches
	pauses      int // number of continuations of paused responses
	moreWork    *bool
	wait        time.Duration    // shortest RetryAfter of rate-limited models
	uncounted   *candidate       // candidate whose mode statistics must be stored
	remedied    *candidate       // candidate whose remedy statistics must be stored
	plain       *inbound.Outcome // latest attempt with text and without valid calls, used if all candidates fail
}

// start checks the request, compiles its tools and returns a run. If the first model can choose another client, it
// chooses here.
func (c *Client) start(ctx context.Context, req *callwright.Request) (*run, error) {
	if c.o.choose != nil && c.unfit(req) == nil {
		return c.startChosen(ctx, req)
	}
	return c.begin(ctx, req, nil)
}

// begin does the work of start for this client. notes are the first notes of the report.
func (c *Client) begin(ctx context.Context, req *callwright.Request, notes []callwright.Note) (*run, error) {
	r := &run{c: c, o: c.o, ctx: ctx, req: req, learner: learning.Learner{Ctx: ctx, CapsStore: c.o.capsStore, Now: c.o.now, Req: req}}
	if err := c.unfit(req); err != nil {
		r.req = &callwright.Request{}
		r.report = callwright.Report{ID: mintOr(c.o.mint)("rep_"), Model: c.ID()}
		return nil, r.withReport(err)
	}
	if !c.o.changesNothing() { // also for APIs with a field for signatures, because some clients drop the field
		r.delivery.recorder = restore.NewRecorder(ctx, c.o.signatures, req)
	}
	with := companion.Of(req)
	r.report = callwright.Report{ID: with.ReportID, Model: req.Model}
	r.note(with.Notes...)
	r.note(notes...)
	if r.report.ID == "" {
		r.report.ID = mintOr(c.o.mint)("rep_")
	}
	if r.report.Model == "" {
		r.report.Model = c.ID()
	}
	tools, err := c.o.toolsets.Of(req)
	if r.tools = tools; err == nil {
		err = r.check()
	}
	if err != nil {
		return nil, r.withReport(err)
	}
	r.report.Fingerprint = c.fingerprint(req, tools)
	r.note(tools.Notes...)
	return r, nil
}

// unfit returns the error of an invalid option or request, nil if there is none.
func (c *Client) unfit(req *callwright.Request) error {
	switch {
	case c.o.wrong != nil:
		return c.o.wrong
	case c.model == nil || slices.Contains(c.o.fallbacks, nil):
		return callwright.Errorf("options", callwright.KindInvalid, "", "expected a model, got nil")
	case req == nil:
		return callwright.Errorf("request", callwright.KindInvalid, "", "expected a request, got nil")
	}
	if err := req.Params.Check(); err != nil {
		return err
	}
	return nil
}

// check returns an error for a tool choice that no response can satisfy and for an invalid response format. It returns
// nil with policies off and observe.
func (r *run) check() error {
	if r.o.changesNothing() {
		return nil
	}
	choice := r.req.Params.Choice
	if choice.IsForced() && len(r.tools.Tools) == 0 {
		return callwright.Errorf("choice", callwright.KindInvalid, "/tool_choice", "a call is required, but no tools are declared")
	}
	for _, name := range choice.Names {
		if choice.IsForced() && !slices.ContainsFunc(r.tools.Tools, func(t callwright.Tool) bool { return t.Name == name }) {
			return callwright.Errorf("choice", callwright.KindInvalid, "/tool_choice",
				"a call of %q is required, but this tool is not declared", callwright.Excerpt(name))
		}
	}
	return form.Check(r.req, r.o.schemas)
}

// tryWithinTimeout runs tryCandidates within the total time limit.
func (r *run) tryWithinTimeout() error {
	defer r.limitTime()()
	return r.inTime(r.tryCandidates())
}

// tryCandidates tries the candidates in order until one gives an accepted response.
func (r *run) tryCandidates() error {
	r.candidates = r.planner().chain()
	defer r.writeCounts()
	defer r.writeRemedies()
	var last error
	var failed callwright.ModelID // model of the latest failure
	failedAt := 0                 // index of that model
	var tried []triedMode
	for len(r.candidates) > 0 {
		g := new(r.candidates[0])
		r.candidates = r.candidates[1:]
		if r.isTried(g, tried) || last != nil && r.passesOver(g, failedAt, last) {
			continue
		}
		tried = append(tried, triedMode{g.place, g.Mode})
		g.Dialect = outbound.DialectFor(g.Mode, r.o.dialect, g.Marks, g.ID, g.Caps)
		if last != nil {
			r.noteCandidate(g, failed, asError(last))
		} else if g.firstModeReason != "" {
			r.note(modeNote(g))
		}
		err := r.tryCandidate(g)
		if err == nil {
			return nil
		}
		last, failed, failedAt = err, g.ID, g.place
		if r.delivery.shown || r.ctx.Err() != nil || len(r.delivery.good) > 0 { // delivered content cannot be replaced
			break
		}
		if endsChain(g, err) {
			return last
		}
		switch callwright.KindOf(err) {
		case callwright.KindUnsupported, callwright.KindSchema:
			r.planFurther(g, err, tried)
			continue
		case callwright.KindRefusedCall:
			if learning.IsUnparsed(err) {
				r.planAnew(g, tried)
			}
			continue
		case callwright.KindInvalid, callwright.KindInvalidCall, callwright.KindNoCall, callwright.KindBadAnswer:
			continue
		}
		r.leaveModel(g) // another mode of the same model would fail too
		last = r.soonest(asError(err))
	}
	return r.withoutAnswer(last)
}

// withoutAnswer ends a run without an accepted response. If possible, it responds with the valid calls or the text of
// rejected responses. Otherwise it returns last, the error of the last candidate.
func (r *run) withoutAnswer(last error) error {
	switch {
	// a partial call cannot be withdrawn, and PolicyStrict rejects partial responses
	case r.delivery.open > 0, r.o.policy == callwright.PolicyStrict:
		return last
	case r.corrections > 0 && len(r.delivery.good) > 0 && r.ctx.Err() == nil:
		r.closeAnswer()
		return nil
	case (callwright.KindOf(last) == callwright.KindInvalidCall || callwright.KindOf(last) == callwright.KindBadAnswer) &&
		r.plain != nil && !r.req.Params.Choice.IsForced():
		r.givePlainText()
		return nil
	}
	return last
}

// isTried reports whether an equal request was already sent with another candidate. If the tool choice is none, all
// non-native modes send only the conversation.
func (r *run) isTried(g *candidate, tried []triedMode) bool {
	return g.Mode != caps.Native && r.req.Params.Choice.Mode == callwright.ChoiceNone && slices.ContainsFunc(tried, func(t triedMode) bool {
		return t.place == g.place && t.mode != caps.Native
	})
}

// soonest returns a rate-limit error with the shortest RetryAfter of all rate-limited models. It returns any other
// error unchanged.
func (r *run) soonest(e *callwright.Error) *callwright.Error {
	if e.Kind != callwright.KindRateLimited || e.RetryAfter <= 0 {
		return e
	}
	if r.wait == 0 || e.RetryAfter < r.wait {
		r.wait = e.RetryAfter
		return e
	}
	of := *e
	of.RetryAfter = r.wait
	return &of
}

// hasFallback reports whether another model, not rate-limited, will be tried if the model of g fails. It is false
// after part of the response was delivered.
func (r *run) hasFallback(g *candidate) bool {
	if r.delivery.shown || len(r.delivery.good) > 0 {
		return false
	}
	for i := range r.candidates {
		next := &r.candidates[i]
		if l, ok := next.model.(interface{ IsLimited() bool }); next.place != g.place && r.o.triedOnFailures(next.place) && (!ok || !l.IsLimited()) {
			return true
		}
	}
	return false
}

// leavesImages reports whether another model is tried after a rejection of images, before the images are removed: the
// form of an image was rejected, or another model of the chain may accept images.
func (r *run) leavesImages(g *candidate, e *callwright.Error) bool {
	switch e.Feature {
	case feature.ImageForm:
		return true
	case feature.Images:
		return !r.delivery.shown && slices.ContainsFunc(r.candidates, func(next candidate) bool {
			return next.place != g.place && next.Caps.Images != caps.No && r.o.triedOn(next.place, e.Kind)
		})
	}
	return false
}

// planFurther adds candidates for further modes of g's model after a rejection. After a rejection of images it drops
// the model's candidates instead.
func (r *run) planFurther(g *candidate, refusal error, tried []triedMode) {
	switch {
	case r.leavesImages(g, asError(refusal)):
		r.leaveModel(g)
	case len(r.candidates) == 0 || r.candidates[0].place != g.place:
		r.candidates = append(r.planner().furtherModes(g, tried, r.lessons), r.candidates...)
	}
}

// leaveModel removes the untried candidates of g's model.
func (r *run) leaveModel(g *candidate) {
	for len(r.candidates) > 0 && r.candidates[0].place == g.place {
		r.candidates = r.candidates[1:]
	}
}

// planAnew replaces the untried candidates of g's model by candidates in the order that the lessons imply.
func (r *run) planAnew(g *candidate, tried []triedMode) {
	if !r.o.oneMode {
		r.leaveModel(g)
		r.candidates = append(r.planner().furtherModes(g, tried, r.lessons), r.candidates...)
	}
}

// endsChain reports whether err ends the fallback chain: the request is invalid for every model, or the client
// canceled.
func endsChain(g *candidate, err error) bool {
	switch callwright.KindOf(err) {
	case callwright.KindInvalid, callwright.KindSchema:
		// in a document mode, or for a rejected tool, the request itself may be valid
		return !g.Mode.InDocument() && !outbound.RefusesTool(err)
	case callwright.KindCanceled, callwright.KindChangeNeeded:
		return true
	}
	return false
}

// noteCandidate notes that candidate g is tried after the model with the ID failed. The argument because is the error
// of that model.
func (r *run) noteCandidate(g *candidate, failed callwright.ModelID, because *callwright.Error) {
	rule := "plan.other_mode"
	if g.why == callwright.AttemptFallback {
		rule = "plan.fallback"
	}
	if failed != g.ID {
		reason := callwright.Error{Message: because.Message, Err: because.Err, Kind: because.Kind}
		notice.Send(r.ctx, notice.Notice{Event: notice.Fallback, Model: failed, Next: g.ID, Kind: because.Kind,
			Reason: callwright.Excerpt(reason.Error())})
	}
	r.note(callwright.Note{Rule: rule, Stage: callwright.StagePlan, Now: string(g.ID) + " " + string(g.Mode), Why: g.firstModeReason})
	r.changed = true
}

// tryCandidate makes attempts on one candidate: the first one, retries without rejected features, self-corrections and
// continuations. It returns nil after an accepted response.
func (r *run) tryCandidate(g *candidate) error {
	req, why, adapted := r.req, g.why, 0
	if err := outbound.TooLong(r.req, &g.Receiver); err != nil && !r.o.changesNothing() {
		r.note(callwright.Note{Rule: "plan.too_long", Stage: callwright.StagePlan, Now: string(g.ID), Why: asError(err).Message})
		return err
	}
	r.dropSuspect()
	learning.ApplyLessons(&g.Receiver, r.lessons)
	with := remedies{base: g}
	for {
		at, err := r.attempt(g, req, why)
		if err != nil {
			if req, g, why, err = r.retry(at, req, &with, &adapted, asError(err)); err != nil {
				return err
			}
			continue
		}
		r.proveSuspect()
		r.lessons = r.learner.Proven(g.ID, r.lessons)
		out := &at.answer.Outcome
		if out.Delivered.Stopped {
			return nil
		}
		rule := r.correctionRule(out)
		r.settle(&with, rule)
		r.count(at, rule, nil)
		r.notifyModel(at, rule, nil)
		switch {
		case rule == "":
			return r.complete(at)
		case rule == correction.RuleEmpty && r.handleSwallowed(g, out):
			return r.acceptOrFail(at, rule)
		case rule == correction.RulePaused:
			req, err = r.resumePaused(req, at)
			why, with.earlier = callwright.AttemptPause, nil
		case rule == correction.RuleSearched && r.searches < maxSearches:
			req, err = r.afterSearch(at)
			why, with.earlier = callwright.AttemptSearch, nil
		case rule == correction.RuleSearched || r.corrections >= r.o.maxCorrections || r.ctx.Err() != nil:
			return r.acceptOrFail(at, rule)
		default:
			r.corrections++
			r.changed = true
			r.note(correction.Note(rule, out))
			r.closeAttempt(at)
			req, g, err = r.correct(at, rule, &with, req)
			why = callwright.AttemptCorrection
		}
		if err != nil {
			return asError(err)
		}
	}
}

// closeAttempt ends an attempt that is followed by another one. It delivers the valid calls of the response and learns
// from the response.
func (r *run) closeAttempt(at *attempt) {
	out := &at.answer.Outcome
	if len(out.Good)+len(out.Delivered.Searches) > 0 {
		at.answer.ReleaseWithoutEnd()
	}
	if out.HasText() {
		r.plain = out
	}
	r.report.Mode = at.candidate.Mode
	r.learn(at.candidate, out)
	r.delivery.supersede(out)
}

// learn stores facts that the response shows, unless the policy is off.
func (r *run) learn(g *candidate, out *inbound.Outcome) {
	if r.o.policy != callwright.PolicyOff {
		r.learner.FromAnswer(&g.Receiver, out)
	}
}

// complete delivers the end of an accepted response.
func (r *run) complete(at *attempt) error {
	out := &at.answer.Outcome
	switch {
	case at.answer.Whole != nil:
		r.delivery.whole = at.answer.Whole
	case !r.o.changesNothing():
		at.answer.DeriveFinish()
		if out.HasRefusal() {
			at.answer.SayRefused()
		}
		if r.take(at.newNotes()); r.o.policy == callwright.PolicyStrict && judge.StrictError(r.report.Notes) != nil {
			break // the client gets an error instead of the end
		}
		at.answer.ReleaseEnd()
		r.changed = r.changed || out.Delivered.Changed
	}
	wire := companion.Of(r.req).Wire()
	r.changed = r.changed || wire != "" && out.AnswerWire != wire
	r.moreWork = at.answer.NeedsMoreWork()
	r.report.Mode = at.candidate.Mode
	r.take(at.newNotes())
	r.learn(at.candidate, out)
	r.noteClaims(out)
	if r.o.policy == callwright.PolicyStrict {
		return judge.StrictError(r.report.Notes)
	}
	return nil
}

// acceptOrFail ends a request whose response needs a self-correction when no further one is permitted. It completes the
// response if possible, and otherwise returns an error.
func (r *run) acceptOrFail(at *attempt, rule string) error {
	out, forced := &at.answer.Outcome, r.req.Params.Choice.IsForced()
	asksOn := rule == correction.RuleMoreWork || rule == correction.RuleWrongForm || rule == correction.RuleSearched
	switch {
	case out.HasRefusal() && !forced && at.answer.Setup.Form == nil:
		return r.complete(at) // the refusal is the response
	case len(r.delivery.good)+len(out.Good) > 0, asksOn && out.HasText(), !forced && r.delivery.streams() &&
		(r.delivery.text || out.Delivered.Text):
		return r.complete(at)
	case !forced && out.CutAtLength && out.AllTruncated():
		r.sayEarlier(&at.answer)
		return r.complete(at)
	}
	r.closeAttempt(at)
	switch {
	case r.ctx.Err() != nil: // the validation of calls is incomplete after cancellation
		return asError(r.ctx.Err())
	case rule == correction.RuleEmpty || asksOn:
		e := callwright.Errorf("judge", callwright.KindBadAnswer, "", "%s", correction.EmptyResponseMessage(rule))
		e.Finish = out.End.Finish
		return e
	case out.HasRefusal():
		return refusedError(out)
	case forced && len(out.Invalid) == 0:
		return callwright.Errorf("judge", callwright.KindNoCall, "", "a call was required, but the model made none")
	}
	what := "the model's calls are not valid"
	if len(out.Invalid) > 0 && len(out.Invalid[0].Violations) > 0 {
		what += ": " + out.Invalid[0].Name + ": " + out.Invalid[0].Violations[0].Message
	}
	return callwright.Errorf("judge", callwright.KindInvalidCall, "", "%s", what)
}
