package access

import (
	"context"
	"sync"
	"time"

	"github.com/callwright/callwright"
)

// A MemoryCounters counts in memory, for the gateways of one process. Use NewMemoryCounters. It deletes a count after
// the end of its window.
type MemoryCounters struct {
	now func() time.Time

	mu     sync.Mutex
	counts map[windowID]*count
	sweep  time.Time // time of the next deletion of ended windows
}

// A windowID identifies a count: start, in Unix nanoseconds, for a fixed window, or part, in nanoseconds, for a sliding
// one.
type windowID struct {
	name        string
	start, part int64
}

func idOf(w Window) windowID {
	if w.Part > 0 {
		return windowID{name: w.Name, part: int64(w.Part)}
	}
	return windowID{name: w.Name, start: w.Start.UnixNano()}
}

type count struct {
	tally Tally
	end   time.Time // when the count is in no window
}

var _ Counters = (*MemoryCounters)(nil)

// sweepEvery is the interval between deletions of ended windows.
const sweepEvery = time.Minute

// NewMemoryCounters returns empty counters. now returns the current time; nil means time.Now.
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
	if err := contextError(ctx); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.of(w)
	var taken int64
	c.tally, taken = c.tally.from(w.Start).Take(w, least, n)
	return taken, nil
}

// Add implements [Counters].
func (m *MemoryCounters) Add(ctx context.Context, w Window, changes Tally) error {
	if err := w.Validate(); err != nil {
		return err
	}
	if err := contextError(ctx); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.of(w)
	c.tally = c.tally.Add(w, changes)
	c.end = w.Expires(c.tally)
	return nil
}

// Count implements [Counters].
func (m *MemoryCounters) Count(ctx context.Context, w Window) (Tally, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	if err := contextError(ctx); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.counts[idOf(w)]; c != nil {
		return c.tally.Since(w.Start), nil
	}
	return nil, nil
}

// Sum returns count + n, limited to the range from 0 to the maximum int64.
func Sum(count, n int64) int64 {
	switch sum := count + n; {
	case n > 0 && sum < count:
		return 1<<63 - 1
	default:
		return max(sum, 0)
	}
}

// of returns the count of a window, which it creates if needed. The caller holds mu.
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
	id := idOf(w)
	c := m.counts[id]
	if c == nil {
		c = &count{}
		m.counts[id] = c
	}
	c.end = w.Expires(c.tally)
	return c
}

// contextError returns an error of KindCanceled if ctx has ended.
func contextError(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &callwright.Error{Op: "access.count", Kind: callwright.KindCanceled, Err: err}
	}
	return nil
}
