package gateway

import (
	"context"
	"net/http"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
)

// An Observer is notified of each request. Begin is called before the body is read, End after the request was answered
// or canceled. Each is called once per request on its goroutine, which waits for the return. Calls for different
// requests are concurrent. Begin returns the context for the rest of the request, derived from ctx; End gets it too.
// Values behind pointers in an Observation must not be modified. They do not change after End, and an Observer may
// retain all of them except Header.
type Observer interface {
	Begin(ctx context.Context, o Observation) context.Context
	End(ctx context.Context, o Observation)
}

// A StreamObserver is an Observer that is also notified when a request turns out to ask for a stream, before its model
// is called. End follows as usual.
type StreamObserver interface {
	Observer
	Streams(ctx context.Context, o Observation)
}

// An Observation holds the facts about a request. For Begin, only Method, Path, Header and Began are set.
type Observation struct {
	Method, Path string
	// Header is the header of the request. It contains API keys and must not be recorded.
	Header http.Header
	Began  time.Time

	Wire callwright.WireName // API of the client; empty at paths of no API
	Key  string              // name of the presented key, if keys have names
	// Model is the model requested by the client, empty if there is none.
	Model    callwright.ModelID
	Streamed bool
	// Status is the HTTP status of the response, 499 if the client left before a response.
	Status  int
	Aborted bool // the connection was reset
	// Outcome is empty for a request without a model.
	Outcome outcome.Outcome
	// Report and Err are nil if there is none. Report is also set if Err has a report.
	Report *callwright.Report
	Err    *callwright.Error
	// FirstByte is the time of the first byte of the response body. FirstContent is the time of the first text, reasoning
	// or tool call of a stream. Both are zero if nothing was sent.
	FirstByte, FirstContent time.Time
	Ended                   time.Time
	Written                 int64 // bytes of the response body
}

// observed is the state of an observed request. The methods of a nil observed do nothing.
type observed struct {
	observers []Observer
	contexts  []context.Context // returned by Begin of each observer
	o         Observation
}

// beginObserving calls Begin of each observer and returns the request with the resulting context.
func (s *Server) beginObserving(x *exchange, r *http.Request) *http.Request {
	w := &observed{observers: s.cfg.Observers, contexts: make([]context.Context, 0, len(s.cfg.Observers)),
		o: Observation{Method: r.Method, Path: r.URL.Path, Header: r.Header, Began: x.began}}
	ctx := r.Context()
	for _, to := range w.observers {
		ctx = to.Begin(ctx, w.o)
		w.contexts = append(w.contexts, ctx)
	}
	x.observed = w
	if ctx == r.Context() { // no observer changed the context
		return r
	}
	return r.WithContext(ctx)
}

// beginStream notifies the StreamObservers that the request asks for a stream.
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

// noteEvent records the time of the first content event of a stream.
func (w *observed) noteEvent(ev callwright.Event) {
	if w != nil && w.o.FirstContent.IsZero() && isContent(ev) {
		w.o.FirstContent = time.Now()
	}
}

// isContent reports whether an event has content of the response, such as text, reasoning or a tool call.
func isContent(ev callwright.Event) bool {
	switch ev.(type) {
	case callwright.TextBegin, callwright.TextDelta, callwright.ReasoningDelta, callwright.ReasoningEnd, callwright.CallBegin,
		callwright.OpaquePart, callwright.MediaPart:
		return true
	}
	return false
}

// countWritten records the next bytes of the response body.
func (w *observed) countWritten(b []byte) {
	if w == nil || len(b) == 0 {
		return
	}
	if w.o.FirstByte.IsZero() {
		w.o.FirstByte = time.Now()
	}
	w.o.Written += int64(len(b))
}

// end calls End of each observer with the outcome of the request.
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
