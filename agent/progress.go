package agent

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Progress says how far a call is.
type Progress struct {
	Message string  `json:"message,omitempty"` // of up to 1000 bytes; more is cut
	Done    float64 `json:"done"`
	Total   float64 `json:"total,omitempty"` // what Done comes to at the end; 0: that is not known
}

// maxProgressText bounds the message of a Progress.
const maxProgressText = 1000

// NotifyProgress reports the progress of a call to the observers of a run, as an EventProgress. ctx is that of the
// tool's Run; in another one, and after the end of the call, it has no effect. It does not wait for the observers:
// while they are busy a later report replaces an earlier one. The time limit of the call does not change.
func NotifyProgress(ctx context.Context, p Progress) {
	if of, ok := ctx.Value(callKey{}).(callContext); ok && of.board != nil {
		of.board.put(of.call, p.sound())
	}
}

// sound is the progress as it can be written as JSON.
func (p Progress) sound() Progress {
	for _, x := range []*float64{&p.Done, &p.Total} {
		if math.IsNaN(*x) || math.IsInf(*x, 0) {
			*x = 0
		}
	}
	p.Message = jsonx.Clip(strings.ToValidUTF8(p.Message, "\uFFFD"), maxProgressText)
	return p
}

// A progressBoard has the newest progress of each call that runs, for the goroutine that tells of it.
type progressBoard struct {
	ready chan struct{} // holds a value while there is something to tell

	mu     sync.Mutex
	open   map[*pending]bool // calls that have not ended
	newest []callProgress    // one for each call, in the order in which they came
}

type callProgress struct {
	call *pending
	Progress
}

func newProgressBoard() *progressBoard {
	return &progressBoard{ready: make(chan struct{}, 1), open: map[*pending]bool{}}
}

// begin and end announce that a call runs, and that it has ended. Its unreported progress stays. A nil board ignores
// them.
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

// tellProgress reports the news of a board, which may be nil.
func (r *run) tellProgress(b *progressBoard) {
	if b == nil {
		return
	}
	for _, c := range b.take() {
		r.emit(Event{Kind: EventProgress, Call: c.call.call.ID, Name: c.call.call.Name, Progress: &c.Progress})
	}
}
