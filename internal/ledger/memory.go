package ledger

import (
	"context"
	"slices"
	"sync"
)

// A MemoryStore is a Store of one process. The zero MemoryStore is empty.
type MemoryStore struct {
	mu   sync.Mutex
	rows map[keyDay][]Row
	days []string // those that have rows, in the order in which they were first written
}

var _ Store = (*MemoryStore)(nil)

// Write implements [Store]. The first day that was written is dropped where more than keptDays are.
func (m *MemoryStore) Write(_ context.Context, day, key string, rows []Row) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.rows == nil {
		m.rows = map[keyDay][]Row{}
	}
	if !slices.Contains(m.days, day) { // at midnight rows of both days are written
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
