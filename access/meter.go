package access

import (
	"context"
	"sync"
	"time"
)

// Shares are how a gateway deals with a window's budget: it takes one of so many parts at a time, and gives back what is more than two.
const (
	shares  = 64
	holding = 2
)

// Times of a meter.
const (
	counterTime = time.Second     // how long counters may take to answer
	fullTime    = time.Second     // how long a window is taken for full before the counters are asked again: others may have given back
	awayTime    = 3 * time.Second // how long counters that did not answer are not asked
)

// A meter counts what one key uses of one limit, in windows that gateways share. What it takes from the counters and does not use yet it
// holds, for its own requests. While the counters do not answer it counts on its own. It is safe for concurrent use.
type meter struct {
	counters Counters
	now      func() time.Time
	name     string
	per      Period

	mu        sync.Mutex
	limit     int64 // 0: none
	w         Window
	held      int64
	used      int64 // here, in this window
	owed      int64 // used, and not counted by the counters yet
	refused   int64 // the least amount that was refused lately, 0 for none
	fullUntil time.Time
	awayUntil time.Time
}

// setLimit changes the limit. What is held goes back: it was a share of the old one.
func (m *meter) setLimit(limit int64, per Period) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if limit == m.limit && per == m.per {
		return
	}
	if m.held > 0 {
		m.giveBack(context.Background(), m.held, m.roll())
		m.held = 0
	}
	if per != m.per {
		m.per, m.w = per, Window{}
	}
	m.limit, m.w.Limit, m.refused = limit, limit, 0
}

// A reservation is an amount that was counted ahead. The zero reservation is none.
type reservation struct {
	start time.Time // of the window
	n     int64
}

// reserve counts n ahead. Where that is not left it is not ok, and wait is how long the window lasts. More than the whole limit is as much
// as the limit.
func (m *meter) reserve(ctx context.Context, n int64) (r reservation, wait time.Duration, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.limit <= 0 || n <= 0 {
		return reservation{}, 0, true
	}
	now := m.roll()
	n = min(n, m.limit)
	if !m.has(ctx, n, now) {
		return reservation{}, m.w.End.Sub(now), false
	}
	m.used += n
	return reservation{m.w.Start, n}, 0, true
}

// has sees to it that n is held, and takes it from there. The caller holds mu.
func (m *meter) has(ctx context.Context, n int64, now time.Time) bool {
	if m.held >= n {
		m.held -= n
		return true
	}
	need := n - m.held
	switch {
	case now.Before(m.awayUntil):
		return m.alone(n)
	case m.refused > 0 && need >= m.refused && now.Before(m.fullUntil):
		return false
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	if m.owed > 0 {
		if m.counters.Add(ctx, m.w, m.owed) != nil {
			return m.lost(n, now)
		}
		m.owed = 0
	}
	got, err := m.counters.Take(ctx, m.w, need, max(need, m.share()))
	switch {
	case err != nil:
		return m.lost(n, now)
	case got == 0:
		m.refused, m.fullUntil = need, now.Add(fullTime)
		return false
	}
	m.refused = 0
	m.held += got - n
	return true
}

// lost is has when the counters do not answer.
func (m *meter) lost(n int64, now time.Time) bool {
	m.awayUntil = now.Add(awayTime)
	return m.alone(n)
}

// alone goes on without the counters: what is used here stays within the limit.
func (m *meter) alone(n int64) bool {
	if Sum(m.used, n) > m.limit {
		return false
	}
	m.owed += n - m.held
	m.held = 0
	return true
}

// settle says what a reservation came to. What was reserved beyond it is free again while its window lasts; what was used beyond it counts
// in the window that is now.
func (m *meter) settle(ctx context.Context, r reservation, used int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.limit <= 0 {
		return
	}
	now := m.roll()
	switch more := used - r.n; {
	case more > 0:
		m.used = Sum(m.used, more)
		m.charge(ctx, more, now)
	case more < 0 && r.start.Equal(m.w.Start):
		m.used = Sum(m.used, more)
		m.held -= more
		m.refused = 0
		if m.held > holding*m.share() {
			m.giveBack(ctx, m.held-m.share(), now)
		}
	}
}

// charge counts what was used beyond all that was reserved. The caller holds mu.
func (m *meter) charge(ctx context.Context, n int64, now time.Time) {
	fromHeld := min(n, m.held)
	m.held -= fromHeld
	m.owed = Sum(m.owed, n-fromHeld)
	if m.owed == 0 || now.Before(m.awayUntil) {
		return
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	if m.counters.Add(ctx, m.w, m.owed) != nil {
		m.awayUntil = now.Add(awayTime)
		return
	}
	m.owed = 0
}

// giveBack returns n of what is held to the counters. The caller holds mu.
func (m *meter) giveBack(ctx context.Context, n int64, now time.Time) {
	if n <= 0 || now.Before(m.awayUntil) {
		return
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	if m.counters.Add(ctx, m.w, -n) != nil {
		m.awayUntil = now.Add(awayTime)
		return
	}
	m.held -= n
}

// close gives back all that is held.
func (m *meter) close(ctx context.Context) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.limit > 0 {
		now := m.roll()
		m.giveBack(ctx, m.held, now)
	}
}

// share is how much is taken at a time. The caller holds mu.
func (m *meter) share() int64 { return max(m.limit/shares, 1) }

// roll goes on to the window that is now. The caller holds mu.
func (m *meter) roll() time.Time {
	now := m.now()
	if m.w.Name == "" || !now.Before(m.w.End) {
		start, end := m.per.window(now)
		m.w = Window{Name: m.name, Start: start, End: end, Limit: m.limit}
		m.held, m.used, m.owed, m.refused = 0, 0, 0, 0
	}
	return now
}

// A reading is what a meter shows.
type reading struct {
	limit, used int64
	per         Period
	resets      time.Time
}

// read returns what is used by all gateways: what others hold counts as used. Where the counters do not answer it is what is used here.
func (m *meter) read(ctx context.Context) reading {
	m.mu.Lock()
	now := m.roll()
	out := reading{limit: m.limit, used: m.used, per: m.per, resets: m.w.End}
	w, own, away := m.w, m.owed-m.held, now.Before(m.awayUntil)
	m.mu.Unlock()
	if out.limit <= 0 || away {
		return out
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	if n, err := m.counters.Count(ctx, w); err == nil {
		out.used = Sum(n, own)
	}
	return out
}

// bounded is the context of a question to the counters: it does not end with the request, which would leave the count unknown.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), counterTime)
}
