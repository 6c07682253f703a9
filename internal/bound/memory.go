package bound

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
)

// maxCounts is the maximum number of counters in memory. A conversation has up to four for each scope.
const maxCounts = 40_000

// A memory stores counters in memory. If it is full, it removes the least recently used counter.
type memory struct {
	mu    sync.Mutex
	byID  map[countID]*list.Element
	order *list.List // of *count, most recently used first
}

type count struct {
	id    countID
	tally access.Tally
}

// A countID identifies a counter. start is set only for a fixed window, part only for a sliding window.
type countID struct {
	name  string
	start int64
	part  time.Duration
}

func idOf(w access.Window) countID {
	if w.Part > 0 {
		return countID{name: w.Name, part: w.Part}
	}
	return countID{name: w.Name, start: w.Start.UnixNano()}
}

var _ access.Counters = (*memory)(nil)

func newMemory() *memory { return &memory{byID: map[countID]*list.Element{}, order: list.New()} }

// Take implements [access.Counters].
func (m *memory) Take(ctx context.Context, w access.Window, least, n int64) (taken int64, err error) {
	if err := access.ValidateTake(w, least, n); err != nil {
		return 0, err
	}
	err = m.change(ctx, w, func(t access.Tally) access.Tally {
		t, taken = t.Take(w, least, n)
		return t
	})
	return taken, err
}

// Add implements [access.Counters].
func (m *memory) Add(ctx context.Context, w access.Window, changes access.Tally) error {
	return m.change(ctx, w, func(t access.Tally) access.Tally { return t.Add(w, changes) })
}

// Count implements [access.Counters].
func (m *memory) Count(ctx context.Context, w access.Window) (out access.Tally, err error) {
	err = m.change(ctx, w, func(t access.Tally) access.Tally {
		out = t.Since(w.Start)
		return t
	})
	return out, err
}

func (m *memory) change(ctx context.Context, w access.Window, to func(access.Tally) access.Tally) error {
	if err := w.Validate(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return &callwright.Error{Op: "bound.count", Kind: callwright.KindCanceled, Err: err}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	id := idOf(w)
	e := m.byID[id]
	if e == nil {
		c := &count{id: id}
		if c.tally = to(nil); len(c.tally) == 0 {
			return nil
		}
		if m.order.Len() >= maxCounts {
			oldest := m.order.Back()
			m.order.Remove(oldest)
			delete(m.byID, oldest.Value.(*count).id)
		}
		m.byID[id] = m.order.PushFront(c)
		return nil
	}
	m.order.MoveToFront(e)
	c := e.Value.(*count)
	c.tally = to(c.tally.Since(w.Start))
	return nil
}
