package store

import (
	"context"
	"errors"
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/callwright/callwright/access"
)

// A CounterStore is an [access.Counters] that all gateways of a space share. It is safe for concurrent use.
type CounterStore struct {
	st  *stream
	now func() time.Time

	mu      sync.Mutex
	windows map[string]*window // by subject
	sweep   time.Time          // when windows that have ended are looked for again
}

var _ access.Counters = (*CounterStore)(nil)

// A window is what was last known of a count. One call at a time changes it.
type window struct {
	turn  chan struct{} // has one while nobody is at it
	known bool
	n     int64
	seq   uint64
	end   time.Time // under the lock of the CounterStore
}

const (
	opCount = "store.count"
	// countTime is how long a count may take while NATS is there: requests wait for it.
	countTime = 4 * time.Second
	// keptAfter is how long a count is kept after its window has ended.
	keptAfter  = time.Minute
	sweepEvery = time.Minute
)

// Counters are the counters of the space.
func (s *Store) Counters() *CounterStore {
	return &CounterStore{st: s.streams[Counters], now: s.conf.Now, windows: map[string]*window{}}
}

// Take counts as much of n as keeps the window's count within its limit, and returns how much that was.
func (c *CounterStore) Take(ctx context.Context, w access.Window, least, n int64) (taken int64, err error) {
	if err := access.ValidateTake(w, least, n); err != nil {
		return 0, err
	}
	err = c.change(ctx, w, func(count int64) int64 {
		if taken = min(n, w.Limit-count); taken < least {
			taken = 0
		}
		return count + taken
	})
	if err != nil {
		return 0, err
	}
	return taken, nil
}

// Add counts n, whatever the limit is.
func (c *CounterStore) Add(ctx context.Context, w access.Window, n int64) error {
	if err := w.Validate(); err != nil {
		return err
	}
	return c.change(ctx, w, func(count int64) int64 { return access.Sum(count, n) })
}

// Count returns the window's count.
func (c *CounterStore) Count(ctx context.Context, w access.Window) (n int64, err error) {
	if err := w.Validate(); err != nil {
		return 0, err
	}
	err = c.change(ctx, w, func(count int64) int64 {
		n = count
		return count
	})
	return n, err
}

// change makes another count of the one that is there. Where it stays the same, that is of a count that was read from the stream.
func (c *CounterStore) change(ctx context.Context, w access.Window, to func(count int64) int64) error {
	if err := ctx.Err(); err != nil {
		return canceled(opCount, err)
	}
	if s := c.st.s; s.hopeless(quick) {
		return s.unavailable(opCount, errAway)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, countTime, errLate)
	defer cancel()
	tokens := []string{token(w.Name), strconv.FormatInt(w.Start.UnixNano(), 10)}
	is := c.of(joined(tokens), w.End)
	select {
	case <-is.turn:
	case <-ctx.Done():
		return c.late(ctx)
	}
	defer func() { is.turn <- struct{}{} }()
	for read := false; ; {
		if !is.known {
			if err := c.read(ctx, tokens, is); err != nil {
				return err
			}
			read = true
		}
		n := to(is.n)
		switch {
		case n != is.n:
			m := newMessage(strconv.AppendInt(nil, n, 10), tokens...)
			m.expire(max(w.End.Sub(c.now()), 0) + keptAfter)
			seq, err := c.st.put(ctx, opCount, countTime, m, is.seq)
			if err == nil {
				is.n, is.seq = n, seq
				return nil
			}
			if !errors.Is(err, errMoved) {
				is.known = false
				return err
			}
		case read:
			return nil
		}
		is.known = false
		if ctx.Err() != nil {
			return c.late(ctx)
		}
	}
}

// late is the error of a call whose context ended.
func (c *CounterStore) late(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), errLate) {
		return c.st.s.unavailable(opCount, errLate)
	}
	return canceled(opCount, ctx.Err())
}

// read reads a count. Its turn is held.
func (c *CounterStore) read(ctx context.Context, tokens []string, is *window) error {
	m, err := c.st.last(ctx, opCount, countTime, tokens...)
	switch {
	case errors.Is(err, errNothing):
		is.n, is.seq = 0, 0
	case err != nil:
		return err
	default:
		is.n, _ = strconv.ParseInt(string(m.data), 10, 64)
		is.seq = m.seq
	}
	is.known = true
	return nil
}

// of gives the window of a subject.
func (c *CounterStore) of(subject string, end time.Time) *window {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !now.Before(c.sweep) {
		maps.DeleteFunc(c.windows, func(_ string, w *window) bool { return !now.Before(w.end) })
		c.sweep = now.Add(sweepEvery)
	}
	is := c.windows[subject]
	if is == nil {
		is = &window{turn: make(chan struct{}, 1)}
		is.turn <- struct{}{}
		c.windows[subject] = is
	}
	is.end = end
	return is
}
