package provider

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
	"github.com/sony/gobreaker/v2"
)

// The breaker of a model opens when at least half of the last minute's tries failed, of at least 20, and lets one try
// through again after half a minute.
const (
	breakerWindow = time.Minute
	breakerBucket = 10 * time.Second
	breakerRest   = 30 * time.Second
	breakerLeast  = 20
)

var (
	errOpen    = errors.New("the breaker is open: at least half of the last tries failed")
	errLeftOut = errors.New("says nothing about the provider")
)

type breaker struct {
	gate *gobreaker.TwoStepCircuitBreaker[struct{}]
	used atomic.Bool // it was asked for a try
}

func newBreaker() *breaker {
	return &breaker{gate: gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Interval: breakerWindow, BucketPeriod: breakerBucket, Timeout: breakerRest,
		ReadyToTrip: func(c gobreaker.Counts) bool {
			n := c.TotalSuccesses + c.TotalFailures
			return n >= breakerLeast && 2*c.TotalFailures >= n
		},
		IsExcluded: func(err error) bool { return err == errLeftOut },
	})}
}

// allow asks for a try. The function that it returns must be called once, with the outcome.
func (b *breaker) allow() (done func(*callwright.Error), err *callwright.Error) {
	if !b.used.Load() {
		b.used.Store(true)
	}
	report, gate := b.gate.Allow()
	if gate != nil {
		return nil, &callwright.Error{
			Op: opSend, Kind: callwright.KindUnavailable, Message: "the provider is left alone", Err: errOpen, RetryAfter: breakerRest,
		}
	}
	return func(e *callwright.Error) { report(verdict(e)) }, nil
}

// verdict returns what a try says about the provider: failures are connections that fail, silence and statuses from 500 on.
// A client that went away counts as neither; any other answer is a success, and so is a call that the provider could not parse.
func verdict(e *callwright.Error) error {
	switch {
	case e == nil:
		return nil
	case e.Kind == callwright.KindCanceled, e.Err != nil && errors.Is(e.Err, errDeadline):
		return errLeftOut
	case e.Recovered != "", e.Kind == callwright.KindRefusedCall:
		return nil
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
