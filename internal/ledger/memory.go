package ledger

import (
	"context"
	"sync"
)

// A MemoryStore is a Store of one process. The zero MemoryStore is empty.
type MemoryStore struct {
	mu   sync.Mutex
	rows map[keyDay][]Row
	days []string // in the order in which they began
}

var _ Store = (*MemoryStore)(nil)

// maxDays bounds the days that a MemoryStore keeps.
const maxDays = 100

// Write implements [Store].
func (m *MemoryStore) Write(_ context.Context, day, key string, rows []Row) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.rows == nil {
		m.rows = map[keyDay][]Row{}
	}
	if n := len(m.days); n == 0 || m.days[n-1] != day {
		m.days = append(m.days, day)
	}
	if len(m.days) > maxDays {
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
