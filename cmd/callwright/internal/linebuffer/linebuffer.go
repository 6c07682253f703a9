// Package linebuffer combines many small writes, such as log lines, into few large ones.
package linebuffer

import (
	"io"
	"sync"
	"time"
)

// A Writer buffers output for up to maxTime and writes it with one call, because a busy gateway would otherwise make a
// system call per log line. It is safe for concurrent use.
type Writer struct {
	to      io.Writer
	records records

	mu    sync.Mutex
	buf   []byte
	armed bool // a flush is scheduled
}

// New returns a Writer that writes to w.
func New(w io.Writer) *Writer { return &Writer{to: w} }

// Limits of a Writer's buffer in time and bytes.
const (
	maxTime = 50 * time.Millisecond
	maxSize = 32 << 10
)

// Write buffers a line. It returns len(b) and never an error, because the line is written later.
func (l *Writer) Write(b []byte) (int, error) {
	l.format()
	return l.add(b)
}

// format formats the buffered records, so that the output keeps its order.
func (l *Writer) format() {
	l.records.mu.Lock()
	defer l.records.mu.Unlock()
	l.records.format()
}

func (l *Writer) add(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.buf = append(l.buf, b...); len(l.buf) >= maxSize {
		l.write()
	} else {
		l.schedule()
	}
	return len(b), nil
}

// arm schedules a flush.
func (l *Writer) arm() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.schedule()
}

// schedule schedules a flush. The caller holds mu.
func (l *Writer) schedule() {
	if !l.armed {
		l.armed = true
		time.AfterFunc(maxTime, l.Flush)
	}
}

// Flush writes the buffered output.
func (l *Writer) Flush() {
	l.records.mu.Lock() // a record that Handle adds after this schedules the next flush
	defer l.records.mu.Unlock()
	l.records.format()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.armed = false
	l.write()
}

func (l *Writer) write() {
	if len(l.buf) > 0 {
		_, _ = l.to.Write(l.buf)
		l.buf = l.buf[:0]
	}
}
