package main

import (
	"io"
	"sync"
	"time"
)

// A lineBuffer collects what is written for a moment and writes it on in one piece: a busy gateway would otherwise make a system call for each
// line of its log. Safe for concurrent use.
type lineBuffer struct {
	to io.Writer

	mu    sync.Mutex
	buf   []byte
	armed bool // a flush is scheduled
}

// Bounds of what a lineBuffer keeps.
const (
	lineBufferTime = 50 * time.Millisecond
	lineBufferSize = 32 << 10
)

// Write takes a line. It returns the length of b and never an error: the line is written later.
func (l *lineBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf = append(l.buf, b...)
	switch {
	case len(l.buf) >= lineBufferSize:
		l.write()
	case !l.armed:
		l.armed = true
		time.AfterFunc(lineBufferTime, l.Flush)
	}
	return len(b), nil
}

// Flush writes what was collected.
func (l *lineBuffer) Flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.armed = false
	l.write()
}

func (l *lineBuffer) write() {
	if len(l.buf) > 0 {
		_, _ = l.to.Write(l.buf)
		l.buf = l.buf[:0]
	}
}
