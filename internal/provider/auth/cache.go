// Package auth keeps the credentials of requests to a provider: tokens that end, and keys by which requests are signed.
// The packages below it get them from a program, from AWS, from Google and from Azure. No package that programs embed
// imports them.
package auth

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
)

const (
	// fetchTime bounds how long one fetch may take.
	fetchTime = 30 * time.Second
	// maxLead is how long before its end a credential is fetched anew. One that lasts for less than five times as long
	// has a fifth of its time.
	maxLead = 5 * time.Minute
	// failedWait is the wait after a fetch beside requests that failed.
	failedWait = 10 * time.Second
	// renewEvery is how often a refusal by the provider may lead to another credential.
	renewEvery = 10 * time.Second

	// DefaultLife is how long a token is used of which nobody says how long it holds.
	DefaultLife = 10 * time.Minute
)

// A Grant is a credential with its end; the zero End is none.
type Grant[T any] struct {
	Value T
	End   time.Time
}

// A Cache keeps a credential. It is fetched when it is first asked for, and then beside requests before it ends: one
// fetch at a time, whoever asks. It is safe for concurrent use.
type Cache[T any] struct {
	fetch func(ctx context.Context) (Grant[T], error)
	now   func() time.Time
	held  atomic.Pointer[held[T]]

	mu      sync.Mutex
	running *call[T]
	renewed time.Time // when a refusal last led to another credential
	closed  bool
	beside  sync.WaitGroup
	ctx     context.Context // of fetches beside requests
	cancel  context.CancelFunc
}

// A held is a credential that was fetched.
type held[T any] struct {
	Grant[T]
	before *T           // what it replaced
	due    atomic.Int64 // when it is fetched anew, in nanoseconds since 1970; 0 for never
	stale  atomic.Bool  // the provider refused it
}

// A call is a fetch that runs.
type call[T any] struct {
	done chan struct{}
	got  *held[T]
	err  error
}

// NewCache makes a Cache. fetch gets a context that ends after 30 seconds; its error has all that people are to read.
// now is the source of time, nil for time.Now. Call Close when it is no longer needed.
func NewCache[T any](fetch func(ctx context.Context) (Grant[T], error), now func() time.Time) *Cache[T] {
	if now == nil {
		now = time.Now
	}
	c := &Cache[T]{fetch: fetch, now: now}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// Get returns a credential that holds. Where one has to be waited for it returns no later than ctx ends, with its
// error. The others are *callwright.Error.
func (c *Cache[T]) Get(ctx context.Context) (T, error) {
	h := c.held.Load()
	if h != nil && !h.stale.Load() {
		now := c.now()
		due := h.due.Load()
		if due == 0 || now.UnixNano() < due {
			return h.Value, nil
		}
		if now.Before(h.End) {
			c.refresh(h)
			return h.Value, nil
		}
	}
	run := c.start(false)
	select {
	case <-ctx.Done():
		return *new(T), ctx.Err()
	case <-run.done:
	}
	if run.err != nil {
		return *new(T), run.err
	}
	return run.got.Value, nil
}

// refresh fetches a credential beside requests, which have the one that is held meanwhile.
func (c *Cache[T]) refresh(h *held[T]) {
	now := c.now()
	next := min(now.Add(failedWait).UnixNano(), h.End.UnixNano()) // from its end on it is given to nobody
	if due := h.due.Load(); now.UnixNano() >= due && h.due.CompareAndSwap(due, next) {
		c.start(true)
	}
}

// start returns the fetch that runs, or begins one.
func (c *Cache[T]) start(beside bool) *call[T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running != nil {
		return c.running
	}
	run := &call[T]{done: make(chan struct{})}
	if beside && c.closed {
		return run
	}
	c.running = run
	if beside {
		c.beside.Go(func() { c.run(c.ctx, run) })
	} else { // somebody waits for it, whatever becomes of the cache
		go c.run(context.Background(), run)
	}
	return run
}

// run fetches a credential.
func (c *Cache[T]) run(ctx context.Context, run *call[T]) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	got, err := c.fetch(ctx)
	now := c.now()
	if err == nil && !got.End.IsZero() && !now.Before(got.End) {
		err = &callwright.Error{Kind: callwright.KindAuth, Message: "the credentials that were given have ended already"}
	}
	c.mu.Lock()
	if err != nil {
		run.err = withKind(err)
	} else {
		h := &held[T]{Grant: got}
		if last := c.held.Load(); last != nil {
			was := last.Value // and not what it replaced itself
			h.before = &was
		}
		if !got.End.IsZero() {
			h.due.Store(got.End.Add(-min(maxLead, got.End.Sub(now)/5)).UnixNano())
		}
		run.got = h
		c.held.Store(h)
	}
	c.running = nil
	c.mu.Unlock()
	close(run.done)
}

// withKind returns an error of a fetch as a *callwright.Error. One without a kind becomes KindUnavailable.
func withKind(err error) error {
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		return e
	}
	return &callwright.Error{Kind: callwright.KindUnavailable, Message: err.Error()}
}

// Refuse is told that the provider refused a credential, which is the one that was. It reports whether the next Get may
// give another one.
func (c *Cache[T]) Refuse(was func(T) bool) bool {
	h := c.held.Load()
	if h == nil {
		return false
	}
	if h.stale.Load() || !was(h.Value) { // another one is there already, or is about to be
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if !c.renewed.IsZero() && now.Sub(c.renewed) < renewEvery {
		return h.stale.Load() || c.held.Load() != h
	}
	c.renewed = now
	h.stale.Store(true)
	return true
}

// Values returns the credential that is held and the one that it replaced: requests with the old one may be under way.
func (c *Cache[T]) Values() []T {
	h := c.held.Load()
	switch {
	case h == nil:
		return nil
	case h.before == nil:
		return []T{h.Value}
	}
	return []T{h.Value, *h.before}
}

// Close ends refreshes in the background, and waits for them. Requests that wait for a credential get it.
func (c *Cache[T]) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.beside.Wait()
	return nil
}

// Missing returns the error of credentials that are not there or are not accepted: no further try helps. place is the
// setting.
func Missing(place, format string, args ...any) error {
	return &callwright.Error{Kind: callwright.KindAuth, Message: place + ": " + fmt.Sprintf(format, args...)}
}

// Unavailable returns the error of a service of credentials that gives none now.
func Unavailable(place, format string, args ...any) error {
	return &callwright.Error{Kind: callwright.KindUnavailable, Message: place + ": " + fmt.Sprintf(format, args...)}
}
