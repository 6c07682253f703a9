package reliable

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/reliable/internal/correction"
)

// powers are the capabilities of a client's models beside answering, found by assertion.
type powers struct {
	// choose decides for each request which client answers it, and gives the notes that say why; nil where this one
	// does. It is a power of the first model, called concurrently, once for each request; its errors are *Error.
	choose interface {
		Choose(ctx context.Context, req *callwright.Request) (*Client, []callwright.Note, error)
	}
	on [][]callwright.Kind // of each model, the kinds of errors of the model before after which it is tried as a fallback; nil for all
	// told is told of each attempt of a model that says something about it: right says that its answer stands. A
	// refusal of the request itself is not told. It is called concurrently.
	told []interface {
		Attempted(right bool, took time.Duration)
	}
	totalTime time.Duration // of a request over all attempts and the pauses between them, of the first model that bounds it; 0 for no bound
}

// powersOf finds the powers of the models of a fallback chain.
func powersOf(models []callwright.Model) (p powers) {
	p.choose, _ = models[0].(interface {
		Choose(ctx context.Context, req *callwright.Request) (*Client, []callwright.Note, error)
	})
	p.on = make([][]callwright.Kind, len(models))
	p.told = make([]interface {
		Attempted(right bool, took time.Duration)
	}, len(models))
	for i, m := range models {
		if c, ok := m.(interface{ FallbackOn() []callwright.Kind }); ok && i > 0 {
			p.on[i] = c.FallbackOn()
		}
		p.told[i], _ = m.(interface {
			Attempted(right bool, took time.Duration)
		})
		if t, ok := m.(interface{ TotalTime() time.Duration }); ok && p.totalTime == 0 {
			p.totalTime = t.TotalTime()
		}
	}
	return p
}

// startChosen starts a request with the client that is chosen for it.
func (c *Client) startChosen(ctx context.Context, req *callwright.Request) (*run, error) {
	chosen, notes, err := c.o.choose.Choose(ctx, req)
	if err != nil {
		r := &run{c: c, o: c.o, ctx: ctx, req: &callwright.Request{}, report: callwright.Report{ID: mintOr(c.o.mint)("rep_"), Model: c.ID()}}
		return nil, r.withReport(err)
	}
	return chosen.begin(ctx, req, notes)
}

// triedOn reports whether the model at a place is tried after an error of a kind.
func (o *options) triedOn(place int, k callwright.Kind) bool {
	return o.on[place] == nil || slices.Contains(o.on[place], k)
}

// triedOnFailures reports whether the model at a place is tried after a failure of the provider before it.
func (o *options) triedOnFailures(place int) bool {
	return o.on[place] == nil || slices.ContainsFunc(o.on[place], func(k callwright.Kind) bool {
		c := errorkind.ClassOf(k)
		return c == errorkind.RateLimited || c == errorkind.Unavailable || c == errorkind.Timeout
	})
}

// passesOver reports whether a candidate of another model is left out after a failure of the model at a place, as it is
// not for such failures. The report says so once for each model.
func (r *run) passesOver(g *candidate, failed int, because error) bool {
	k := callwright.KindOf(because)
	if g.place == failed || r.o.triedOn(g.place, k) {
		return false
	}
	r.leaveModel(g)
	r.note(callwright.Note{Rule: "plan.passed_over", Stage: callwright.StagePlan, Now: string(g.ID),
		Why: "it is not tried after a failure of the kind " + errorkind.Words(k)})
	return true
}

// errTotalTime is why the context of a request ends whose time is over.
var errTotalTime = errors.New("the total time of the request is over")

// limitTime bounds the time of the run. The caller calls stop at its end.
func (r *run) limitTime() (stop func()) {
	if r.o.totalTime <= 0 {
		return func() {}
	}
	ctx, cancel := context.WithTimeoutCause(r.ctx, r.o.totalTime, errTotalTime)
	r.ctx = ctx
	return cancel
}

// inTime is an error, or in its place that the total time was over.
func (r *run) inTime(err error) error {
	if err == nil || r.o.totalTime <= 0 || context.Cause(r.ctx) != errTotalTime {
		return err
	}
	e := &callwright.Error{Op: "plan", Kind: callwright.KindTimeout, NoRetry: true,
		Message: fmt.Sprintf("the request took longer than the %s of timeouts.total, over all attempts and pauses: raise it, or ask a faster model", r.o.totalTime)}
	r.note(callwright.Note{Rule: "plan.total_time", Stage: callwright.StagePlan, Now: r.o.totalTime.String(),
		Why: callwright.Excerpt(asError(err).Error())})
	return e
}

// tell tells of an attempt: the rule by which the model is asked again, "" for an answer that stands, or the error in
// place of an answer.
func (r *run) tell(at *attempt, rule string, err error) {
	to := r.o.told[at.candidate.place]
	if to == nil {
		return
	}
	switch errorkind.ClassOf(callwright.KindOf(err)) {
	case errorkind.Context, errorkind.Refused:
		return
	case "":
		if err != nil {
			return
		}
	}
	right := err == nil && rule != correction.RuleInvalid && rule != correction.RuleEmpty
	to.Attempted(right, r.report.Attempts[len(r.report.Attempts)-1].Duration)
}
