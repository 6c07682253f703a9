package store

import (
	"context"
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/archive"
)

// A ReportStore is an [archive.Reports] that all gateways of a space share. Each has all of it in memory, within its limits; what one keeps the others have as soon
// as NATS has told them.
type ReportStore struct {
	s      *Store
	memory *archive.MemoryReports
	out    *outbox
}

var _ archive.Reports = (*ReportStore)(nil)

// Reports are the reports of the space, the same ones each time; their limits are those of the first call, which reads what is kept, where NATS is there.
func (s *Store) Reports(ctx context.Context, l archive.Limits) *ReportStore {
	s.mirror.mu.Lock()
	defer s.mirror.mu.Unlock()
	if s.mirror.reports == nil {
		l = l.Or(archive.DefaultReports)
		st := s.stream(Reports, bounds{bytes: 2 * l.Bytes, age: l.Age, count: int64(l.Count)})
		r := &ReportStore{s: s, memory: archive.NewMemoryReports(s.conf.Now, l)}
		r.out = s.newOutbox(st, nil)
		s.mirror.reports = r
		s.follow(ctx, st, r.heard)
	}
	return s.mirror.reports
}

// Keep keeps a report. It is found here at once, and by others once it is written.
func (r *ReportStore) Keep(ctx context.Context, rep *archive.Report) error {
	if err := r.memory.Keep(ctx, rep); err != nil {
		return err
	}
	data, err := json.Marshal(rep)
	if err != nil {
		return &callwright.Error{Op: "store.keep_report", Kind: callwright.KindInvalid, Err: err}
	}
	r.out.add(newMessage(data, tokensOf(rep.Key())...))
	return nil
}

// Find returns a report.
func (r *ReportStore) Find(ctx context.Context, k archive.Key) (*archive.Report, error) {
	return r.memory.Find(ctx, k)
}

// List returns the reports that a query asks for, the latest first.
func (r *ReportStore) List(ctx context.Context, q archive.Query) ([]*archive.Report, error) {
	return r.memory.List(ctx, q)
}

// Delete drops a report, here at once.
func (r *ReportStore) Delete(ctx context.Context, k archive.Key) error {
	if err := r.memory.Delete(ctx, k); err != nil {
		return err
	}
	data, err := json.Marshal(goneReport{k.Owner, k.ID})
	if err != nil {
		return &callwright.Error{Op: "store.delete_report", Kind: callwright.KindInvalid, Err: err}
	}
	m := newMessage(data, tokensOf(k)...)
	m.head.Set(headGone, "1")
	m.expire(goneLife)
	r.out.await(ctx, r.s.learnWait(), r.out.add(m))
	return nil
}

// A goneReport names a report that is gone.
type goneReport struct {
	Owner archive.Owner `json:"owner"`
	ID    string        `json:"id"`
}

// heard takes a message of the stream. What this Store wrote is here.
func (r *ReportStore) heard(m *message) {
	if m.head.Get(headFrom) == r.s.id {
		return
	}
	if m.head.Get(headGone) != "" {
		var gone goneReport
		if json.Unmarshal(m.data, &gone) == nil {
			_ = r.memory.Delete(context.Background(), archive.Key{Owner: gone.Owner, ID: gone.ID})
		}
		return
	}
	var in archive.Report
	if json.Unmarshal(m.data, &in) == nil && in.Report != nil {
		_ = r.memory.Keep(context.Background(), &in)
	}
}

// tokensOf are those of what a key names.
func tokensOf(k archive.Key) []string { return []string{token(string(k.Owner)), token(k.ID)} }
