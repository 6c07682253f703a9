package provider

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var errTried = errors.New("the try has ended")

// The ways in which a context of a try ends, with what it says then.
var tryEnds = []struct {
	name       string
	end        func(own *tryContext, caller context.CancelCauseFunc)
	err, cause error
}{
	{"its own", func(own *tryContext, _ context.CancelCauseFunc) { own.end(errTried) }, context.Canceled, errTried},
	{"its own, twice", func(own *tryContext, _ context.CancelCauseFunc) { own.end(errTried); own.end(errNoHost) }, context.Canceled, errTried},
	{"the caller's", func(_ *tryContext, caller context.CancelCauseFunc) { caller(errNoName) }, context.Canceled, errNoName},
	{"its own, then the caller's", func(own *tryContext, caller context.CancelCauseFunc) { own.end(errTried); caller(errNoName) }, context.Canceled, errTried},
	{"the caller's time", func(*tryContext, context.CancelCauseFunc) { time.Sleep(2 * time.Minute) }, context.DeadlineExceeded, context.DeadlineExceeded},
}

// Whoever was told of a context, in whichever way and whether before or after its end, hears of the end once.
func TestTryContext(t *testing.T) {
	for _, tt := range tryEnds {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				timed, free := context.WithTimeout(t.Context(), time.Minute)
				defer free()
				caller, cancel := context.WithCancelCause(timed)
				defer cancel(nil)
				c := newTryContext(caller)
				var told [4]atomic.Int32
				c.AfterFunc(func() { told[0].Add(1) })
				context.AfterFunc(c, func() { told[1].Add(1) })
				derived, drop := context.WithCancel(c)
				defer drop()
				stopped := c.AfterFunc(func() { told[2].Add(1) })
				if c.Err() != nil || derived.Err() != nil || !stopped() || stopped() {
					t.Fatalf("before the end: %v, %v, or a function that cannot be stopped once", c.Err(), derived.Err())
				}
				tt.end(c, cancel)
				synctest.Wait()
				late := c.AfterFunc(func() { told[3].Add(1) })
				synctest.Wait()
				<-c.Done()
				<-derived.Done()
				if !errors.Is(c.Err(), tt.err) || !errors.Is(c.reason(), tt.cause) || !errors.Is(derived.Err(), tt.err) {
					t.Errorf("says %v because of %v, derived %v; expected %v because of %v", c.Err(), c.reason(), derived.Err(), tt.err, tt.cause)
				}
				if n := [4]int32{told[0].Load(), told[1].Load(), told[2].Load(), told[3].Load()}; n != [4]int32{1, 1, 0, 1} || late() {
					t.Errorf("functions were called %v times, or one can be stopped after its call", n)
				}
			})
		})
	}
}

// A try of a caller who has gone has ended before it begins.
func TestTryContextOfNobody(t *testing.T) {
	caller, cancel := context.WithCancelCause(t.Context())
	cancel(errNoName)
	c := newTryContext(caller)
	defer c.end(errTried)
	if !errors.Is(c.Err(), context.Canceled) || !errors.Is(c.reason(), errNoName) {
		t.Errorf("says %v because of %v", c.Err(), c.reason())
	}
}

// A function is either stopped or called, whatever happens at once.
func TestTryContextRaces(t *testing.T) {
	for range 2000 {
		caller, cancel := context.WithCancel(t.Context())
		c := newTryContext(caller)
		called := make(chan struct{})
		stop := c.AfterFunc(func() { close(called) })
		var all sync.WaitGroup
		for _, f := range []func(){cancel, func() { c.end(errTried) }, func() { <-c.Done() }} {
			all.Go(f)
		}
		if !stop() {
			<-called
		}
		all.Wait()
	}
}
