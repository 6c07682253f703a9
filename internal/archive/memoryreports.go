package archive

import (
	"context"
	"sync"
	"time"
)

// A MemoryReports stores reports in memory. Create it with NewMemoryReports. It is safe for concurrent use.
type MemoryReports struct {
	now    func() time.Time
	limits Limits

	mu    sync.Mutex
	byKey map[Key]*keptReport
	order keptReport // sentinel of a ring, oldest report first
	bytes int64
}

var _ Reports = (*MemoryReports)(nil)

// A keptReport is an element of the ring of reports. The links are part of it to save an allocation.
type keptReport struct {
	report     *Report // nil if it is in packed
	packed     packed
	size       int64
	at         time.Time
	prev, next *keptReport
}

func (k *keptReport) get() *Report {
	if k.report == nil {
		return k.packed.unpack()
	}
	return k.report
}

func (k *keptReport) key() Key {
	if k.report == nil {
		return k.packed.key()
	}
	return k.report.Key()
}

// NewMemoryReports returns an empty MemoryReports. now returns the current time; nil means time.Now. Zero limits are
// those of DefaultReports.
func NewMemoryReports(now func() time.Time, l Limits) *MemoryReports {
	if now == nil {
		now = time.Now
	}
	m := &MemoryReports{now: now, limits: l.Or(DefaultReports), byKey: map[Key]*keptReport{}}
	m.order.prev, m.order.next = &m.order, &m.order
	return m
}

const (
	opKeepReport   = "archive.keep_report"
	opFindReport   = "archive.find_report"
	opListReports  = "archive.list_reports"
	opDeleteReport = "archive.delete_report"
)

// Keep implements Reports.
func (m *MemoryReports) Keep(ctx context.Context, r *Report) error {
	if err := contextError(opKeepReport, ctx.Err()); err != nil {
		return err
	}
	k := &keptReport{report: r, size: r.Size(), at: m.now()}
	if p, fits := pack(r); fits {
		k.packed, k.report = p, nil
	}
	key := k.key()
	if m.limits.IsExceeded(1, k.size) {
		return TooLarge(opKeepReport, k.size, m.limits.Bytes)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(k.at)
	if old := m.byKey[key]; old != nil {
		m.drop(old)
	}
	m.byKey[key] = k
	k.prev, k.next = m.order.prev, &m.order
	k.prev.next, k.next.prev = k, k
	for m.bytes += k.size; m.limits.IsExceeded(len(m.byKey), m.bytes); {
		m.drop(m.order.next)
	}
	return nil
}

func (m *MemoryReports) drop(k *keptReport) {
	k.prev.next, k.next.prev = k.next, k.prev
	delete(m.byKey, k.key())
	m.bytes -= k.size
}

// expire removes expired reports. The caller holds the lock.
func (m *MemoryReports) expire(now time.Time) {
	for k := m.order.next; k != &m.order && m.limits.IsExpired(k.at, now); k = m.order.next {
		m.drop(k)
	}
}

// Find implements Reports.
func (m *MemoryReports) Find(ctx context.Context, k Key) (*Report, error) {
	if err := contextError(opFindReport, ctx.Err()); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(m.now())
	if kept := m.byKey[k]; kept != nil {
		return kept.get(), nil
	}
	return nil, NotFound(opFindReport, "report", k)
}

// List implements Reports.
func (m *MemoryReports) List(ctx context.Context, q Query) ([]*Report, error) {
	if err := contextError(opListReports, ctx.Err()); err != nil {
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

// all returns all reports, latest first.
func (m *MemoryReports) all() []*Report {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(m.now())
	out := make([]*Report, 0, len(m.byKey))
	for k := m.order.prev; k != &m.order; k = k.prev {
		out = append(out, k.get())
	}
	return out
}

// Delete implements Reports.
func (m *MemoryReports) Delete(ctx context.Context, k Key) error {
	if err := contextError(opDeleteReport, ctx.Err()); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(m.now())
	kept := m.byKey[k]
	if kept == nil {
		return NotFound(opDeleteReport, "report", k)
	}
	m.drop(kept)
	return nil
}
