package access

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A gateway takes at most 1/shares of a window's limit at once, and returns the amount that it holds beyond holding
// such shares.
const (
	shares  = 64
	holding = 2
)

// Times of a meter.
const (
	counterTime = 5 * time.Second // timeout of a call of the counters
	// maximum time for which a window counts as exhausted before the counters are asked again, since other gateways may
	// return amounts
	fullTime = time.Second
)

// A meter counts the use of one limit of a key, in windows that gateways share. It holds the unused rest of the amounts
// that it took from the counters, for later requests in the same part of the window. While the counters fail, it uses
// only the amount that it holds. It is safe for concurrent use.
type meter struct {
	counters Counters
	now      func() time.Time
	name     string
	per      Period

	mu             sync.Mutex
	limit          int64 // 0 for no limit
	w              Window
	held           int64
	mine           Tally // use by this gateway
	pendingChanges Tally // changes that must still be sent to the counters
	refused        int64 // the smallest amount that was refused recently; 0 for none
	full           Tally // the counts when it was refused
	fullUntil      time.Time
	failed         error // error of the last call of the counters

	failures atomic.Int64 // number of errors of the counters

	watch    *watch       // reports reached percentages; nil for none
	reserved atomic.Int64 // amount reserved by running requests: reserveEstimate adds to it, settle subtracts from it
	looked   int64        // use by this gateway when the watch was called last
	nextLook time.Time    // time of the next call of the watch, even for little use
}

// setLimit changes the limit. It returns the held amount to the counters, since it was a share of the old limit.
func (m *meter) setLimit(limit int64, per Period) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if limit <= 0 {
		per = m.per // running requests are settled in the window of their reservations
	}
	if limit == m.limit && per == m.per {
		return
	}
	if m.held > 0 {
		if m.roll(); m.held > 0 {
			m.giveBack(context.Background(), m.held)
		}
	}
	if per != m.per {
		m.per, m.w, m.held, m.mine, m.pendingChanges = per, Window{}, 0, nil, nil
	}
	m.limit, m.w.Limit, m.refused = limit, limit, 0
	if m.watch != nil {
		m.watch.reset()
	}
	m.nextLook = time.Time{}
}

// A reservation is an amount that was counted in advance. The zero reservation is none.
type reservation struct {
	part time.Time // start of the part of the window in which it is counted
	n    int64
}

// An amount is the expected use of a request: least is the estimate, most an upper bound. They are equal if there is
// only an estimate.
type amount struct{ least, most int64 }

// A denial is the reason why an amount was not counted.
type denial struct {
	wait    time.Duration // time until the amount may be available
	unknown error         // error if the remaining amount is unknown, else nil
}

// reserve counts an amount in advance: a.most if available, else the rest of the limit. It returns a denial if the rest
// is below a.least. An amount above the limit counts as the limit.
func (m *meter) reserve(ctx context.Context, a amount) (reservation, *denial) {
	failures := m.failures.Load()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.limit <= 0 || a.least <= 0 {
		return reservation{}, nil
	}
	now := m.roll()
	a.least, a.most = min(a.least, m.limit), min(a.most, m.limit)
	if m.held < a.least && m.failures.Load() != failures { // the counters failed for another request while this one waited
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

// obtain takes up to a.most from the held amount and the counters, and returns it. It takes nothing and returns 0 if
// less than a.least is available. The caller holds mu.
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

// rest takes and returns the whole held amount. If that is less than a.least, rest returns 0 and changes nothing. The
// caller holds mu.
func (m *meter) rest(a amount) int64 {
	if m.held < a.least {
		return 0
	}
	n := m.held
	m.held = 0
	return n
}

// refuse records that the counters refused an amount of need units, to answer later requests without the counters. The
// caller holds mu.
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

// wait returns the time until n is available, after a refusal. The caller holds mu.
func (m *meter) wait(n int64, now time.Time) time.Duration {
	return m.full.frees(m.w, Sum(m.full.In(m.w), n)-m.held-m.limit).Sub(now)
}

// settle replaces a reservation by the actual use. An unused rest becomes available again while its part is in the
// window. Use beyond the reservation is counted now.
func (m *meter) settle(ctx context.Context, r reservation, used int64) {
	m.reserved.Add(-r.n)
	m.correct(ctx, r, used)
	m.look(ctx)
}

// reserveEstimate is like reserve for an amount that settle corrects later.
func (m *meter) reserveEstimate(ctx context.Context, a amount) (reservation, *denial) {
	r, d := m.reserve(ctx, a)
	if d != nil {
		m.look(ctx)
	}
	m.reserved.Add(r.n)
	return r, d
}

// correct replaces the reserved amount by the used amount.
func (m *meter) correct(ctx context.Context, r reservation, used int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.limit <= 0 && r.n == 0 {
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
		m.pendingChanges = m.pendingChanges.withChange(r.part, more)
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
		m.pendingChanges = m.pendingChanges.withChange(m.w.Last(), n)
		_ = m.tell(ctx)
	}
}

// giveBack returns n of the held amount to the counters. The caller holds mu.
func (m *meter) giveBack(ctx context.Context, n int64) {
	m.held -= n
	m.pendingChanges = m.pendingChanges.withChange(m.w.Last(), -n)
	_ = m.tell(ctx)
}

// tell sends the pending changes to the counters. After an error they remain pending. The caller holds mu.
func (m *meter) tell(ctx context.Context) error {
	if len(m.pendingChanges) == 0 {
		return nil
	}
	ctx, cancel := withCounterTimeout(ctx)
	defer cancel()
	if err := m.counters.Add(ctx, m.w, m.pendingChanges); err != nil {
		return err
	}
	m.pendingChanges = nil
	return nil
}

// unusedAmount returns the part of the pending changes that is returned to the counters. The caller holds mu.
func (m *meter) unusedAmount() int64 {
	var n int64
	for _, p := range m.pendingChanges {
		n -= min(p.N, 0)
	}
	return n
}

// close returns the held amount to the counters.
func (m *meter) close(ctx context.Context) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.limit > 0 {
		m.roll()
		m.giveBack(ctx, m.held)
	}
}

// most returns the maximum amount that one call of the counters reserves for this gateway. The caller holds mu.
func (m *meter) most() int64 { return max(m.limit/shares, 1) }

// share returns the amount that the next call of the counters reserves for this gateway. In a sliding window it is at
// most the use in the last part, since the unused amount is returned at the end of the part. The caller holds mu.
func (m *meter) share() int64 {
	if m.w.Part == 0 {
		return m.most()
	}
	lately := m.mine.from(m.w.Last().Add(-m.w.Part)).In(m.w)
	return max(min(m.most(), lately), 1)
}

// roll changes to the present window if the last one has ended, and returns the present time. The caller holds mu.
func (m *meter) roll() time.Time {
	now := m.now()
	if m.w.Name != "" && now.Before(m.w.End) && !now.Before(m.w.Start) { // else the clock was set back
		return now
	}
	if m.w.Part > 0 && m.held > 0 {
		m.pendingChanges = m.pendingChanges.withChange(m.w.Last(), -m.held)
	}
	m.w = m.per.window(now)
	m.w.Name, m.w.Limit = m.name, m.limit
	m.held, m.refused = 0, 0
	m.mine, m.pendingChanges = m.mine.from(m.w.Start), m.pendingChanges.from(m.w.Start)
	return now
}

// A reading is the state of a meter.
type reading struct {
	limit, used int64
	per         Period
	resets      time.Time
}

// read returns the use by all gateways. Amounts that other gateways hold count as used. If the counters fail, it
// returns the use by this gateway.
func (m *meter) read(ctx context.Context) reading {
	m.mu.Lock()
	now := m.roll()
	out := reading{limit: m.limit, per: m.per}
	w, used := m.w, slices.Clone(m.mine)
	own := slices.Clone(m.pendingChanges).withChange(w.Last(), -m.held)
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

// withCounterTimeout returns a context for a call of the counters. It is not cancelled with ctx, since the count would
// then be unknown.
func withCounterTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), counterTime)
}
