package signature

import (
	"container/list"
	"context"
	"slices"
	"sync"
	"time"
)

// The bounds of a Memory whose Limits say nothing else.
const (
	defaultTTL     = time.Hour
	defaultBytes   = 64 << 20
	defaultEntries = 100_000
)

// perCall bounds the states kept for one call: of ids that are counted, many conversations have the same.
const perCall = 32

// indexSize is about how many bytes it takes to find a state without an id.
const indexSize = 128

// Limits bound a Memory. A zero member stands for its default.
type Limits struct {
	TTL     time.Duration // how long a state stays that is not asked for: a conversation that goes on keeps its own
	Bytes   int           // about how many bytes all states together may take
	Entries int
}

// A Memory keeps states in memory. Use NewMemory. Beyond its bounds the state that was not asked for the longest makes
// room; one that is larger than the whole is not kept. It is safe for concurrent use; no call takes more than the time
// of one state's size.
type Memory struct {
	now    func() time.Time
	limits Limits

	mu     sync.Mutex
	order  *list.List // the entries as *entry, the latest first
	calls  map[Call][]*list.Element
	models map[string]int // entries by model
	bytes  int
}

type entry struct {
	call    Call
	alike   Call // the call WithoutID
	state   State
	size    int
	expires time.Time
}

// NewMemory is an empty Memory that reads the time from now; nil stands for time.Now.
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

// Keep keeps a copy of the state. It never fails.
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
		m.unlist(e.alike, had[0]) // by its own id it is still found
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

// Find gives the states kept for the call, the oldest first; of many for one call, the latest. The caller does not
// write to them. It never fails.
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

// Holds reports whether a state of the model is kept. An expired state may still count.
func (m *Memory) Holds(model string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.models[model] > 0
}

// drop forgets one entry; had slices are written to in place, as only the lock's holder sees them.
func (m *Memory) drop(at *list.Element) {
	e := m.order.Remove(at).(*entry)
	m.bytes -= e.size
	if m.models[e.call.Model]--; m.models[e.call.Model] == 0 {
		delete(m.models, e.call.Model)
	}
	m.unlist(e.call, at)
	m.unlist(e.alike, at)
}

// unlist takes an entry out of those that are found by a call.
func (m *Memory) unlist(c Call, at *list.Element) {
	had := m.calls[c]
	if i := slices.Index(had, at); i >= 0 {
		had = slices.Delete(had, i, i+1)
	}
	if m.calls[c] = had; len(had) == 0 {
		delete(m.calls, c)
	}
}
