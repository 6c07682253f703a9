package provider

import (
	"context"
	"slices"
	"sync"
)

// A tryContext is the context of one try, which ends with the caller's or by end. Transports mostly only want to be
// told of the end: AfterFunc does that, which context.AfterFunc and contexts derived from this one use too, and the
// channel is made when somebody asks for it. A context of context.WithCancelCause and context.AfterFunc on it take 1.5
// us more for a try.
type tryContext struct {
	context.Context             // the caller's
	leave           func() bool // keeps the end of the caller's from ending this one

	mu    sync.Mutex
	done  chan struct{}
	err   error // nil until the end
	cause error // what end was called with, or the cause of the caller's end
	after []*func()
}

// newTryContext makes a context, for which end has to be called.
func newTryContext(caller context.Context) *tryContext {
	c := &tryContext{Context: caller}
	if err := caller.Err(); err != nil {
		c.finish(err, context.Cause(caller))
	}
	c.leave = context.AfterFunc(caller, func() { c.finish(caller.Err(), context.Cause(caller)) })
	return c
}

// Done returns a channel that is closed at the end.
func (c *tryContext) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done == nil {
		c.done = make(chan struct{})
		if c.err != nil {
			close(c.done)
		}
	}
	return c.done
}

// Err returns context.Canceled after end, the caller's error after its end, and nil before both.
func (c *tryContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// AfterFunc has f called in a goroutine of its own at the end, or now where that was. stop keeps it from being called,
// and reports whether it did.
func (c *tryContext) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		go f()
		return func() bool { return false }
	}
	call := &f
	c.after = append(c.after, call)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		i := slices.Index(c.after, call)
		if i >= 0 {
			c.after = slices.Delete(c.after, i, i+1)
		}
		return i >= 0
	}
}

// end ends the context, with a cause of the package's own.
func (c *tryContext) end(cause error) {
	c.leave()
	c.finish(context.Canceled, cause)
}

func (c *tryContext) finish(err, cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err, c.cause = err, cause
	if c.done != nil {
		close(c.done)
	}
	for _, f := range c.after {
		go (*f)()
	}
	c.after = nil
}

// reason is the cause of the end, nil before it.
func (c *tryContext) reason() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cause
}
