package access

import (
	"context"
	"sync"
	"time"

	"github.com/callwright/callwright"
)

// A MemoryCounters counts in memory, for the gateways of one process. Use NewMemoryCounters. A window's count is forgotten when the window has
// ended, by the clock.
type MemoryCounters struct {
	now func() time.Time

	mu     sync.Mutex
	counts map[windowID]*count
	sweep  time.Time // when windows that have ended are looked for again
}

type windowID struct {
	name  string
	start int64 // in nanoseconds since 1970
}

type count struct {
	n   int64
	end time.Time
}

var _ Counters = (*MemoryCounters)(nil)

// sweepEvery is how often windows that have ended are looked for.
const sweepEvery = time.Minute

// NewMemoryCounters returns counters by a clock, that of the machine where now is nil.
func NewMemoryCounters(now func() time.Time) *MemoryCounters {
	if now == nil {
		now = time.Now
	}
	return &MemoryCounters{now: now, counts: map[windowID]*count{}}
}

// Take implements [Counters].
func (m *MemoryCounters) Take(ctx context.Context, w Window, least, n int64) (int64, error) {
	if err := ValidateTake(w, least, n); err != nil {
		return 0, err
	}
	if err := ended(ctx); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.of(w)
	left := w.Limit - c.n
	if left < least {
		return 0, nil
	}
	taken := min(n, left)
	c.n += taken
	return taken, nil
}

// Add implements [Counters].
func (m *MemoryCounters) Add(ctx context.Context, w Window, n int64) error {
	if err := w.Validate(); err != nil {
		return err
	}
	if err := ended(ctx); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.of(w)
	c.n = Sum(c.n, n)
	return nil
}

// Count implements [Counters].
func (m *MemoryCounters) Count(ctx context.Context, w Window) (int64, error) {
	if err := w.Validate(); err != nil {
		return 0, err
	}
	if err := ended(ctx); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.counts[windowID{w.Name, w.Start.UnixNano()}]; c != nil {
		return c.n, nil
	}
	return 0, nil
}

// Sum returns a count with n added to it: at least 0, and at most what an int64 holds.
func Sum(count, n int64) int64 {
	switch sum := count + n; {
	case n > 0 && sum < count:
		return 1<<63 - 1
	default:
		return max(sum, 0)
	}
}

// of returns the count of a window. The caller holds mu.
func (m *MemoryCounters) of(w Window) *count {
	now := m.now()
	if !now.Before(m.sweep) {
		for id, c := range m.counts {
			if !now.Before(c.end) {
				delete(m.counts, id)
			}
		}
		m.sweep = now.Add(sweepEvery)
	}
	id := windowID{w.Name, w.Start.UnixNano()}
	c := m.counts[id]
	if c == nil {
		c = &count{}
		m.counts[id] = c
	}
	c.end = w.End
	return c
}

// ended returns the error of a context that has ended.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &callwright.Error{Op: "access.count", Kind: callwright.KindCanceled, Err: err}
	}
	return nil
}
