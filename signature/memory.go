package signature

import (
	"container/list"
	"context"
	"slices"
	"sync"
	"time"
)

// The defaults of Limits: 1 hour, 64 MiB and 100,000 entries.
const (
	defaultTTL     = time.Hour
	defaultBytes   = 64 << 20
	defaultEntries = 100_000
)

// perCall is the maximum number of states kept for one Call. Models that number their calls reuse IDs in many
// conversations.
const perCall = 32

// indexSize is the estimated memory in bytes of the index entry for finding a state without an ID.
const indexSize = 128

// Limits are the limits of a Memory. A zero field means the default.
type Limits struct {
	TTL     time.Duration // how long an unused state is kept, 1 hour by default; each Find extends the time
	Bytes   int           // estimated memory of all states, 64 MiB by default
	Entries int
}

// A Memory is a [Store] in memory. Use NewMemory. Beyond its limits it drops the state that was not used for the
// longest time. It does not keep a state that is larger than Limits.Bytes. It is safe for concurrent use.
type Memory struct {
	now    func() time.Time
	limits Limits

	mu     sync.Mutex
	order  *list.List // *entry values, most recently used first
	calls  map[Call][]*list.Element
	models map[string]int // number of entries by model
	bytes  int
}

type entry struct {
	call    Call
	alike   Call // call.WithoutID of the arguments
	state   State
	size    int
	expires time.Time
}

// NewMemory returns an empty Memory. now returns the current time; nil means time.Now.
func NewMemory(now func() time.Time, l Limits) *Memory {
	if now == nil {
		now = time.Now
	}
	if l.TTL == 0 {
		l.TTL = defaultTTL
	}
	if l.Bytes == 0 {
		l.Bytes = defaultBytes
	}
	if l.Entries == 0 {
		l.Entries = defaultEntries
	}
	return &Memory{now: now, limits: l, order: list.New(), calls: map[Call][]*list.Element{}, models: map[string]int{}}
}

// Keep stores a copy of the state for the call. It never fails.
func (m *Memory) Keep(_ context.Context, c Call, s State) error {
	own := c.clone()
	e := &entry{call: own, alike: own.WithoutID(s.Arguments), state: s.clone()}
	e.size = indexSize + e.state.Size() + len(c.Owner) + len(c.Model) + len(c.ID) + len(c.Tool)
	if e.size > m.limits.Bytes {
		return nil
	}
	now := m.now()
	e.expires = now.Add(m.limits.TTL)
	m.mu.Lock()
	defer m.mu.Unlock()
	if had := m.calls[e.call]; len(had) == perCall {
		m.drop(had[0])
	}
	if had := m.calls[e.alike]; len(had) == perCall {
		m.unlist(e.alike, had[0]) // the entry can still be found by its ID
	}
	at := m.order.PushFront(e)
	m.calls[e.call], m.calls[e.alike] = append(m.calls[e.call], at), append(m.calls[e.alike], at)
	m.models[e.call.Model]++
	m.bytes += e.size
	for last := m.order.Back(); last != nil; last = m.order.Back() {
		if m.bytes <= m.limits.Bytes && m.order.Len() <= m.limits.Entries && now.Before(last.Value.(*entry).expires) {
			break
		}
		m.drop(last)
	}
	return nil
}

// Find returns the states kept for the call, the oldest first. The caller must not modify them. Find never fails.
func (m *Memory) Find(_ context.Context, c Call) ([]State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	had := m.calls[c]
	if len(had) == 0 {
		return nil, nil
	}
	now := m.now()
	out := make([]State, 0, len(had))
	for i := len(had) - 1; i >= 0; i-- {
		if e := had[i].Value.(*entry); !now.Before(e.expires) {
			m.drop(had[i])
		}
	}
	for _, at := range m.calls[c] {
		e := at.Value.(*entry)
		e.expires = now.Add(m.limits.TTL)
		m.order.MoveToFront(at)
		out = append(out, e.state)
	}
	return out, nil
}

// Holds reports whether a state of the model is kept. It may count an expired state.
func (m *Memory) Holds(model string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.models[model] > 0
}

// drop removes an entry. The caller holds the lock.
func (m *Memory) drop(at *list.Element) {
	e := m.order.Remove(at).(*entry)
	m.bytes -= e.size
	if m.models[e.call.Model]--; m.models[e.call.Model] == 0 {
		delete(m.models, e.call.Model)
	}
	m.unlist(e.call, at)
	m.unlist(e.alike, at)
}

// unlist removes an entry from the list of entries for the call c.
func (m *Memory) unlist(c Call, at *list.Element) {
	had := m.calls[c]
	if i := slices.Index(had, at); i >= 0 {
		had = slices.Delete(had, i, i+1)
	}
	if m.calls[c] = had; len(had) == 0 {
		delete(m.calls, c)
	}
}
