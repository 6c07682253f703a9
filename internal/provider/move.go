package provider

import (
	"context"
	"fmt"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/notice"
	"github.com/callwright/callwright/internal/provider/internal/balance"
)

// A route is the sequence of targets (pairs of an API key and a host) of one request.
type route struct {
	balance.TargetSequence
	set     *balance.Set
	several bool
	again   bool              // whether each target was tried, and the request was sent again after a pause
	last    *balance.Target   // the target of the last try
	told    *companion.Target // records the target for the report; nil if not needed
	limited *callwright.Error // the last rate-limit error
}

// over begins the route of a request over the provider's targets. req may be nil for a request without a conversation.
func (t *tries) over(req *callwright.Request) {
	of := t.r.p.targets
	t.route = route{set: of.set, several: of.several()}
	affinity := uint64(0)
	if req != nil && t.route.several {
		affinity, t.route.told = of.affinity(req), companion.Of(req).Asked
	}
	t.route.TargetSequence = of.set.Begin(t.r.limits, affinity)
}

// next selects the next target. If there is none, skipped is true and s is the reason.
func (t *tries) next() (s balance.Skip, skipped bool) {
	to, skip := t.route.Next(!t.hasFallback)
	if to == nil {
		return skip, true
	}
	t.route.last = to
	if told := t.route.told; told != nil {
		told.Key, told.Host = t.route.set.KeyName(to), t.route.set.HostName(to)
	}
	return s, false
}

// target returns the target of the next try, or nil if the provider has only one.
func (t *tries) target() *balance.Target {
	if !t.route.several {
		return nil
	}
	return t.route.Target()
}

// leave releases the present target when the request ends.
func (t *tries) leave() {
	if t.begun {
		t.route.End(balance.Result{})
		return
	}
	t.route.End(balance.Result{FailedPart: balance.Unknown})
}

// outcome returns the outcome of a try for the circuit breaker. err is nil for a success.
func (t *tries) outcome(err *callwright.Error) tryOutcome {
	o := tryOutcome{err: err}
	if err != nil && t.route.several && !t.route.again {
		r := resultOf(err)
		o.movesOn = r.FailedPart > balance.Unknown && t.route.HasNext(r)
	}
	return o
}

// move selects the next target after a failed try. moved is false if it selects none, because the error is not about
// the target or no target is left. end is then the error to return: err, or after the last target the last rate-limit
// error, if there was one, with the shortest wait of all targets.
func (t *tries) move(ctx context.Context, err *callwright.Error) (moved bool, end *callwright.Error) {
	rt := &t.route
	result := resultOf(err)
	from := rt.name()
	rt.End(result)
	switch {
	case !rt.several || rt.again:
		return false, err
	case result.FailedPart <= balance.Unknown, result.FailedPart == balance.WholeModel, err.NoRetry && result.FailedPart >= balance.HostModel:
		return false, err
	case result.FailedPart >= balance.HostModel && rt.set.Hosts() == 1: // the same host is tried after a pause
		return false, err
	case err.Kind == callwright.KindTimeout && err.Status == 0 && t.n > t.r.p.retries:
		return false, err
	}
	if err.Kind == callwright.KindRateLimited {
		rt.limited = err
	}
	if _, none := t.next(); none {
		return false, rt.soonest(err)
	}
	t.moves++
	to := rt.name()
	notice.Send(ctx, notice.Notice{Event: notice.NextTarget, Model: t.r.id, Kind: err.Kind,
		Reason: outcome(err) + " of " + from + ", " + to + " is used"})
	t.notes = append(t.notes, callwright.Note{
		Rule: "transport.next_target", Stage: callwright.StageTransport, Was: callwright.Excerpt(outcome(err)),
		Why: fmt.Sprintf("try %d with %s failed and was repeated with %s", t.n, from, to),
	})
	return true, nil
}

// isAwayFor reports whether the request has a fallback and all targets are in a cooldown for longer than pause, so that
// a retry after the pause is useless.
func (t *tries) isAwayFor(pause time.Duration) bool {
	return t.hasFallback && t.route.set.Away(t.r.limits).Left > pause
}

// nextAfterPause selects the target of the next try after a pause: a target that was not tried, or else any. Its
// results are those of next.
func (t *tries) nextAfterPause() (s balance.Skip, skipped bool) {
	if !t.route.HasNext(balance.Result{}) {
		t.route.Again()
		t.route.again = true
	}
	return t.next()
}

// soonest returns the error of a request for which all targets failed, see move.
func (rt *route) soonest(err *callwright.Error) *callwright.Error {
	of := rt.limited
	if of == nil {
		return err
	}
	if wait := rt.Wait(); wait > 0 {
		of.RetryAfter = wait
	}
	return of
}

// name returns the names of the last key and host as one text for people.
func (rt *route) name() string {
	key, host := rt.names()
	return companion.Target{Key: key, Host: host}.String()
}

// names returns the names of the key and the host of the last try, "" before the first.
func (rt *route) names() (key, host string) {
	if rt.last == nil {
		return "", ""
	}
	return rt.set.KeyName(rt.last), rt.set.HostName(rt.last)
}

// key returns the index of the API key of the last try.
func (rt *route) key() int {
	if rt.last == nil {
		return 0
	}
	return rt.last.Key
}
