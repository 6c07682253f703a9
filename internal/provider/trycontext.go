package provider

import (
	"context"
	"slices"
	"sync"
)

// A tryContext is the context of one try. It ends with the caller's context or by the method end. It creates the
// channel of Done only when requested, since transports mostly use AfterFunc. A context of context.WithCancelCause with
// context.AfterFunc would cost 1.5 µs more per try.
type tryContext struct {
	context.Context             // the caller's context
	leave           func() bool // detaches from the caller's context

	mu    sync.Mutex
	done  chan struct{}
	err   error // nil until the context ends
	cause error // the argument of end, or the cause of the caller's context
	after []*func()
}

// newTryContext returns a context that ends with the context caller or by the method end, which must be called.
func newTryContext(caller context.Context) *tryContext {
	c := &tryContext{Context: caller}
	if err := caller.Err(); err != nil {
		c.finish(err, context.Cause(caller))
	}
	c.leave = context.AfterFunc(caller, func() { c.finish(caller.Err(), context.Cause(caller)) })
	return c
}

// Done returns a channel that is closed when the context ends.
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

// Err returns context.Canceled after end, the error of the caller's context after its end, and nil before both.
func (c *tryContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// AfterFunc calls f in a new goroutine when the context ends, or immediately if it has ended. stop prevents the call,
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

// end ends the context with a cause.
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

// reason returns the cause of the end, or nil before the end.
func (c *tryContext) reason() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cause
}
