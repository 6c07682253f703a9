package ledger

import (
	"context"
	"slices"
	"sync"
)

// A MemoryStore is a Store in the memory of the process. The zero MemoryStore is empty and ready to use.
type MemoryStore struct {
	mu   sync.Mutex
	rows map[keyDay][]Row
	days []string // days with rows, in the order of their first write
}

var _ Store = (*MemoryStore)(nil)

// Write implements [Store]. If more than keptDays days have rows, it removes the day that was written first.
func (m *MemoryStore) Write(_ context.Context, day, key string, rows []Row) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.rows == nil {
		m.rows = map[keyDay][]Row{}
	}
	if !slices.Contains(m.days, day) { // around midnight, rows of two days are written
		m.days = append(m.days, day)
	}
	if len(m.days) > keptDays {
		for at := range m.rows {
			if at.day == m.days[0] {
				delete(m.rows, at)
			}
		}
		m.days = m.days[1:]
	}
	m.rows[keyDay{day, key}] = rows
	return nil
}

// Read implements [Store].
func (m *MemoryStore) Read(_ context.Context, from, to string, heard func(Row)) error {
	m.mu.Lock()
	var out []Row
	for at, rows := range m.rows {
		if from <= at.day && at.day <= to {
			out = append(out, rows...)
		}
	}
	m.mu.Unlock()
	for _, r := range out {
		heard(r)
	}
	return nil
}
