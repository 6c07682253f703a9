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

// BreakerLimits say when the breaker of a model opens. The zero BreakerLimits open it when at least half of the last
// minute's tries failed, of at least 20, and let one try through again after half a minute.
type BreakerLimits struct {
	Off bool // it never opens
	// Failures opens it at so many failures, where they are at least half of the tries; 0 leaves the rule above.
	Failures int
	// Window is the time whose tries count, 0 a minute. Pause is the time until a try is let through again, 0 half a
	// minute.
	Window, Pause time.Duration
}

// The limits of a breaker by default.
const (
	breakerWindow  = time.Minute
	breakerBuckets = 6 // parts of the window
	breakerRest    = 30 * time.Second
	breakerLeast   = 20
)

// trips reports whether so many failures, of all tries of the window, open the breaker.
func (l *BreakerLimits) trips(failures, tries uint32) bool {
	enough := tries >= breakerLeast
	if l.Failures > 0 {
		enough = int64(failures) >= int64(l.Failures)
	}
	return enough && 2*failures >= tries
}

var errLeftOut = errors.New("says nothing about the provider")

// errOpen is the cause of a try that an open breaker rejects. last describes the end of the last failed try. left is
// the time until the next try is allowed, 0 while one is in flight.
type errOpen struct {
	last string
	left time.Duration
}

func (e *errOpen) Error() string {
	when := "one request tries it now"
	if e.left > 0 {
		when = fmt.Sprintf("%d s left", seconds(e.left))
	}
	return "the circuit breaker is open: at least half of the last tries failed, the last one with " + e.last + "; " + when
}

// isOpen reports whether an open breaker rejected a try.
func isOpen(err *callwright.Error) bool {
	_, open := err.Err.(*errOpen)
	return open
}

type breaker struct {
	gate *gobreaker.TwoStepCircuitBreaker[struct{}] // nil: it never opens
	rest time.Duration                              // how long it stays open
	used atomic.Bool                                // it was asked for a try

	last   atomic.Pointer[string]          // how the last failed try ended
	opened atomic.Pointer[time.Time]       // when it opened last
	turned atomic.Pointer[gobreaker.State] // the state that it came to and that was not told yet
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

// allow asks the breaker for a try. The function that it returns must be called once, with the outcome.
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
			if e.Status == 0 { // words of ours; those of a provider may be about another client's request
				last = failureText(e)
			}
			b.last.Store(&last)
		}
		if report(v); b.turned.Load() != nil {
			b.tell(ctx, r.id)
		}
	}, nil
}

// open returns the error of a try that is rejected.
func (b *breaker) open() *callwright.Error {
	e := b.openError()
	return &callwright.Error{Kind: callwright.KindUnavailable, Err: e, RetryAfter: cmp.Or(e.left, b.rest)}
}

// openError returns the reason for which tries are rejected, and the time for which they are.
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

// tell reports that the breaker opened or closed, once.
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

// failureText returns the message and the cause of a failure.
func failureText(e *callwright.Error) string {
	if text := (&callwright.Error{Message: e.Message, Err: e.Err}).Error(); text != "" {
		return text
	}
	return outcome(e)
}

// A tryOutcome is the outcome of a try, as a breaker counts it.
type tryOutcome struct {
	err *callwright.Error // nil for an answer
	// movesOn is set if another target is asked in place of the failed one: the failure counts in the cooldown of that
	// target, and the model can still be asked.
	movesOn bool
}

// verdict returns the failure that a breaker counts, nil for a success, or errLeftOut. Failures are failed connections,
// silence and statuses from 500 on. Left out are a request that the client cancelled, a try that did not reach the
// provider, and a failure after which another target is asked. Any other answer is a success, and so is a call that the
// provider could not parse.
func (o *tryOutcome) verdict() error {
	e := o.err
	switch {
	case e == nil:
		return nil
	case o.movesOn, e.Kind == callwright.KindCanceled, isUnasked(e):
		return errLeftOut
	case isOfCall(e), e.Kind == callwright.KindInvalid, e.Kind == callwright.KindSchema, e.Kind == callwright.KindUnsupported:
		return nil // about the request, also of a server that answers 500 to it
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
