package agent

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Progress is the progress of a running call, such as 3 of 10.
type Progress struct {
	Message string  `json:"message,omitempty"` // at most 1000 bytes; longer text is cut
	Done    float64 `json:"done"`
	Total   float64 `json:"total,omitempty"` // the final value of Done; 0 if unknown
}

// maxProgressText is the maximum length in bytes of Progress.Message.
const maxProgressText = 1000

// NotifyProgress reports the progress of a call as an EventProgress. ctx must be the context of Tool.Run; with any
// other context, and after the call has ended, NotifyProgress does nothing. It never blocks: a report that was not
// delivered yet is replaced by the next one. It does not extend the time limit of the call.
func NotifyProgress(ctx context.Context, p Progress) {
	if of, ok := ctx.Value(callKey{}).(callContext); ok && of.board != nil {
		of.board.put(of.call, p.sound())
	}
}

// sound returns p in a form that can be encoded as JSON: NaN and infinities become 0, and the message is valid UTF-8 of
// at most maxProgressText bytes.
func (p Progress) sound() Progress {
	for _, x := range []*float64{&p.Done, &p.Total} {
		if math.IsNaN(*x) || math.IsInf(*x, 0) {
			*x = 0
		}
	}
	p.Message = jsonx.Clip(strings.ToValidUTF8(p.Message, "\uFFFD"), maxProgressText)
	return p
}

// A progressBoard buffers the latest undelivered progress of each running call. Tools write to it; the goroutine that
// emits events reads it.
type progressBoard struct {
	ready chan struct{} // has a value while newest is not empty

	mu     sync.Mutex
	open   map[*pending]bool // running calls
	newest []callProgress    // at most one per call, in the order of the reports
}

type callProgress struct {
	call *pending
	Progress
}

func newProgressBoard() *progressBoard {
	return &progressBoard{ready: make(chan struct{}, 1), open: map[*pending]bool{}}
}

// begin registers a running call, and end removes it. end keeps progress that was not delivered yet. On a nil board
// both do nothing.
func (b *progressBoard) begin(call *pending) {
	if b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.open[call] = true
	}
}

func (b *progressBoard) end(call *pending) {
	if b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.open, call)
	}
}

func (b *progressBoard) put(call *pending, p Progress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.open[call] {
		return
	}
	b.newest = slices.DeleteFunc(b.newest, func(c callProgress) bool { return c.call == call })
	b.newest = append(b.newest, callProgress{call, p})
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

func (b *progressBoard) take() []callProgress {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.newest
	b.newest = nil
	return out
}

// tellProgress emits the buffered progress reports of b as events. b may be nil.
func (r *run) tellProgress(b *progressBoard) {
	if b == nil {
		return
	}
	for _, c := range b.take() {
		r.emit(Event{Kind: EventProgress, Call: c.call.call.ID, Name: c.call.call.Name, Progress: &c.Progress})
	}
}
