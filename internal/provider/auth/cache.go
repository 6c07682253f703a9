// Package auth caches credentials that expire: tokens and keys for signing requests to a provider. Its subpackages
// obtain them from a program, from AWS, Google and Azure. The public packages do not import it.
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
	// fetchTime is the timeout of one fetch.
	fetchTime = 30 * time.Second
	// maxLead is the time before its expiry at which a credential is renewed. A credential that lasts for less than 25
	// minutes is renewed when a fifth of its lifetime is left.
	maxLead = 5 * time.Minute
	// failedWait is the wait after a failed renewal in the background.
	failedWait = 10 * time.Second
	// renewEvery is the minimum interval between renewals because of refusals.
	renewEvery = 10 * time.Second

	// DefaultLife is how long a token of unknown lifetime is used.
	DefaultLife = 10 * time.Minute
)

// An ExpiringCredential is a credential with its time of expiry. A zero End means that it does not expire.
type ExpiringCredential[T any] struct {
	Value T
	End   time.Time
}

// A Cache caches one credential. It fetches the credential at the first Get, and renews it in the background before its
// expiry. At most one fetch runs at a time. It is safe for concurrent use.
type Cache[T any] struct {
	fetch  func(ctx context.Context) (ExpiringCredential[T], error)
	now    func() time.Time
	cached atomic.Pointer[cachedCredential[T]]

	mu      sync.Mutex
	running *call[T]
	renewed time.Time // time of the last renewal because of a refusal
	closed  bool
	beside  sync.WaitGroup
	ctx     context.Context // context of background fetches
	cancel  context.CancelFunc
}

// A cachedCredential is a fetched credential.
type cachedCredential[T any] struct {
	ExpiringCredential[T]
	before *T           // the previous credential
	due    atomic.Int64 // when to renew it, in Unix nanoseconds; 0 for never
	stale  atomic.Bool  // whether the provider refused it
}

// A call is a running fetch. done is closed at its end.
type call[T any] struct {
	done chan struct{}
	got  *cachedCredential[T]
	err  error
}

// NewCache creates a Cache. fetch obtains a credential; its context ends after 30 s, and its error must be a complete
// message for people. now returns the current time; nil means time.Now. The caller must call Close.
func NewCache[T any](fetch func(ctx context.Context) (ExpiringCredential[T], error), now func() time.Time) *Cache[T] {
	if now == nil {
		now = time.Now
	}
	c := &Cache[T]{fetch: fetch, now: now}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// Get returns a valid credential. If it must wait for a fetch, it returns ctx.Err() when ctx ends. Other errors are
// *callwright.Error.
func (c *Cache[T]) Get(ctx context.Context) (T, error) {
	h := c.cached.Load()
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
		if h != nil && (h.End.IsZero() || c.now().Before(h.End)) { // refused for one request; it may be valid for others
			h.stale.Store(false)
			return h.Value, nil
		}
		return *new(T), run.err
	}
	return run.got.Value, nil
}

// refresh starts a renewal of h in the background, unless one was started in the last 10 seconds (failedWait).
func (c *Cache[T]) refresh(h *cachedCredential[T]) {
	now := c.now()
	next := min(now.Add(failedWait).UnixNano(), h.End.UnixNano()) // an expired credential is not used
	if due := h.due.Load(); now.UnixNano() >= due && h.due.CompareAndSwap(due, next) {
		c.start(true)
	}
}

// start starts a fetch, or returns the running one. beside reports whether the fetch is a background renewal. Close
// cancels such a fetch, and none is started after Close.
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
	} else { // a caller waits for it, even after Close
		go c.run(context.Background(), run)
	}
	return run
}

// run fetches a credential and stores it. It closes run.done.
func (c *Cache[T]) run(ctx context.Context, run *call[T]) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	got, err := c.fetch(ctx)
	now := c.now()
	if err == nil && !got.End.IsZero() && !now.Before(got.End) {
		err = &callwright.Error{Kind: callwright.KindAuth, Message: "the returned credentials have already expired"}
	}
	c.mu.Lock()
	if err != nil {
		run.err = withKind(err)
	} else {
		h := &cachedCredential[T]{ExpiringCredential: got}
		if last := c.cached.Load(); last != nil {
			was := last.Value // without its own predecessor
			h.before = &was
		}
		if !got.End.IsZero() {
			h.due.Store(got.End.Add(-min(maxLead, got.End.Sub(now)/5)).UnixNano())
		}
		run.got = h
		c.cached.Store(h)
	}
	c.running = nil
	c.mu.Unlock()
	close(run.done)
}

// withKind returns the *callwright.Error in err, or err as a *callwright.Error of KindUnavailable.
func withKind(err error) error {
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		return e
	}
	return &callwright.Error{Kind: callwright.KindUnavailable, Message: err.Error()}
}

// Refuse reports that the provider refused a credential. was reports whether a credential is the refused one. Refuse
// returns true if the next Get may return another credential.
func (c *Cache[T]) Refuse(was func(T) bool) bool {
	h := c.cached.Load()
	if h == nil {
		return false
	}
	if h.stale.Load() || !was(h.Value) { // it was replaced already, or is about to be
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if !c.renewed.IsZero() && now.Sub(c.renewed) < renewEvery {
		return h.stale.Load() || c.cached.Load() != h
	}
	c.renewed = now
	h.stale.Store(true)
	return true
}

// Values returns the present credential and its predecessor, which requests in flight may still use.
func (c *Cache[T]) Values() []T {
	h := c.cached.Load()
	switch {
	case h == nil:
		return nil
	case h.before == nil:
		return []T{h.Value}
	}
	return []T{h.Value, *h.before}
}

// Close cancels background renewals and waits for their end. Calls of Get that wait for a credential still receive it.
func (c *Cache[T]) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.beside.Wait()
	return nil
}

// Missing returns an error of KindAuth for credentials that are missing or invalid, so that retries are useless. place
// is the setting, the prefix of the message.
func Missing(place, format string, args ...any) error {
	return &callwright.Error{Kind: callwright.KindAuth, Message: place + ": " + fmt.Sprintf(format, args...)}
}

// Unavailable returns an error of KindUnavailable for a credential service that fails at present. place is the setting,
// the prefix of the message.
func Unavailable(place, format string, args ...any) error {
	return &callwright.Error{Kind: callwright.KindUnavailable, Message: place + ": " + fmt.Sprintf(format, args...)}
}
