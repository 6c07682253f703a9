package linebuffer

import (
	"context"
	"io"
	"log/slog"
	"sync"
)

// mostRecords is the maximum number of log records that are formatted together.
const mostRecords = 16

// records is a buffer of unformatted log records. Formatting them together takes less than half of the time, because
// the code and its data are then in the processor caches.
type records struct {
	mu   sync.Mutex
	list [mostRecords]waiting
	n    int
}

type waiting struct {
	formatter slog.Handler
	record    slog.Record
}

// Handler returns a slog.Handler that writes to l. formatter creates the handler that formats records; its output must
// depend only on the record, as in package slog. A logged []string must not be modified afterwards.
func (l *Writer) Handler(formatter func(io.Writer) slog.Handler) slog.Handler {
	return &handler{formatter(lineWriter{l}), l}
}

// A handler buffers records. It formats them when there are mostRecords, and before other output.
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

// lasts reports whether a record can be formatted later with the same result. Values behind pointers and interfaces may
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

// format writes the lines of the buffered records to the Writer and empties the buffer. The caller holds q.mu.
func (q *records) format() {
	for i := range q.list[:q.n] {
		w := &q.list[i]
		_ = w.formatter.Handle(context.Background(), w.record) // a Writer never returns an error
	}
	clear(q.list[:q.n])
	q.n = 0
}

// A lineWriter receives formatted lines for the Writer.
type lineWriter struct{ *Writer }

func (l lineWriter) Write(b []byte) (int, error) { return l.add(b) }
