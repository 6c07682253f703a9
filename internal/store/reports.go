package store

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
)

// A ReportStore is an [archive.Reports] shared by all gateways of a space. Each gateway has all reports within the
// limits in memory. Other gateways see a report when NATS has delivered it. Several reports may be one message, with
// one JSON document per line. Existing reports are read in the background, and queries wait for them.
type ReportStore struct {
	s      *Store
	memory *archive.MemoryReports
	out    *outbox
	in     *follower
	batch  reportBatch

	mu    sync.Mutex
	most  int               // maximum length of early; negative for no limit
	early []*archive.Report // reports of this gateway from before the existing ones were read; nil afterwards
	read  bool
}

var _ archive.Reports = (*ReportStore)(nil)

// Reports returns the ReportStore of the space. Every call returns the same one, with the limits of the first call.
func (s *Store) Reports(l archive.Limits) *ReportStore {
	s.mirror.mu.Lock()
	defer s.mirror.mu.Unlock()
	if s.mirror.reports == nil {
		l = l.Or(archive.DefaultReports)
		st := s.stream(Reports, bounds{bytes: 2 * l.Bytes, age: l.Age, count: int64(l.Count)})
		r := &ReportStore{s: s, memory: archive.NewMemoryReports(s.conf.Now, l), most: l.Count}
		r.out = s.newOutbox(st, nil)
		r.batch.out = r.out
		s.mirror.reports = r
		r.in = newFollower(st, r.applyMessage, r.latest)
		r.in.start()
	}
	return s.mirror.reports
}

// Keep stores a report. This gateway finds it at once, others when it is written. It does not wait for the write.
func (r *ReportStore) Keep(ctx context.Context, rep *archive.Report) error {
	if err := r.keep(ctx, rep); err != nil {
		return err
	}
	data, err := json.Marshal(rep)
	if err != nil {
		return &callwright.Error{Op: "store.keep_report", Kind: callwright.KindInvalid, Err: err}
	}
	r.batch.add(data)
	return nil
}

// keep adds a report to the reports in memory.
func (r *ReportStore) keep(ctx context.Context, rep *archive.Report) error {
	if r.in.isReady() {
		return r.memory.Keep(ctx, rep)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.memory.Keep(ctx, rep); err != nil {
		return err
	}
	if !r.read {
		if r.early = append(r.early, rep); r.most >= 0 && len(r.early) > r.most {
			r.early = slices.Delete(r.early, 0, 1)
		}
	}
	return nil
}

// latest stores the reports in early again, so that they count as later than the existing reports, which were read
// after them.
func (r *ReportStore) latest() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, rep := range r.early {
		_ = r.memory.Keep(context.Background(), rep)
	}
	r.early, r.read = nil, true
}

// Find returns a report. If it is not in memory, Find waits for the existing reports to be read.
func (r *ReportStore) Find(ctx context.Context, k archive.Key) (*archive.Report, error) {
	rep, err := r.memory.Find(ctx, k)
	if err == nil || r.in.isReady() {
		return rep, err
	}
	r.in.await(ctx)
	return r.memory.Find(ctx, k)
}

// List returns the reports that match a query, latest first.
func (r *ReportStore) List(ctx context.Context, q archive.Query) ([]*archive.Report, error) {
	r.in.await(ctx)
	return r.memory.List(ctx, q)
}

// Delete deletes a report. It is removed from this gateway at once.
func (r *ReportStore) Delete(ctx context.Context, k archive.Key) error {
	r.in.await(ctx)
	if err := r.drop(ctx, k); err != nil {
		return err
	}
	data, err := json.Marshal(goneReport{k.Owner, k.ID})
	if err != nil {
		return &callwright.Error{Op: "store.delete_report", Kind: callwright.KindInvalid, Err: err}
	}
	m := newMessage(data, tokensOf(k)...)
	m.head.Set(headGone, "1") // expires with the report's message
	r.batch.flush()
	r.out.await(ctx, r.s.learnWait(), r.out.add(m))
	return nil
}

// drop removes a report from memory.
func (r *ReportStore) drop(ctx context.Context, k archive.Key) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.early = slices.DeleteFunc(r.early, func(rep *archive.Report) bool { return rep.Key() == k })
	return r.memory.Delete(ctx, k)
}

// A goneReport is the JSON of a message that a report was deleted.
type goneReport struct {
	Owner archive.Owner `json:"owner"`
	ID    string        `json:"id"`
}

// applyMessage applies a message of the stream. It skips reports written by this Store.
func (r *ReportStore) applyMessage(m *message) {
	if m.head.Get(headFrom) == r.s.id && (r.in.isReady() || m.head.Get(headGone) == "") {
		return
	}
	if m.head.Get(headGone) != "" {
		var gone goneReport
		if json.Unmarshal(m.data, &gone) == nil {
			_ = r.memory.Delete(context.Background(), archive.Key{Owner: gone.Owner, ID: gone.ID})
		}
		return
	}
	for line := range bytes.Lines(m.data) {
		var in archive.Report
		if json.Unmarshal(line, &in) == nil && in.Report != nil {
			_ = r.memory.Keep(context.Background(), &in)
		}
	}
}

// tokensOf returns the subject tokens of a key.
func tokensOf(k archive.Key) []string { return []string{token(string(k.Owner)), token(k.ID)} }
