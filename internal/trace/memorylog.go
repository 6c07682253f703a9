package trace

import (
	"container/list"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright"
)

// memoryLogBytes is what a MemoryLog keeps where its limits say nothing.
const memoryLogBytes = 16 << 20

// A MemoryLog is a Log in memory. Use NewMemoryLog. It is safe for concurrent use.
type MemoryLog struct {
	now    func() time.Time
	limits LogLimits

	mu    sync.Mutex
	byID  map[string]*list.Element
	order *list.List // the requests as *logged, the oldest first
	bytes int64
}

var _ Log = (*MemoryLog)(nil)

// logged is what is kept of a request. entries is appended to and else not written to.
type logged struct {
	id      string
	entries []Entry
	began   time.Time
	summary Summary
	bytes   int64
}

// NewMemoryLog makes an empty MemoryLog that reads the time from now, nil for time.Now.
func NewMemoryLog(now func() time.Time, l LogLimits) *MemoryLog {
	if now == nil {
		now = time.Now
	}
	return &MemoryLog{now: now, limits: l.or(memoryLogBytes), byID: map[string]*list.Element{}, order: list.New()}
}

// entrySize is about how many bytes an entry takes beside its texts.
const entrySize = 512

// size is about how many bytes an entry takes.
func (e *Entry) size() int64 {
	n := entrySize + len(e.Data) + len(e.Body)
	if e.Failure != nil {
		n += len(e.Failure.Message) + len(e.Failure.Body) + len(e.Failure.Recovered)
	}
	return int64(n)
}

// Append adds an entry. One that has no ID is left out, and one that is larger than all there is room for is KindTooLarge.
func (m *MemoryLog) Append(e Entry) error {
	if e.ID == "" {
		return nil
	}
	size := e.size()
	if size > m.limits.Bytes {
		return callwright.Errorf(opLog, callwright.KindTooLarge, "", "an entry of kind %s has about %d bytes, more than the %d that are kept", e.Kind, size, m.limits.Bytes)
	}
	e.Data, e.Body = json.RawMessage(slices.Clone(e.Data)), json.RawMessage(slices.Clone(e.Body))
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	m.expire(now)
	at := m.byID[e.ID]
	if at == nil {
		at = m.order.PushBack(&logged{id: e.ID, began: now})
		m.byID[e.ID] = at
	}
	l := at.Value.(*logged)
	l.entries = append(l.entries, e)
	l.summary.Add(&e)
	l.bytes += size
	for m.bytes += size; m.bytes > m.limits.Bytes; {
		m.drop(m.order.Front())
	}
	return nil
}

func (m *MemoryLog) drop(e *list.Element) {
	l := m.order.Remove(e).(*logged)
	delete(m.byID, l.id)
	m.bytes -= l.bytes
}

// expire drops what is too old. The caller holds the lock.
func (m *MemoryLog) expire(now time.Time) {
	for e := m.order.Front(); e != nil && m.limits.Expired(e.Value.(*logged).began, now); e = m.order.Front() {
		m.drop(e)
	}
}

// Entries returns the entries of a request, see LogReader.
func (m *MemoryLog) Entries(ctx context.Context, id string) ([]Entry, error) {
	if err := canceled(ctx); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(m.now())
	if e := m.byID[id]; e != nil {
		return slices.Clip(e.Value.(*logged).entries), nil
	}
	return nil, notKept(id)
}

// List returns the latest requests that a query asks for, see LogReader.
func (m *MemoryLog) List(ctx context.Context, q Query) ([]Summary, error) {
	if err := canceled(ctx); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(m.now())
	var out []Summary
	for e := m.order.Back(); e != nil; e = e.Prev() {
		if s := &e.Value.(*logged).summary; !s.Time.IsZero() && q.Matches(s) {
			c := *s
			c.Rules = slices.Clip(c.Rules)
			out = append(out, c)
		}
	}
	slices.SortFunc(out, Latest)
	return out[:min(len(out), q.Most())], nil
}
