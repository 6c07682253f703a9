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

// A CounterStore is an [access.Counters] shared by all gateways of a space. It is safe for concurrent use.
//
// While NATS is available, each change is a message of a stream. While it is not, each gateway counts on its own within
// an equal share of the remaining limit. That usage is added to the stream before the gateways use the shared counts
// again; see package rejoin.
type CounterStore struct {
	st    *stream
	now   func() time.Time
	in    *follower
	group *rejoin.Group
	proof atomic.Uint64 // sequence number of the last message that proved that the counts are shared

	mu      sync.Mutex
	windows map[string]*window // by subject
	sweep   time.Time          // time of the next removal of expired windows
}

var _ access.Counters = (*CounterStore)(nil)

// A window is the last known count of an access.Window. A caller that has received from turn may change the other
// fields, except those protected by the mutex of the CounterStore.
type window struct {
	turn   chan struct{} // has one element while no call uses the window
	tokens []string      // tokens of its subject
	known  bool
	tally  access.Tally
	seq    uint64

	last    access.Window // the last access.Window counted
	used    access.Tally  // usage counted by this gateway alone, and manual changes
	debts   access.Tally  // changes that are not yet written
	writing access.Tally  // changes being written by the message with this id
	id      string

	// Protected by the mutex of the CounterStore.
	end  time.Time // when the window may be removed
	seen lastRead
}

// A lastRead is the last message read for one count: its value, its sequence number and its message ID.
type lastRead struct {
	tally access.Tally
	seq   uint64
	id    string
}

const (
	opCount = "store.count"
	// countTime is the maximum time of a count, because requests wait for it. It exceeds the time after which a gateway
	// counts alone.
	countTime = rejoin.Patience + 1500*time.Millisecond
	// keptAfter is how long a count is stored after its window has ended.
	keptAfter  = time.Minute
	sweepEvery = time.Minute
)

// Counters returns the CounterStore of the space. Every call returns the same one.
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

// Take adds n to the count, or as much as the limit of the window allows, and returns the added amount. If the limit
// allows less than the minimum amount least, Take adds nothing and returns 0.
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

// takeAlone implements Take while this gateway counts alone. It has an equal share of the remaining limit. The caller
// holds the turn of the window.
func (c *CounterStore) takeAlone(is *window, w access.Window, least, n int64) (taken int64, err error) {
	m, parts := c.group.Mode()
	if !m.IsAlone() {
		return 0, errModeChanged
	}
	rest := max(w.Limit-c.latest(is).In(w), 0)/int64(parts) - is.used.In(w)
	if taken = min(n, rest); taken < least {
		return 0, nil
	}
	is.deferChanges(w, access.Tally{{Start: w.Last(), N: taken}})
	return taken, nil
}

// latest returns the last known count. The caller holds the turn.
func (c *CounterStore) latest(is *window) access.Tally {
	c.mu.Lock()
	defer c.mu.Unlock()
	if is.seen.seq > is.seq {
		return is.seen.tally
	}
	return is.tally
}

// deferChanges records changes to be written later. The caller holds the turn.
func (is *window) deferChanges(w access.Window, changes access.Tally) {
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

// Add applies changes to a count, even above its limit. While counts are not shared, the changes are written later.
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
			if is.id == "" { // the failed message may still have been written
				is.writing, is.id = slices.Clone(changes), id
				is.last = w
				return nil
			}
		}
		is.deferChanges(w, changes)
		return nil
	})
}

// Count returns the known count of a window.
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

// errModeChanged is returned if the mode of counting changed during a call.
var errModeChanged = errors.New("the mode changed")

// count calls the function do with the window of w and the mode of counting. If the mode changes, it calls do again.
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

// inTurn waits until no other call uses the window, see window.turn. Then it calls the function do with the window.
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

// apply replaces a count by to(count) with a message of the given id. If to returns the count unchanged, apply only
// verifies that the count is current. If the stream already contains a message with this id, from an earlier attempt
// without an acknowledgment, apply does not write again. The caller holds the turn.
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
			seq, err := c.st.put(ctx, opCount, requestTimeout, m, is.seq)
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

// windowToken returns a subject token that distinguishes the windows of one name: the start of a fixed window, or the
// length of the parts of a moving window.
func windowToken(w access.Window) string {
	if w.Part > 0 {
		return moving + strconv.FormatInt(int64(w.Part), 10)
	}
	return strconv.FormatInt(w.Start.UnixNano(), 10)
}

// moving is the prefix of the token of moving windows.
const moving = "by"

// late returns the error of a call whose context is done.
func (c *CounterStore) late(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), errLate) {
		return c.st.s.unavailable(opCount, errLate)
	}
	return canceledError(opCount, ctx.Err())
}

// read reads a count and returns the id of its message. If the server lost an acknowledged message, for example because
// its disk is full, the last known count is used. The caller holds the turn.
func (c *CounterStore) read(ctx context.Context, is *window) (id string, err error) {
	var got lastRead
	m, err := c.st.last(ctx, opCount, requestTimeout, is.tokens...)
	switch {
	case err == nil:
		got = lastRead{access.ParseTally(m.data), m.seq, m.head.Get(headID)}
	case !errors.Is(err, errNothing):
		return "", err
	}
	c.mu.Lock()
	was := max(is.seq, is.seen.seq)
	c.mu.Unlock()
	if got.seq < was {
		info, err := c.st.info(ctx, opCount, requestTimeout)
		if err != nil {
			return "", err
		}
		c.mu.Lock()
		if info.State.LastSeq < was { // otherwise the count was removed
			got.tally = got.tally.AtLeast(is.tally).AtLeast(is.seen.tally)
		}
		is.seen = got
		c.mu.Unlock()
	}
	is.known, is.tally, is.seq = true, got.tally, got.seq
	return got.id, nil
}

// applyMessage applies a message of the stream with a count from any gateway.
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
	c.place(m.tokens, c.now().Add(life)).seen = lastRead{access.ParseTally(m.data), m.seq, m.head.Get(headID)}
}

// of returns the window of a count. It is retained as long as later windows may include the count.
func (c *CounterStore) of(w access.Window) *window {
	end := w.End
	if w.Part > 0 {
		end = end.Add(w.End.Sub(w.Start))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.place([]string{token(w.Name), windowToken(w)}, end)
}

// place returns the window of a subject, retained until end. The caller holds c.mu.
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
