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

// optionalInterfaces are the optional interfaces and settings of a client's models, found by type assertion.
type optionalInterfaces struct {
	// choose selects the client that handles a request, with notes about the reason. The client is nil if this client
	// handles the request itself. choose is an interface of the first model. It is called concurrently, once for each
	// request. Its errors are *Error.
	choose interface {
		Choose(ctx context.Context, req *callwright.Request) (*Client, []callwright.Note, error)
	}
	// by model: the error kinds of the previous model after which the model is tried as a fallback; nil means all
	on [][]callwright.Kind
	// told is notified of attempts at each model. right reports whether the response was accepted. Rejected requests are
	// not reported. It is called concurrently.
	told []interface {
		Attempted(right bool, took time.Duration)
	}
	// time limit of a request over all attempts and pauses, from the first model that sets one; 0 for no limit
	totalTime time.Duration
}

// findOptionalInterfaces returns the optional interfaces and settings of the models of a fallback chain.
func findOptionalInterfaces(models []callwright.Model) (p optionalInterfaces) {
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

// startChosen starts a run with the client that Choose selects for the request.
func (c *Client) startChosen(ctx context.Context, req *callwright.Request) (*run, error) {
	chosen, notes, err := c.o.choose.Choose(ctx, req)
	if err != nil {
		r := &run{c: c, o: c.o, ctx: ctx, req: &callwright.Request{}, report: callwright.Report{ID: mintOr(c.o.mint)("rep_"), Model: c.ID()}}
		return nil, r.withReport(err)
	}
	return chosen.begin(ctx, req, notes)
}

// triedOn reports whether the model with index place is tried as a fallback after an error of kind k.
func (o *options) triedOn(place int, k callwright.Kind) bool {
	return o.on[place] == nil || slices.Contains(o.on[place], k)
}

// triedOnFailures reports whether the model with index place is tried as a fallback after a rate limit, an outage or a
// timeout of the previous model.
func (o *options) triedOnFailures(place int) bool {
	return o.on[place] == nil || slices.ContainsFunc(o.on[place], func(k callwright.Kind) bool {
		c := errorkind.ClassOf(k)
		return c == errorkind.RateLimited || c == errorkind.Unavailable || c == errorkind.Timeout
	})
}

// passesOver reports whether candidate g is skipped because its model is not a fallback for an error of this kind
// (because). failed is the index of the failed model. The first skip of a model is noted.
func (r *run) passesOver(g *candidate, failed int, because error) bool {
	k := callwright.KindOf(because)
	if g.place == failed || r.o.triedOn(g.place, k) {
		return false
	}
	r.leaveModel(g)
	r.note(callwright.Note{Rule: "plan.passed_over", Stage: callwright.StagePlan, Now: string(g.ID),
		Why: "it is no fallback for a failure of the kind " + errorkind.Words(k)})
	return true
}

// errTotalTime is the cancellation cause of a request that exceeded its total time.
var errTotalTime = errors.New("the total time limit of the request is reached")

// limitTime applies the total time limit to r.ctx. The caller must call stop at the end.
func (r *run) limitTime() (stop func()) {
	if r.o.totalTime <= 0 {
		return func() {}
	}
	ctx, cancel := context.WithTimeoutCause(r.ctx, r.o.totalTime, errTotalTime)
	r.ctx = ctx
	return cancel
}

// inTime returns err, or a KindTimeout error if the total time limit caused err.
func (r *run) inTime(err error) error {
	if err == nil || r.o.totalTime <= 0 || context.Cause(r.ctx) != errTotalTime {
		return err
	}
	e := &callwright.Error{Op: "plan", Kind: callwright.KindTimeout, NoRetry: true,
		Message: fmt.Sprintf("the request took longer than the %s of timeouts.total, over all attempts and pauses: "+
			"raise it, or use a faster model", r.o.totalTime)}
	r.note(callwright.Note{Rule: "plan.total_time", Stage: callwright.StagePlan, Now: r.o.totalTime.String(),
		Why: callwright.Excerpt(asError(err).Error())})
	return e
}

// notifyModel notifies the model of the result of an attempt. rule is the rule of the self-correction that follows, ""
// if the response was accepted. err is the error if there is no response.
func (r *run) notifyModel(at *attempt, rule string, err error) {
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
