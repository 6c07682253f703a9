package access

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Shares of a window's budget: a gateway takes one of so many parts at a time at most, and gives back its amount beyond
// two.
const (
	shares  = 64
	holding = 2
)

// Times of a meter.
const (
	counterTime = 5 * time.Second // how long counters may take to answer
	// how long a window is taken for full at most before the counters are asked again: others may have given back
	fullTime = time.Second
)

// A meter counts one key's use of one limit, in windows that gateways share. It holds the unused rest of the amounts
// that it took from the counters, for its own requests, as long as the part of the window lasts in which they were
// taken. While the counters do not answer only the held amount is used. It is safe for concurrent use.
type meter struct {
	counters Counters
	now      func() time.Time
	name     string
	per      Period

	mu        sync.Mutex
	limit     int64 // 0: none
	w         Window
	held      int64
	mine      Tally // used here
	owed      Tally // changes that the counters were not told of yet
	refused   int64 // the least amount that was refused lately, 0 for none
	full      Tally // what the counters had when it was
	fullUntil time.Time
	failed    error // of the counters, when they were asked last

	failures atomic.Int64 // of the counters

	watch    *watch       // of the shares that are reached; nil for none
	reserved atomic.Int64 // by requests that run: hold adds it, settle subtracts it
	looked   int64        // what was used here when the watch saw it last
	nextLook time.Time    // when it sees it next, however little is used
}

// setLimit changes the limit. The held amount goes back: it was a share of the old one.
func (m *meter) setLimit(limit int64, per Period) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if limit == m.limit && per == m.per {
		return
	}
	if m.held > 0 {
		if m.roll(); m.held > 0 {
			m.giveBack(context.Background(), m.held)
		}
	}
	if per != m.per {
		m.per, m.w, m.held, m.mine, m.owed = per, Window{}, 0, nil, nil
	}
	m.limit, m.w.Limit, m.refused = limit, limit, 0
}

// A reservation is an amount that was counted ahead. The zero reservation is none.
type reservation struct {
	part time.Time // in which it counts
	n    int64
}

// An amount is how much a request may use: least is the estimate, most the upper bound. They are the same where the
// estimate is all there is.
type amount struct{ least, most int64 }

// A denial is why an amount was not counted.
type denial struct {
	wait    time.Duration // how long it will not be left
	unknown error         // why it is not known what is left; nil where it is
}

// reserve counts an amount in advance: the most where that is left, else the rest. It is denied where the least is not
// left. An amount above the whole limit counts as the limit.
func (m *meter) reserve(ctx context.Context, a amount) (reservation, *denial) {
	failures := m.failures.Load()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.limit <= 0 || a.least <= 0 {
		return reservation{}, nil
	}
	now := m.roll()
	a.least, a.most = min(a.least, m.limit), min(a.most, m.limit)
	if m.held < a.least && m.failures.Load() != failures { // it waited for another one, for which the counters did not answer
		return reservation{}, &denial{unknown: m.failed}
	}
	n, err := m.obtain(ctx, a, now)
	switch {
	case err != nil:
		m.failed = err
		m.failures.Add(1)
		return reservation{}, &denial{unknown: err}
	case n == 0:
		return reservation{}, &denial{wait: m.wait(a.least, now)}
	}
	m.mine = m.mine.with(m.w.Last(), n)
	return reservation{m.w.Last(), n}, nil
}

// obtain returns how much of an amount may be used, 0 for none: of the held amount, and of the counters' rest. The
// caller holds mu.
func (m *meter) obtain(ctx context.Context, a amount, now time.Time) (int64, error) {
	if m.held >= a.most {
		m.held -= a.most
		return a.most, nil
	}
	need := max(a.least-m.held, 1)
	if m.refused > 0 && need >= m.refused && now.Before(m.fullUntil) {
		return m.rest(a), nil
	}
	err := m.tell(ctx)
	var got int64
	if err == nil {
		ctx, cancel := withCounterTimeout(ctx)
		defer cancel()
		got, err = m.counters.Take(ctx, m.w, need, max(a.most-m.held, m.share()))
	}
	if err != nil {
		if n := m.rest(a); n > 0 {
			return n, nil
		}
		return 0, err
	}
	if got == 0 {
		m.refuse(ctx, need, now)
		return m.rest(a), nil
	}
	m.refused = 0
	m.held += got
	n := min(a.most, m.held)
	m.held -= n
	return n, nil
}

// rest returns all that is held where no more can be taken, 0 where that is less than the least. The caller holds mu.
func (m *meter) rest(a amount) int64 {
	if m.held < a.least {
		return 0
	}
	n := m.held
	m.held = 0
	return n
}

// refuse remembers that so much was not left. The caller holds mu.
func (m *meter) refuse(ctx context.Context, need int64, now time.Time) {
	m.refused, m.fullUntil = need, now.Add(fullTime)
	if m.w.Part > 0 && m.w.End.Before(m.fullUntil) {
		m.fullUntil = m.w.End
	}
	var err error
	if m.full, err = m.counters.Count(ctx, m.w); err != nil {
		m.full = slices.Clone(m.mine)
	}
}

// wait is how long n will not be left. The caller holds mu, and was refused.
func (m *meter) wait(n int64, now time.Time) time.Duration {
	return m.full.frees(m.w, Sum(m.full.In(m.w), n)-m.held-m.limit).Sub(now)
}

// settle replaces a reservation by the actual use. The unused rest is free again while its part is in the window; use
// beyond it counts now.
func (m *meter) settle(ctx context.Context, r reservation, used int64) {
	m.reserved.Add(-r.n)
	m.correct(ctx, r, used)
	m.look(ctx)
}

// hold is reserve for an amount that settle corrects later.
func (m *meter) hold(ctx context.Context, a amount) (reservation, *denial) {
	r, d := m.reserve(ctx, a)
	if d != nil {
		m.look(ctx)
	}
	m.reserved.Add(r.n)
	return r, d
}

// correct replaces the reserved by the used amount.
func (m *meter) correct(ctx context.Context, r reservation, used int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.limit <= 0 {
		return
	}
	m.roll()
	more := used - r.n
	switch {
	case more > 0:
		m.charge(ctx, more)
		return
	case more == 0 || r.part.Before(m.w.Start):
		return
	}
	m.mine, m.refused = m.mine.with(r.part, more), 0
	if !r.part.Equal(m.w.Last()) {
		m.owed = m.owed.withChange(r.part, more)
		if m.unusedAmount() > m.most() {
			_ = m.tell(ctx)
		}
		return
	}
	if m.held -= more; m.held > holding*m.share() {
		m.giveBack(ctx, m.held-m.share())
	}
}

// charge counts use beyond all reservations. The caller holds mu.
func (m *meter) charge(ctx context.Context, n int64) {
	m.mine = m.mine.with(m.w.Last(), n)
	fromHeld := min(n, m.held)
	m.held -= fromHeld
	if n -= fromHeld; n > 0 {
		m.owed = m.owed.withChange(m.w.Last(), n)
		_ = m.tell(ctx)
	}
}

// giveBack returns n of the held amount to the counters. The caller holds mu.
func (m *meter) giveBack(ctx context.Context, n int64) {
	m.held -= n
	m.owed = m.owed.withChange(m.w.Last(), -n)
	_ = m.tell(ctx)
}

// tell tells the counters of changes. Those that they did not take are told again. The caller holds mu.
func (m *meter) tell(ctx context.Context) error {
	if len(m.owed) == 0 {
		return nil
	}
	ctx, cancel := withCounterTimeout(ctx)
	defer cancel()
	if err := m.counters.Add(ctx, m.w, m.owed); err != nil {
		return err
	}
	m.owed = nil
	return nil
}

// unusedAmount is the part of the owed amount that goes back. The caller holds mu.
func (m *meter) unusedAmount() int64 {
	var n int64
	for _, p := range m.owed {
		n -= min(p.N, 0)
	}
	return n
}

// close gives back all that is held.
func (m *meter) close(ctx context.Context) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.limit > 0 {
		m.roll()
		m.giveBack(ctx, m.held)
	}
}

// most is how much is taken at a time at most. The caller holds mu.
func (m *meter) most() int64 { return max(m.limit/shares, 1) }

// share is how much is taken at a time. Of a moving window that is the recent use, as no more will be needed soon: the
// held amount goes back when the part ends. The caller holds mu.
func (m *meter) share() int64 {
	if m.w.Part == 0 {
		return m.most()
	}
	lately := m.mine.from(m.w.Last().Add(-m.w.Part)).In(m.w)
	return max(min(m.most(), lately), 1)
}

// roll goes on to the window that is now. The caller holds mu.
func (m *meter) roll() time.Time {
	now := m.now()
	if m.w.Name != "" && now.Before(m.w.End) {
		return now
	}
	if m.w.Part > 0 && m.held > 0 {
		m.owed = m.owed.withChange(m.w.Last(), -m.held)
	}
	m.w = m.per.window(now)
	m.w.Name, m.w.Limit = m.name, m.limit
	m.held, m.refused = 0, 0
	m.mine, m.owed = m.mine.from(m.w.Start), m.owed.from(m.w.Start)
	return now
}

// A reading is the shown state of a meter.
type reading struct {
	limit, used int64
	per         Period
	resets      time.Time
}

// read returns the use of all gateways: amounts that others hold count as used. Where the counters do not answer it is
// the use of this gateway.
func (m *meter) read(ctx context.Context) reading {
	m.mu.Lock()
	now := m.roll()
	out := reading{limit: m.limit, per: m.per}
	w, used := m.w, slices.Clone(m.mine)
	own := slices.Clone(m.owed).withChange(w.Last(), -m.held)
	m.mu.Unlock()
	if out.limit > 0 {
		ctx, cancel := withCounterTimeout(ctx)
		defer cancel()
		if all, err := m.counters.Count(ctx, w); err == nil {
			used = all.Add(w, own)
		}
	}
	out.used, out.resets = used.In(w), w.End
	if w.Part > 0 {
		out.resets = now
		if n := len(used); n > 0 {
			out.resets = used[n-1].Start.Add(w.End.Sub(w.Start))
		}
	}
	return out
}

// withCounterTimeout is the context of a question to the counters: it does not end with the request, which would leave
// the count unknown.
func withCounterTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), counterTime)
}
