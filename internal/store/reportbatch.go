package store

import (
	"sync"
	"time"

	"github.com/google/uuid"
)

// A reportBatch collects reports for a moment and has them written as one message, a line each: a message costs the
// server, and each follower, many times as much as its content. It is safe for concurrent use.
type reportBatch struct {
	out *outbox

	mu    sync.Mutex
	lines []byte
	last  int         // how long those before were
	timer *time.Timer // of the moment; nil where nothing waits
}

// Bounds of one message.
const (
	batchTime = 25 * time.Millisecond
	batchSize = 64 << 10
)

// add has a report written, which is a document of JSON on one line.
func (b *reportBatch) add(doc []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lines == nil {
		b.lines = make([]byte, 0, max(len(doc)+1, b.last))
	}
	b.lines = append(append(b.lines, doc...), '\n')
	switch {
	case len(b.lines) >= batchSize:
		b.send()
	case b.timer == nil:
		b.timer = time.AfterFunc(batchTime, b.flush)
	}
}

// flush has the collected reports written now.
func (b *reportBatch) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.send()
}

// send hands on the collected reports. The lock is held.
func (b *reportBatch) send() {
	if b.timer != nil {
		b.timer.Stop()
		b.timer = nil
	}
	if len(b.lines) > 0 {
		b.out.add(newMessage(b.lines, uuid.NewString()))
		b.lines, b.last = nil, len(b.lines)
	}
}
