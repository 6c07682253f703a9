package agent

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/callwright/callwright"
)

// A MemoryJournal is a Journal in memory, for tests and for runs that need not survive the process. Create it with
// NewMemory. It never removes a run. It is safe for concurrent use.
type MemoryJournal struct {
	mu   sync.RWMutex
	runs map[RunID][]Entry // existing entries are never modified
}

var (
	_ Journal   = (*MemoryJournal)(nil)
	_ RunLister = (*MemoryJournal)(nil)
)

// NewMemory returns an empty MemoryJournal.
func NewMemory() *MemoryJournal { return &MemoryJournal{runs: map[RunID][]Entry{}} }

// Load returns copies of the entries of the run and their number. An unknown run has no entries and no error.
func (m *MemoryJournal) Load(ctx context.Context, run RunID) (entries []Entry, last uint64, err error) {
	if err := m.ready(ctx, run); err != nil {
		return nil, 0, err
	}
	m.mu.RLock()
	kept := m.runs[run]
	m.mu.RUnlock()
	for _, e := range kept {
		entries = append(entries, cloneEntry(e))
	}
	return entries, uint64(len(entries)), nil
}

// Append adds an entry to the run and returns prev+1. It fails with [callwright.KindConflict] if the run does not have
// exactly prev entries. It copies e.Data.
func (m *MemoryJournal) Append(ctx context.Context, run RunID, prev uint64, e Entry) (last uint64, err error) {
	if err := m.ready(ctx, run); err != nil {
		return 0, err
	}
	if err := e.Validate(); err != nil {
		return 0, err
	}
	e = cloneEntry(e)
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := uint64(len(m.runs[run])); n != prev {
		return 0, callwright.Errorf("agent.append", callwright.KindConflict, "", "%s has %d entries, not %d", run, n, prev)
	}
	m.runs[run] = append(m.runs[run], e)
	return prev + 1, nil
}

// Runs lists the ids of the runs in descending order.
func (m *MemoryJournal) Runs(ctx context.Context) ([]RunID, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	m.mu.RLock()
	runs := slices.Sorted(maps.Keys(m.runs))
	m.mu.RUnlock()
	slices.Reverse(runs)
	return runs, nil
}

func (m *MemoryJournal) ready(ctx context.Context, run RunID) error {
	if err := alive(ctx); err != nil {
		return err
	}
	return run.Validate()
}

// alive returns an error of KindCanceled if ctx is done.
func alive(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &callwright.Error{Op: "agent.journal", Kind: callwright.KindCanceled, Err: err}
	}
	return nil
}

// cloneEntry returns a copy of e with copied Data and a Time without the monotonic clock reading.
func cloneEntry(e Entry) Entry {
	e.Time = e.Time.Round(0)
	e.Data = bytes.Clone(e.Data)
	return e
}
