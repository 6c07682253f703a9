package store

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright/internal/access"
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
	tally access.Tally
	seq   uint64
	end   time.Time // of the last use, under the lock of the CounterStore
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
	err = c.change(ctx, w, func(t access.Tally) (after access.Tally) {
		after, taken = t.Take(w, least, n)
		return after
	})
	if err != nil {
		return 0, err
	}
	return taken, nil
}

// Add makes changes, whatever the limit is.
func (c *CounterStore) Add(ctx context.Context, w access.Window, changes access.Tally) error {
	if err := w.Validate(); err != nil {
		return err
	}
	return c.change(ctx, w, func(t access.Tally) access.Tally { return t.Add(w, changes) })
}

// Count returns what the window has.
func (c *CounterStore) Count(ctx context.Context, w access.Window) (out access.Tally, err error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	err = c.change(ctx, w, func(t access.Tally) access.Tally {
		out = slices.Clone(t)
		return t
	})
	return out, err
}

// change makes another tally of the one that is there, which is its own. Where it stays the same, that is of one that was read from the stream.
func (c *CounterStore) change(ctx context.Context, w access.Window, to func(t access.Tally) access.Tally) error {
	if err := ctx.Err(); err != nil {
		return canceled(opCount, err)
	}
	if s := c.st.s; s.hopeless(quick) {
		return s.unavailable(opCount, errAway)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, countTime, errLate)
	defer cancel()
	tokens := []string{token(w.Name), whichOf(w)}
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
		before := is.tally.Since(w.Start)
		after := to(slices.Clone(before))
		switch {
		case !slices.EqualFunc(after, before, func(a, b access.Part) bool { return a.N == b.N && a.Start.Equal(b.Start) }):
			m := newMessage(appendTally(nil, after), tokens...)
			m.expire(max(w.Expires(after).Sub(c.now()), 0) + keptAfter)
			seq, err := c.st.put(ctx, opCount, countTime, m, is.seq)
			if err == nil {
				is.tally, is.seq = after, seq
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

// whichOf tells the windows of a name apart, as a token: one that stands by its start, those that move by the length of their parts.
func whichOf(w access.Window) string {
	if w.Part > 0 {
		return moving + strconv.FormatInt(int64(w.Part), 10)
	}
	return strconv.FormatInt(w.Start.UnixNano(), 10)
}

// moving begins the token of windows that move.
const moving = "by"

// appendTally writes a tally, a line for each part: when it begins, in nanoseconds since 1970, and its count.
func appendTally(b []byte, t access.Tally) []byte {
	for _, p := range t {
		b = strconv.AppendInt(b, p.Start.UnixNano(), 10)
		b = append(b, ' ')
		b = strconv.AppendInt(b, p.N, 10)
		b = append(b, '\n')
	}
	return b
}

// tallyOf reads what appendTally wrote.
func tallyOf(text []byte) (t access.Tally) {
	for line := range strings.Lines(string(text)) {
		start, n, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		at, _ := strconv.ParseInt(start, 10, 64)
		count, _ := strconv.ParseInt(n, 10, 64)
		t = append(t, access.Part{Start: time.Unix(0, at).UTC(), N: count})
	}
	return t
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
		is.tally, is.seq = nil, 0
	case err != nil:
		return err
	default:
		is.tally, is.seq = tallyOf(m.data), m.seq
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
