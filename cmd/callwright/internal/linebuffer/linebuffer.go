// Package linebuffer writes many lines in few pieces.
package linebuffer

import (
	"io"
	"sync"
	"time"
)

// A Writer collects output for a moment and writes it in one piece: a busy gateway would otherwise make a system call
// for each line of its log. Safe for concurrent use.
type Writer struct {
	to      io.Writer
	records records

	mu    sync.Mutex
	buf   []byte
	armed bool // a flush is scheduled
}

// New returns a Writer that writes on to w.
func New(w io.Writer) *Writer { return &Writer{to: w} }

// Bounds of a Writer's buffer.
const (
	maxTime = 50 * time.Millisecond
	maxSize = 32 << 10
)

// Write takes a line. It returns the length of b and never an error: the line is written later.
func (l *Writer) Write(b []byte) (int, error) {
	l.format()
	return l.add(b)
}

// format has the records that came before formatted.
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

// arm has the collected output written soon.
func (l *Writer) arm() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.schedule()
}

// schedule schedules a flush. The caller holds the lock.
func (l *Writer) schedule() {
	if !l.armed {
		l.armed = true
		time.AfterFunc(maxTime, l.Flush)
	}
}

// Flush writes the collected output.
func (l *Writer) Flush() {
	l.records.mu.Lock() // a record that comes meanwhile schedules the next flush
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
