package gateway

import (
	"context"
	"net/http"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
)

// An Observer is told of every request: Begin when it came, before any of it but its line and its headers was read, and
// End when it was answered or cancelled. Each is called once a request, on its goroutine, which waits; observers are
// called concurrently. The context that Begin returns, which must derive from the one it was given, is that of the
// request from there on; End gets it too. Values behind pointers in an Observation are only read, and do not change
// after End; an Observer may keep all of it but the Header.
type Observer interface {
	Begin(ctx context.Context, o Observation) context.Context
	End(ctx context.Context, o Observation)
}

// A StreamObserver is an Observer that is also told when a request turned out to ask for a stream, before its model is
// asked. End follows as for all.
type StreamObserver interface {
	Observer
	Streams(ctx context.Context, o Observation)
}

// An Observation holds the facts about a request. Begin knows its method, its path, its header and when it began; End
// knows all.
type Observation struct {
	Method, Path string
	// Header is the header of the request. It has the caller's keys and must not be recorded.
	Header http.Header
	Began  time.Time

	Wire callwright.WireName // the client's; empty at paths of no wire
	Key  string              // the name of the key that was presented, where keys have names
	// Model is the requested model, as the client wrote it; empty if the request names none.
	Model    callwright.ModelID
	Streamed bool
	// Status is the HTTP status of the answer: 499 if the client left before there was one.
	Status  int
	Aborted bool // the connection was reset
	// Outcome is empty for a request without a model.
	Outcome outcome.Outcome
	// Report and Err are nil where there is none. An error has its report in Report too.
	Report *callwright.Report
	Err    *callwright.Error
	// FirstByte is the time of the first byte of the answer's body. FirstContent is the time of the first piece of a
	// streamed answer: text, reasoning or a call. Both are zero if that never came.
	FirstByte, FirstContent time.Time
	Ended                   time.Time
	Written                 int64 // bytes of the answer's body
}

// observed is a request that is observed. A nil one does nothing.
type observed struct {
	observers []Observer
	contexts  []context.Context // returned by Begin of each
	o         Observation
}

// beginObserving tells the observers that a request came, and returns it with the context that they give it.
func (s *Server) beginObserving(x *exchange, r *http.Request) *http.Request {
	w := &observed{observers: s.cfg.Observers, contexts: make([]context.Context, 0, len(s.cfg.Observers)),
		o: Observation{Method: r.Method, Path: r.URL.Path, Header: r.Header, Began: x.began}}
	ctx := r.Context()
	for _, to := range w.observers {
		ctx = to.Begin(ctx, w.o)
		w.contexts = append(w.contexts, ctx)
	}
	x.observed = w
	if ctx == r.Context() { // none of them puts anything there
		return r
	}
	return r.WithContext(ctx)
}

// beginStream tells the observers that the request asks for a stream.
func (w *observed) beginStream(x *exchange) {
	if w == nil {
		return
	}
	w.o.Streamed, w.o.Wire, w.o.Key, w.o.Model = true, x.wire, x.key(), x.asked
	for i, to := range w.observers {
		if to, ok := to.(StreamObserver); ok {
			to.Streams(w.contexts[i], w.o)
		}
	}
}

// noteEvent notes the time of the first content of a stream.
func (w *observed) noteEvent(ev callwright.Event) {
	if w != nil && w.o.FirstContent.IsZero() && isContent(ev) {
		w.o.FirstContent = time.Now()
	}
}

// isContent reports whether an event has a part of a model's answer.
func isContent(ev callwright.Event) bool {
	switch ev.(type) {
	case callwright.TextBegin, callwright.TextDelta, callwright.ReasoningDelta, callwright.ReasoningEnd, callwright.CallBegin,
		callwright.OpaquePart, callwright.MediaPart:
		return true
	}
	return false
}

// countWritten counts the next bytes of the answer's body.
func (w *observed) countWritten(b []byte) {
	if w == nil || len(b) == 0 {
		return
	}
	if w.o.FirstByte.IsZero() {
		w.o.FirstByte = time.Now()
	}
	w.o.Written += int64(len(b))
}

// end tells the observers the outcome of the request.
func (w *observed) end(x *exchange, aborted bool) {
	if w == nil {
		return
	}
	w.o.Ended = time.Now()
	w.o.Wire, w.o.Key, w.o.Model, w.o.Status, w.o.Aborted, w.o.Report, w.o.Err = x.wire, x.key(), x.asked, x.status, aborted,
		x.report, x.failed
	w.o.Outcome, _ = x.ending.Outcome()
	for i, to := range w.observers {
		to.End(context.WithoutCancel(w.contexts[i]), w.o)
	}
}
