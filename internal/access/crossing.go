package access

import (
	"context"
	"sync"
	"time"
)

// A Crossing reports that the use of a limit has reached 80 or 100 percent.
type Crossing struct {
	// Key is the key with the limit. It is empty if Group, a group of keys, has the limit. Both are empty for the limit of
	// all keys.
	Key, Group string
	// Limit is the limit with its use.
	Limit Limit
	// Percent is the reached percentage: 80 or 100.
	Percent int
	// Period is the period of the limit.
	Period Period
}

// crossingPercents are the reported percentages, the highest first.
var crossingPercents = [...]int{100, 80}

// Intervals between two checks of the use of a limit.
const (
	lookEvery = time.Second
	lookSteps = 100              // a check is also due after each such fraction of the limit
	tellEvery = minuteWindow     // minimum interval between reports of a percentage of a sliding window
	fullShare = 100              // percent
	maxShare  = 1 << 62 / 100000 // above it, percentages are computed without a product that would overflow
)

// A watch reports the percentages of a limit that its use reaches. It reports each percentage once in a fixed window.
// In a sliding window it reports a percentage again after the use has fallen below it. It is safe for concurrent use.
type watch struct {
	tell func(percent int, r reading)

	mu    sync.Mutex
	start time.Time // start of the watched window, if it is fixed
	level int       // last percentage that was used
	told  [len(crossingPercents)]time.Time
}

// reset forgets the reported percentages, which were those of another limit.
func (w *watch) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.level, w.told = 0, [len(crossingPercents)]time.Time{}
}

// see reports the highest percentage that the use in r has newly reached. start is the start of a fixed window.
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

// shareOf returns the used percentage of a limit, from 0 to 100.
func shareOf(used, limit int64) int {
	switch {
	case used >= limit:
		return fullShare
	case used < maxShare:
		return int(used * fullShare / limit)
	}
	return int(used / (limit/fullShare + 1))
}

// look passes the use to the watch if enough was used, or enough time has passed, since the last call. Only settled
// amounts count as used, not reservations of running requests.
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

// crossingReporter returns the function that reports the percentages of one limit of a budget. quantity and unit are
// those of [budget.limit].
func (b *budget) crossingReporter(g *Gate, quantity string, unit float64) func(percent int, r reading) {
	return func(percent int, r reading) {
		c := Crossing{Percent: percent, Period: r.per, Limit: b.limit(quantity, unit, r)}
		switch {
		case b.grouped:
			c.Group = b.owner
		case b.owner != allKeys:
			c.Key = b.owner
		}
		g.tellCrossing(c)
	}
}

// tellCrossing logs a crossing and calls Config.Crossed.
func (g *Gate) tellCrossing(c Crossing) {
	g.log.Warn("the usage of a limit reached a threshold", "key", c.Key, "group", c.Group, "limit", c.Limit.What, "models",
		c.Limit.Models, "per", c.Period, "percent", c.Percent,
		"used", c.Limit.Used, "of", c.Limit.Limit)
	if g.crossed != nil {
		g.crossed(c)
	}
}
