package archive

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// A MemoryReports keeps reports in memory. Use NewMemoryReports. It is safe for concurrent use.
type MemoryReports struct {
	now    func() time.Time
	limits Limits

	mu    sync.Mutex
	byKey map[Key]*list.Element
	order *list.List // the reports as *keptReport, the oldest first
	bytes int64
}

var _ Reports = (*MemoryReports)(nil)

type keptReport struct {
	key    Key
	report *Report
	size   int64
	at     time.Time
}

// NewMemoryReports makes an empty MemoryReports that reads the time from now, nil for time.Now. Its bounds are DefaultReports where the limits say nothing.
func NewMemoryReports(now func() time.Time, l Limits) *MemoryReports {
	if now == nil {
		now = time.Now
	}
	return &MemoryReports{now: now, limits: l.Or(DefaultReports), byKey: map[Key]*list.Element{}, order: list.New()}
}

const (
	opKeepReport   = "archive.keep_report"
	opFindReport   = "archive.find_report"
	opListReports  = "archive.list_reports"
	opDeleteReport = "archive.delete_report"
)

// Keep keeps a report, see Reports.
func (m *MemoryReports) Keep(ctx context.Context, r *Report) error {
	if err := canceled(opKeepReport, ctx.Err()); err != nil {
		return err
	}
	k := &keptReport{key: r.Key(), report: r, size: r.Size(), at: m.now()}
	if m.limits.Exceeded(1, k.size) {
		return TooLarge(opKeepReport, k.size, m.limits.Bytes)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(k.at)
	if e := m.byKey[k.key]; e != nil {
		m.drop(e)
	}
	m.byKey[k.key] = m.order.PushBack(k)
	for m.bytes += k.size; m.limits.Exceeded(m.order.Len(), m.bytes); {
		m.drop(m.order.Front())
	}
	return nil
}

func (m *MemoryReports) drop(e *list.Element) {
	k := m.order.Remove(e).(*keptReport)
	delete(m.byKey, k.key)
	m.bytes -= k.size
}

// expire drops what is too old. The caller holds the lock.
func (m *MemoryReports) expire(now time.Time) {
	for e := m.order.Front(); e != nil && m.limits.Expired(e.Value.(*keptReport).at, now); e = m.order.Front() {
		m.drop(e)
	}
}

// Find returns a report, see Reports.
func (m *MemoryReports) Find(ctx context.Context, k Key) (*Report, error) {
	if err := canceled(opFindReport, ctx.Err()); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(m.now())
	if e := m.byKey[k]; e != nil {
		return e.Value.(*keptReport).report, nil
	}
	return nil, NotFound(opFindReport, "report", k)
}

// List returns the latest reports that a query asks for, see Reports.
func (m *MemoryReports) List(ctx context.Context, q Query) ([]*Report, error) {
	if err := canceled(opListReports, ctx.Err()); err != nil {
		return nil, err
	}
	var out []*Report
	for _, r := range m.all() {
		if q.Matches(r) {
			out = append(out, r)
		}
	}
	Latest(out)
	return out[:min(len(out), q.Most())], nil
}

// all returns every report.
func (m *MemoryReports) all() []*Report {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(m.now())
	out := make([]*Report, 0, m.order.Len())
	for e := m.order.Back(); e != nil; e = e.Prev() {
		out = append(out, e.Value.(*keptReport).report)
	}
	return out
}

// Delete drops a report, see Reports.
func (m *MemoryReports) Delete(ctx context.Context, k Key) error {
	if err := canceled(opDeleteReport, ctx.Err()); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(m.now())
	e := m.byKey[k]
	if e == nil {
		return NotFound(opDeleteReport, "report", k)
	}
	m.drop(e)
	return nil
}
