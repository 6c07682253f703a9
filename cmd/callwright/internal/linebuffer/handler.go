package linebuffer

import (
	"context"
	"io"
	"log/slog"
	"sync"
)

// mostRecords is how many records are formatted together.
const mostRecords = 16

// records are those that are not formatted yet. Formatted one after another they take less than half of the time that
// each takes at the end of its request, when the code and the memory for it are in none of the processor's caches.
type records struct {
	mu   sync.Mutex
	list [mostRecords]waiting
	n    int
}

type waiting struct {
	formatter slog.Handler
	record    slog.Record
}

// Handler returns a handler whose lines are written to l. They are those of the handler that formatter makes, which
// must go by the record alone, as those of slog do. A []string that is logged must not be changed afterwards.
func (l *Writer) Handler(formatter func(io.Writer) slog.Handler) slog.Handler {
	return &handler{formatter(lineWriter{l}), l}
}

// A handler formats records when mostRecords have come, and before anything else is written.
type handler struct {
	formatter slog.Handler
	lines     *Writer
}

var _ slog.Handler = (*handler)(nil)

func (h *handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.formatter.Enabled(ctx, level)
}

func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &handler{h.formatter.WithAttrs(attrs), h.lines}
}

func (h *handler) WithGroup(name string) slog.Handler {
	return &handler{h.formatter.WithGroup(name), h.lines}
}

func (h *handler) Handle(ctx context.Context, r slog.Record) error {
	if !lasts(&r) {
		h.lines.format()
		return h.formatter.Handle(ctx, r)
	}
	q := &h.lines.records
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list[q.n] = waiting{h.formatter, r.Clone()}
	switch q.n++; q.n {
	case 1:
		h.lines.arm()
	case mostRecords:
		q.format()
	}
	return nil
}

// lasts reports whether a record has the same text when it is formatted later. Data behind values of other kinds may
// change.
func lasts(r *slog.Record) bool {
	ok := true
	r.Attrs(func(a slog.Attr) bool {
		switch a.Value.Kind() {
		case slog.KindAny:
			_, ok = a.Value.Any().([]string)
		case slog.KindGroup, slog.KindLogValuer:
			ok = false
		}
		return ok
	})
	return ok
}

// format formats the waiting records. The caller holds the lock.
func (q *records) format() {
	for i := range q.list[:q.n] {
		w := &q.list[i]
		_ = w.formatter.Handle(context.Background(), w.record) // a Writer returns no errors
	}
	clear(q.list[:q.n])
	q.n = 0
}

// A lineWriter adds the lines that a handler has formatted.
type lineWriter struct{ *Writer }

func (l lineWriter) Write(b []byte) (int, error) { return l.add(b) }
