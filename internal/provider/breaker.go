package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/notice"
	"github.com/sony/gobreaker/v2"
)

// BreakerLimits configure when the circuit breaker of a model opens. With the zero BreakerLimits it opens if at least
// half of the tries in the last minute failed, of at least 20, and permits a try again after 30 s.
type BreakerLimits struct {
	Off bool // the circuit breaker never opens
	// Failures is the number of failures in the window at which the breaker opens, if they are at least half of the tries.
	// 0 means the default rule.
	Failures int
	// Window is the time span in which tries count, 0 for a minute. Pause is the time from opening until the next
	// permitted try, 0 for 30 s.
	Window, Pause time.Duration
}

// The default limits of a circuit breaker.
const (
	breakerWindow  = time.Minute
	breakerBuckets = 6 // buckets of the sliding window
	breakerRest    = 30 * time.Second
	breakerLeast   = 20
)

// trips reports whether this number of failures, out of all tries in the window, opens the circuit breaker.
func (l *BreakerLimits) trips(failures, tries uint32) bool {
	enough := tries >= breakerLeast
	if l.Failures > 0 {
		enough = int64(failures) >= int64(l.Failures)
	}
	return enough && 2*failures >= tries
}

var errLeftOut = errors.New("says nothing about the provider")

// errOpen is the cause of the error of a try that an open circuit breaker rejects. last is the result of the last
// failed try. left is the time until the next permitted try, 0 while a try is in flight.
type errOpen struct {
	last string
	left time.Duration
}

func (e *errOpen) Error() string {
	when := "one request is trying it"
	if e.left > 0 {
		when = fmt.Sprintf("%d s left", seconds(e.left))
	}
	return "the circuit breaker is open: at least half of the last tries failed, the last one with " + e.last + "; " + when
}

// isOpen reports whether err is the rejection of a try by an open circuit breaker.
func isOpen(err *callwright.Error) bool {
	_, open := err.Err.(*errOpen)
	return open
}

type breaker struct {
	gate *gobreaker.TwoStepCircuitBreaker[struct{}] // nil if it never opens
	rest time.Duration                              // how long the breaker remains open
	used atomic.Bool                                // whether the model was requested

	last   atomic.Pointer[string]          // result of the last failed try
	opened atomic.Pointer[time.Time]       // when the breaker opened last
	turned atomic.Pointer[gobreaker.State] // the last change of state that was not reported yet
}

func newBreaker(l BreakerLimits) *breaker {
	window := cmp.Or(l.Window, breakerWindow)
	b := &breaker{rest: cmp.Or(l.Pause, breakerRest)}
	if l.Off {
		return b
	}
	b.gate = gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Interval: window, BucketPeriod: max(window/breakerBuckets, time.Millisecond), Timeout: b.rest,
		ReadyToTrip: func(c gobreaker.Counts) bool {
			return l.trips(c.TotalFailures, c.TotalSuccesses+c.TotalFailures)
		},
		IsExcluded: func(err error) bool { return err == errLeftOut },
		OnStateChange: func(_ string, _, to gobreaker.State) {
			if to == gobreaker.StateOpen {
				now := time.Now()
				b.opened.Store(&now)
			}
			b.turned.Store(&to)
		},
	})
	return b
}

// allow asks the circuit breaker to permit a try. If it does, the caller must call done once, with the outcome of the
// try. If the circuit breaker is open, done is nil and err is the rejection.
func (r *Remote) allow(ctx context.Context) (done func(tryOutcome), err *callwright.Error) {
	b := r.breaker
	if !b.used.Load() {
		b.used.Store(true)
	}
	if b.gate == nil {
		return func(tryOutcome) {}, nil
	}
	report, gate := b.gate.Allow()
	if gate != nil {
		return nil, b.open()
	}
	return func(o tryOutcome) {
		v, e := o.verdict(), o.err
		if v != nil && v != errLeftOut {
			last := outcome(e)
			if e.Status == 0 { // an error of this gateway; the provider's text may be about another client's request
				last = failureText(e)
			}
			b.last.Store(&last)
		}
		if report(v); b.turned.Load() != nil {
			b.tell(ctx, r.id)
		}
	}, nil
}

// open returns the error of a rejected try.
func (b *breaker) open() *callwright.Error {
	e := b.openError()
	return &callwright.Error{Kind: callwright.KindUnavailable, Err: e, RetryAfter: cmp.Or(e.left, b.rest)}
}

// openError returns the cause of the error of a rejected try.
func (b *breaker) openError() *errOpen {
	e := &errOpen{last: "a failure"}
	if last := b.last.Load(); last != nil {
		e.last = *last
	}
	if at := b.opened.Load(); at != nil {
		e.left = max(b.rest-time.Since(*at), 0)
	}
	return e
}

// tell sends a notice that the circuit breaker opened or closed, unless that was reported already.
func (b *breaker) tell(ctx context.Context, model callwright.ModelID) {
	to := b.turned.Swap(nil)
	if to == nil {
		return
	}
	n := notice.Notice{Event: notice.BreakerClosed, Model: model}
	switch *to {
	case gobreaker.StateOpen:
		n.Event, n.Kind, n.Wait = notice.BreakerOpen, callwright.KindUnavailable, b.rest
		if last := b.last.Load(); last != nil {
			n.Reason = *last
		}
	case gobreaker.StateHalfOpen:
		return
	}
	notice.Send(ctx, n)
}

// failureText returns the message and the cause of an error, or a short description if both are empty.
func failureText(e *callwright.Error) string {
	if text := (&callwright.Error{Message: e.Message, Err: e.Err}).Error(); text != "" {
		return text
	}
	return outcome(e)
}

// A tryOutcome is the outcome of a try, as the input of the circuit breaker.
type tryOutcome struct {
	err *callwright.Error // nil for a success
	// movesOn is set if another API key or host is tried next. The failure then counts only for the cooldown of the failed
	// one.
	movesOn bool
}

// verdict returns the failure that the circuit breaker counts, nil for a success, or errLeftOut for a try that it
// ignores. Failures are failed or broken connections, timeouts and statuses from 500. It ignores a request that the
// client cancelled, a try that did not reach the provider, and a failure after which another key or host is tried. All
// else is a success, as is any status if the request or a tool call that the provider could not parse caused it.
func (o *tryOutcome) verdict() error {
	e := o.err
	switch {
	case e == nil:
		return nil
	case o.movesOn, e.Kind == callwright.KindCanceled, isUnasked(e):
		return errLeftOut
	case isOfCall(e), e.Kind == callwright.KindInvalid, e.Kind == callwright.KindSchema, e.Kind == callwright.KindUnsupported:
		return nil // caused by the request, even with status 500
	case e.Status >= 500:
		return e
	case e.Status != 0:
		return nil
	}
	switch e.Kind {
	case callwright.KindUnavailable, callwright.KindTimeout, callwright.KindTruncated:
		return e
	}
	return nil
}
