package store

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/store/internal/rejoin"
	"github.com/google/uuid"
	"github.com/nats-io/nats.go"
)

// A CounterStore is an [access.Counters] that all gateways of a space share. It is safe for concurrent use.
//
// While the counts are shared, each change is one of the stream. While NATS does not answer, a gateway takes from its
// part of the remaining counts: each gateway that was there has the same part. Its use is written before any of them
// takes from the counts again: see package rejoin.
type CounterStore struct {
	st    *stream
	now   func() time.Time
	in    *follower
	group *rejoin.Group
	proof atomic.Uint64 // the last message by which counts were known to be shared

	mu      sync.Mutex
	windows map[string]*window // by subject
	sweep   time.Time          // when windows that have ended are looked for again
}

var _ access.Counters = (*CounterStore)(nil)

// A window is the last known state of a count. One call at a time changes the fields behind its turn.
type window struct {
	turn   chan struct{} // has one while nobody is at it
	tokens []string      // of its subject
	known  bool
	tally  access.Tally
	seq    uint64

	last    access.Window // that was used last
	used    access.Tally  // taken alone, and added
	debts   access.Tally  // changes that are to be written
	writing access.Tally  // changes that are being written, by the message of that id
	id      string

	// Under the lock of the CounterStore.
	end  time.Time // when it may be forgotten
	seen heard
}

// A heard is a message of a count that was read last.
type heard struct {
	tally access.Tally
	seq   uint64
	id    string
}

const (
	opCount = "store.count"
	// countTime is how long a count may take: requests wait for it. It outlasts the time after which a gateway counts
	// alone.
	countTime = rejoin.Patience + 1500*time.Millisecond
	// keptAfter is how long a count is kept after its window has ended.
	keptAfter  = time.Minute
	sweepEvery = time.Minute
)

// Counters are the counters of the space, the same ones each time.
func (s *Store) Counters() *CounterStore {
	s.mirror.mu.Lock()
	defer s.mirror.mu.Unlock()
	if s.mirror.counts == nil {
		c := &CounterStore{st: s.streams[Counters], now: s.conf.Now, windows: map[string]*window{}}
		c.in = newFollower(c.st, c.applyMessage, nil)
		c.in.start()
		c.join()
		s.mirror.counts = c
	}
	return s.mirror.counts
}

// Take counts as much of n as keeps the window's count within its limit, and returns how much that was.
func (c *CounterStore) Take(ctx context.Context, w access.Window, least, n int64) (taken int64, err error) {
	if err := access.ValidateTake(w, least, n); err != nil {
		return 0, err
	}
	id := uuid.NewString()
	err = c.count(ctx, w, func(ctx context.Context, is *window, m rejoin.Mode) (err error) {
		if m.IsAlone() {
			taken, err = c.takeAlone(is, w, least, n)
			return err
		}
		return c.apply(ctx, is, w, id, func(t access.Tally) (after access.Tally) {
			after, taken = t.Take(w, least, n)
			return after
		})
	})
	if err != nil {
		return 0, err
	}
	return taken, nil
}

// takeAlone is Take for a gateway that counts alone: it has the same part of the remaining counts as each of the
// others. The turn of the window is held.
func (c *CounterStore) takeAlone(is *window, w access.Window, least, n int64) (taken int64, err error) {
	m, parts := c.group.Mode()
	if !m.IsAlone() {
		return 0, errModeChanged
	}
	rest := max(w.Limit-c.latest(is).In(w), 0)/int64(parts) - is.used.In(w)
	if taken = min(n, rest); taken < least {
		return 0, nil
	}
	is.owe(w, access.Tally{{Start: w.Last(), N: taken}})
	return taken, nil
}

// latest is the last count that is known. The turn is held.
func (c *CounterStore) latest(is *window) access.Tally {
	c.mu.Lock()
	defer c.mu.Unlock()
	if is.seen.seq > is.seq {
		return is.seen.tally
	}
	return is.tally
}

// owe has changes written later. The turn is held.
func (is *window) owe(w access.Window, changes access.Tally) {
	is.last = w
	unbounded := w
	unbounded.Limit = math.MaxInt64 / 2
	is.used = is.used.Add(unbounded, changes)
	for _, p := range changes {
		at, found := slices.BinarySearchFunc(is.debts, p, func(a, b access.Part) int { return a.Start.Compare(b.Start) })
		if found {
			is.debts[at].N += p.N
		} else {
			is.debts = slices.Insert(is.debts, at, p)
		}
	}
}

// Add makes changes, whatever the limit is. While counts are not shared they are written later.
func (c *CounterStore) Add(ctx context.Context, w access.Window, changes access.Tally) error {
	if err := w.Validate(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return canceledError(opCount, err)
	}
	id := uuid.NewString()
	return c.inTurn(ctx, w, func(ctx context.Context, is *window) error {
		if m, _ := c.group.Mode(); m == rejoin.Shared {
			err := c.apply(ctx, is, w, id, func(t access.Tally) access.Tally { return t.Add(w, changes) })
			if callwright.KindOf(err) != callwright.KindUnavailable {
				return err
			}
			c.group.Doubt(err)
			if is.id == "" { // it may be written all the same
				is.writing, is.id = slices.Clone(changes), id
				is.last = w
				return nil
			}
		}
		is.owe(w, changes)
		return nil
	})
}

// Count returns the known count of the window.
func (c *CounterStore) Count(ctx context.Context, w access.Window) (out access.Tally, err error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	err = c.count(ctx, w, func(ctx context.Context, is *window, m rejoin.Mode) error {
		if m.IsAlone() {
			out = c.latest(is).Since(w.Start)
			unbounded := w
			unbounded.Limit = math.MaxInt64 / 2
			out = out.Add(unbounded, is.writing).Add(unbounded, is.debts)
			return nil
		}
		return c.apply(ctx, is, w, "", func(t access.Tally) access.Tally {
			out = slices.Clone(t)
			return t
		})
	})
	return out, err
}

// errModeChanged says that counts were counted in one way, and are in another one now.
var errModeChanged = errors.New("the mode changed")

// count has do count in the way in which counts are counted now. It is tried again where that turns out to be another
// one.
func (c *CounterStore) count(ctx context.Context, w access.Window, do func(ctx context.Context, is *window, m rejoin.Mode) error) error {
	if err := ctx.Err(); err != nil {
		return canceledError(opCount, err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, countTime, errLate)
	defer cancel()
	for {
		m, err := c.group.Await(ctx)
		switch {
		case ctx.Err() != nil:
			return c.late(ctx)
		case err != nil:
			return c.st.s.unavailable(opCount, err)
		}
		err = c.inTurn(ctx, w, func(ctx context.Context, is *window) error { return do(ctx, is, m) })
		switch {
		case errors.Is(err, errModeChanged):
		case m == rejoin.Shared && callwright.KindOf(err) == callwright.KindUnavailable && ctx.Err() == nil:
			c.group.Doubt(err)
		default:
			return err
		}
	}
}

// inTurn has do called for a window when it is its turn.
func (c *CounterStore) inTurn(ctx context.Context, w access.Window, do func(ctx context.Context, is *window) error) error {
	is := c.of(w)
	select {
	case <-is.turn:
	case <-ctx.Done():
		return c.late(ctx)
	}
	defer func() { is.turn <- struct{}{} }()
	return do(ctx, is)
}

// apply makes another tally of the one that is there, which is its own, and writes it by a message of an id. Where it
// stays the same, that is of one that was read from the stream. Where that message is found to be written, by a call
// that did not hear of it, it is not written again. The turn is held.
func (c *CounterStore) apply(ctx context.Context, is *window, w access.Window, id string, to func(t access.Tally) access.Tally) error {
	c.mu.Lock()
	if is.known && is.seen.seq > is.seq { // another gateway changed it
		is.tally, is.seq = is.seen.tally, is.seen.seq
	}
	c.mu.Unlock()
	for read := false; ; {
		if !is.known {
			was, err := c.read(ctx, is)
			if err != nil || id != "" && was == id {
				return err
			}
			read = true
		}
		before := is.tally.Since(w.Start)
		after := to(slices.Clone(before))
		switch {
		case !slices.EqualFunc(after, before, func(a, b access.Part) bool { return a.N == b.N && a.Start.Equal(b.Start) }):
			m := newMessage(after.Append(nil), is.tokens...)
			m.head.Set(headID, id)
			m.expire(max(w.Expires(after).Sub(c.now()), 0) + keptAfter)
			seq, err := c.st.put(ctx, opCount, quick, m, is.seq)
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

// whichOf tells the windows of a name apart, as a token: one that stands by its start, those that move by the length of
// their parts.
func whichOf(w access.Window) string {
	if w.Part > 0 {
		return moving + strconv.FormatInt(int64(w.Part), 10)
	}
	return strconv.FormatInt(w.Start.UnixNano(), 10)
}

// moving begins the token of windows that move.
const moving = "by"

// late is the error of a call whose context ended.
func (c *CounterStore) late(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), errLate) {
		return c.st.s.unavailable(opCount, errLate)
	}
	return canceledError(opCount, ctx.Err())
}

// read reads a count, and returns the id of its message. Where the server lost an acknowledged message, as when the
// disk is full before it writes its memory, the last known count holds. The turn is held.
func (c *CounterStore) read(ctx context.Context, is *window) (id string, err error) {
	var got heard
	m, err := c.st.last(ctx, opCount, quick, is.tokens...)
	switch {
	case err == nil:
		got = heard{access.ParseTally(m.data), m.seq, m.head.Get(headID)}
	case !errors.Is(err, errNothing):
		return "", err
	}
	c.mu.Lock()
	was := max(is.seq, is.seen.seq)
	c.mu.Unlock()
	if got.seq < was {
		info, err := c.st.info(ctx, opCount, quick)
		if err != nil {
			return "", err
		}
		c.mu.Lock()
		if info.State.LastSeq < was { // else somebody removed the count
			got.tally = got.tally.AtLeast(is.tally).AtLeast(is.seen.tally)
		}
		is.seen = got
		c.mu.Unlock()
	}
	is.known, is.tally, is.seq = true, got.tally, got.seq
	return got.id, nil
}

// applyMessage applies a message of the stream: a count of another gateway, or of this one.
func (c *CounterStore) applyMessage(m *message) {
	if m.tokens[0] == proofToken {
		return
	}
	life, err := time.ParseDuration(m.head.Get(nats.MsgTTLHdr))
	if err != nil {
		life = 2 * keptAfter
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.place(m.tokens, c.now().Add(life)).seen = heard{access.ParseTally(m.data), m.seq, m.head.Get(headID)}
}

// of gives the window of a count. Its count may be needed as long as there are windows that it is a part of.
func (c *CounterStore) of(w access.Window) *window {
	end := w.End
	if w.Part > 0 {
		end = end.Add(w.End.Sub(w.Start))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.place([]string{token(w.Name), whichOf(w)}, end)
}

// place gives the window of a subject, which is needed until a time. The lock is held.
func (c *CounterStore) place(tokens []string, end time.Time) *window {
	now := c.now()
	if !now.Before(c.sweep) {
		maps.DeleteFunc(c.windows, func(_ string, w *window) bool { return !now.Before(w.end) })
		c.sweep = now.Add(sweepEvery)
	}
	subject := joinTokens(tokens)
	is := c.windows[subject]
	if is == nil {
		is = &window{turn: make(chan struct{}, 1), tokens: tokens}
		is.turn <- struct{}{}
		c.windows[subject] = is
	}
	if is.end.Before(end) {
		is.end = end
	}
	return is
}
