package store

import (
	"sync"
	"time"

	"github.com/google/uuid"
)

// A reportBatch collects reports for a short time and writes them as one NATS message with one report per line. A
// message costs the server and each follower many times as much as its content. It is safe for concurrent use.
type reportBatch struct {
	out *outbox

	mu    sync.Mutex
	lines []byte
	last  int         // size of the last batch in bytes
	timer *time.Timer // calls flush; nil while no report is collected
}

// The maximum age and size of a batch. The size is in bytes.
const (
	batchTime = 25 * time.Millisecond
	batchSize = 64 << 10
)

// add adds a report, a JSON document on one line.
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

// flush sends the collected reports to the outbox now.
func (b *reportBatch) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.send()
}

// send sends the collected reports to the outbox. The caller holds b.mu.
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
