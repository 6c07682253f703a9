package access

import (
	"context"
	"sync"
	"time"
)

// A Crossing reports that the use of a limit has reached a share of it.
type Crossing struct {
	// Key is the key with the limit. It is empty if Group, a group of keys, has the limit. Both are empty for the limit of
	// all keys.
	Key, Group string
	// Limit is the limit with its use.
	Limit Limit
	// Percent is the share: 80 or 100.
	Percent int
	// Period is the period of the limit.
	Period Period
}

// The shares that a Crossing is told of, the highest first.
var crossingPercents = [...]int{100, 80}

// Times and steps between two looks at the use of a limit.
const (
	lookEvery = time.Second
	lookSteps = 100              // it is looked at again after each such part of the limit, whatever the time
	tellEvery = minuteWindow     // a share of a window that moves is told again after this time at the earliest
	fullShare = 100              // percent
	maxShare  = 1 << 62 / 100000 // above it shares are computed without a product that overflows
)

// A watch tells of the shares of a limit that its use reaches: each once in a window that stands. In one that moves a
// share is told of again when the use fell below it before. It is safe for concurrent use.
type watch struct {
	tell func(percent int, r reading)

	mu    sync.Mutex
	start time.Time // of the window that is watched, where it stands
	level int       // the share that was reached last
	told  [len(crossingPercents)]time.Time
}

// see takes in the use of a limit at a time.
func (w *watch) see(r reading, start time.Time, now time.Time) {
	percent := shareOf(r.used, r.limit)
	w.mu.Lock()
	if r.per != Minute && !w.start.Equal(start) {
		w.start, w.level = start, 0
	}
	before := w.level
	if r.per == Minute || percent > before {
		w.level = percent
	}
	reached := 0
	for i, share := range crossingPercents {
		if percent < share || before >= share || r.per == Minute && now.Sub(w.told[i]) < tellEvery {
			continue
		}
		w.told[i] = now
		reached = max(reached, share)
	}
	w.mu.Unlock()
	if reached > 0 {
		w.tell(reached, r)
	}
}

// shareOf returns the percentage of a limit that is used, 0 to 100.
func shareOf(used, limit int64) int {
	switch {
	case used >= limit:
		return fullShare
	case used < maxShare:
		return int(used * fullShare / limit)
	}
	return int(used / (limit/fullShare + 1))
}

// look has the watch see the use, where enough was used or enough time has passed since the last look. used are settled
// amounts, without reservations of running requests.
func (m *meter) look(ctx context.Context) {
	if m.watch == nil {
		return
	}
	m.mu.Lock()
	if m.limit <= 0 {
		m.mu.Unlock()
		return
	}
	now := m.roll()
	reserved := m.reserved.Load()
	settled := m.mine.In(m.w) - reserved
	if now.Before(m.nextLook) && settled-m.looked < max(m.limit/lookSteps, 1) {
		m.mu.Unlock()
		return
	}
	m.nextLook, m.looked = now.Add(lookEvery), settled
	start := m.w.Start
	m.mu.Unlock()
	r := m.read(ctx)
	r.used = max(r.used-reserved, 0)
	if r.limit > 0 {
		m.watch.see(r, start, now)
	}
}

// crossingReporter returns the function that tells of the shares of one limit of a budget.
func (b *budget) crossingReporter(g *Gate, what string, unit float64) func(percent int, r reading) {
	return func(percent int, r reading) {
		c := Crossing{Percent: percent, Period: r.per, Limit: b.limit(what, unit, r)}
		switch {
		case b.grouped:
			c.Group = b.owner
		case b.owner != allKeys:
			c.Key = b.owner
		}
		g.tellCrossing(c)
	}
}

// tellCrossing logs a crossing, and tells whoever the Config names.
func (g *Gate) tellCrossing(c Crossing) {
	g.log.Warn("the use of a limit passed a threshold", "key", c.Key, "group", c.Group, "limit", c.Limit.What, "models",
		c.Limit.Models, "per", c.Period, "percent", c.Percent,
		"used", c.Limit.Used, "of", c.Limit.Limit)
	if g.crossed != nil {
		g.crossed(c)
	}
}
