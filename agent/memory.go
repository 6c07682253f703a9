package agent

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/callwright/callwright"
)

// A MemoryJournal is a Journal in memory, for tests and for runs that need not outlive the program. Use NewMemory. It
// keeps every run until it is itself dropped. It is safe for concurrent use.
type MemoryJournal struct {
	mu   sync.RWMutex
	runs map[RunID][]Entry // entries that are there are never written to
}

var (
	_ Journal   = (*MemoryJournal)(nil)
	_ RunLister = (*MemoryJournal)(nil)
)

// NewMemory is an empty MemoryJournal.
func NewMemory() *MemoryJournal { return &MemoryJournal{runs: map[RunID][]Entry{}} }

// Load returns the entries of the run and how many they are. The caller may write to them.
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

// Append records an entry after the first prev of the run and returns prev + 1. It copies the data of e.
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

// Runs lists the runs that have entries, the greatest id first.
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

// alive is the error of a context that has ended.
func alive(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &callwright.Error{Op: "agent.journal", Kind: callwright.KindCanceled, Err: err}
	}
	return nil
}

// cloneEntry is e with Data of its own, without a reading of the process's clock.
func cloneEntry(e Entry) Entry {
	e.Time = e.Time.Round(0)
	e.Data = bytes.Clone(e.Data)
	return e
}
