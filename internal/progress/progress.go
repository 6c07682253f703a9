// Package progress has the state of a request that is being answered. The state is shown in the keep-alives of a silent
// stream, in the list of running requests and in the log.
//
// A Progress holds names of declared tools and of models, counts and times. It never holds a byte of the output of a
// model.
package progress

import (
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
)

// A State is the work that is under way on a request.
type State uint8

// The states.
const (
	Preparing   State = iota // nothing was sent to a model yet
	Waiting                  // a model was asked, and no text, reasoning or call of its answer came
	Retrying                 // the same request is sent again after a pause
	Correcting               // the model was asked again with the violations of its answer, and nothing of the next one came
	FallingBack              // another model was asked, and nothing of its answer came
	Thinking                 // the latest of the answer is reasoning
	Text                     // the latest of the answer is text
	Holding                  // the latest of the answer is a part of a call that is held until it is validated
	Calling                  // the latest of the answer is a part of a call that is sent to the client as it comes
	Finishing                // the answer has ended
)

// names are the names of the states, for clients and operators.
var names = [...]string{"preparing", "waiting", "retrying", "correcting", "fallback", "thinking", "text", "holding", "calling", "finishing"}

// String returns the state's name.
func (s State) String() string { return names[min(int(s), len(names)-1)] }

// Names returns the names of all states.
func Names() []string { return names[:] }

// isAsking reports whether a model was asked of whose answer nothing came.
func (s State) isAsking() bool { return s >= Waiting && s <= FallingBack }

// A Progress is the state of one request. One goroutine at a time writes it, others read it meanwhile: the values that
// a reader gets may be of two moments. The methods of a nil Progress do nothing. The zero Progress is a request that is
// being prepared.
type Progress struct {
	state    atomic.Uint32
	since    atomic.Int64 // when the state began, in Unix nanoseconds; 0 before the first
	latest   atomic.Int64 // when something of an answer came last, in Unix nanoseconds; 0 before
	attempts atomic.Int32
	answer   atomic.Int64 // bytes of text, reasoning and arguments of the attempt under way
	call     atomic.Int64 // bytes of arguments of the call under way
	tool     atomic.Pointer[string]
	model    atomic.Pointer[callwright.ModelID]
}

// Ask begins an attempt: model, which must not change afterwards, is asked. why is the reason, as callwright.Attempt
// has it.
func (p *Progress) Ask(model *callwright.ModelID, why string) {
	if p == nil {
		return
	}
	p.attempts.Add(1)
	p.answer.Store(0)
	p.model.Store(model)
	switch why {
	case callwright.AttemptCorrection:
		p.enter(Correcting)
	case callwright.AttemptFallback:
		p.enter(FallingBack)
	default:
		p.enter(Waiting)
	}
}

// Pause begins the pause before the request of an attempt is sent again.
func (p *Progress) Pause() {
	if p != nil {
		p.enter(Retrying)
	}
}

// Resend ends the pause.
func (p *Progress) Resend() {
	if p != nil {
		p.enter(Waiting)
	}
}

// Finish says that the answer has ended.
func (p *Progress) Finish() {
	if p != nil {
		p.enter(Finishing)
	}
}

// A Part is the progress that a batch of an answer shows.
type Part struct {
	State State   // Thinking, Text, Holding or Calling; Preparing where the batch says nothing of it
	Tool  *string // the declared name of the tool that is called, which must not change afterwards; nil where it is not known
	Bytes int     // of the call's arguments, or of its markup, so far
	Came  int     // bytes of text, reasoning and arguments in the batch
}

// Take takes the latest part of an answer. now is the time; it is zero, and not needed, where the next part is at hand
// already.
func (p *Progress) Take(part Part, now time.Time) {
	if p == nil {
		return
	}
	if part.Came > 0 {
		p.answer.Add(int64(part.Came))
	}
	if !now.IsZero() {
		p.latest.Store(now.UnixNano())
	}
	state := part.State
	if state == Preparing {
		return
	}
	if state != Holding && state != Calling {
		part.Tool, part.Bytes = nil, 0
	}
	if p.tool.Load() != part.Tool {
		p.tool.Store(part.Tool)
	}
	if n := int64(part.Bytes); p.call.Load() != n {
		p.call.Store(n)
	}
	if State(p.state.Load()) != state {
		p.since.Store(time.Now().UnixNano())
		p.state.Store(uint32(state))
	}
}

// enter begins a state without a call.
func (p *Progress) enter(s State) {
	p.tool.Store(nil)
	p.call.Store(0)
	p.since.Store(time.Now().UnixNano())
	p.state.Store(uint32(s))
}
