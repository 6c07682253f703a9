// Package progress tracks the progress of a request. The keep-alive comments of an idle stream, the list of running
// requests and the log show it.
//
// A Progress contains only names of declared tools and models, counts and times. It never contains output of a model.
package progress

import (
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
)

// A State is the current phase of a request.
type State uint8

// States of a request.
const (
	Preparing   State = iota // no attempt has begun
	Waiting                  // a model has been requested and has not yet sent text, reasoning or a call
	Retrying                 // waiting before the same request is sent again after a transport error
	Correcting               // like Waiting, in an attempt that sends the violations of the previous answer
	FallingBack              // like Waiting, in an attempt with a fallback model
	Thinking                 // receiving reasoning
	Text                     // receiving text
	Holding                  // receiving a call that is buffered until it is complete and validated
	Calling                  // receiving a call that is streamed to the client
	Finishing                // the answer has ended
)

// names contains the names of the states for clients and operators.
var names = [...]string{"preparing", "waiting", "retrying", "correcting", "fallback", "thinking", "text", "holding", "calling", "finishing"}

// String returns the name of the state.
func (s State) String() string { return names[min(int(s), len(names)-1)] }

// Names returns the names of all states.
func Names() []string { return names[:] }

// isAsking reports whether the request waits for the first output of a model.
func (s State) isAsking() bool { return s >= Waiting && s <= FallingBack }

// A Progress is the progress of one request. One goroutine at a time may write it, and any number may read it at the
// same time. A reader may get fields of different moments. The methods of a nil Progress do nothing. The zero Progress
// is in the state Preparing.
type Progress struct {
	state    atomic.Uint32
	since    atomic.Int64 // begin of the state in Unix nanoseconds; 0 before the first change
	latest   atomic.Int64 // time of the last output of the model in Unix nanoseconds; 0 if there was none
	attempts atomic.Int32
	answer   atomic.Int64 // bytes of text, reasoning and arguments received in the current attempt
	call     atomic.Int64 // bytes of arguments received for the current call
	tool     atomic.Pointer[string]
	model    atomic.Pointer[callwright.ModelID]
}

// Ask begins an attempt with a model. why is a callwright.Attempt reason, such as callwright.AttemptCorrection. *model
// must not change afterwards.
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

// Pause sets the state Retrying: the request waits before it is sent again.
func (p *Progress) Pause() {
	if p != nil {
		p.enter(Retrying)
	}
}

// Resend sets the state Waiting after Pause.
func (p *Progress) Resend() {
	if p != nil {
		p.enter(Waiting)
	}
}

// Finish sets the state Finishing.
func (p *Progress) Finish() {
	if p != nil {
		p.enter(Finishing)
	}
}

// A Part is the progress shown by one batch of an answer.
type Part struct {
	State    State   // Thinking, Text, Holding or Calling; Preparing leaves the state unchanged
	Tool     *string // declared name of the called tool, nil if unknown; *Tool must not change afterwards
	Bytes    int     // size of the call so far: its arguments, or its markup in text
	Received int     // bytes of text, reasoning and arguments in the batch
}

// Record records a Part. now is the current time. It may be zero if the next batch is already available; Record then
// does not update the time of the last output.
func (p *Progress) Record(part Part, now time.Time) {
	if p == nil {
		return
	}
	if part.Received > 0 {
		p.answer.Add(int64(part.Received))
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

// enter sets a state in which no call is received.
func (p *Progress) enter(s State) {
	p.tool.Store(nil)
	p.call.Store(0)
	p.since.Store(time.Now().UnixNano())
	p.state.Store(uint32(s))
}
