package trace

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/notice"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/redact"
	"github.com/callwright/callwright/internal/wire/credential"
)

// A recording is a request in progress that is recorded.
type recording struct {
	w      *Writer
	req    *callwright.Request // as passed to the model
	id     string
	began  time.Time
	ending *outcome.Ending // of a client's request; nil for a request of the program itself

	mu      sync.Mutex     // another goroutine may read the response
	tapped  bool           // a tap records the bytes of responses
	last    []byte         // body of the last recorded response
	secrets redact.Secrets // secrets to remove from all entries
}

// within returns a context in which a tap records provider responses for this request, and in which skipped models are
// recorded.
func (a *recording) within(ctx context.Context) context.Context {
	return notice.With(context.WithValue(ctx, recordingKey{}, a), func(n notice.Notice) {
		if n.Event == notice.Skip {
			name, _ := n.Model.Split()
			a.recordAnswer(&Received{Provider: name, Wire: n.Wire, Skipped: n.Wait, Kind: n.Kind}, 0)
		}
	})
}

// tap marks that a tap records the bytes of the response to a request with these secrets. It returns all secrets to
// remove from the response.
func (a *recording) tap(secrets []secret) redact.Secrets {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tapped = true
	for _, s := range secrets {
		if s.always {
			a.secrets = a.secrets.With(s.text)
		}
	}
	return a.secrets
}

// hideCredentials returns a request body without its credentials. They are also removed from later entries.
func (a *recording) hideCredentials(body []byte) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.secrets = a.secrets.With(credential.In(body)...)
	return a.secrets.Stream(credential.Hide(body))
}

// recordAnswer records a provider's response.
func (a *recording) recordAnswer(r *Received, took time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last = r.Body
	_ = a.w.put(Entry{Kind: KindReceived, ID: a.id, Duration: took, Redacted: a.w.redacted, Data: r.data(a.w.redacted)})
}

// isTapped reports whether a tap records the bytes of responses.
func (a *recording) isTapped() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.tapped
}

// isLast reports whether raw equals the body of the last recorded response.
func (a *recording) isLast(raw *callwright.Raw) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return raw != nil && a.tapped && bytes.Equal(a.secrets.Stream(raw.Bytes), a.last)
}

// hideSecrets removes the secrets of the request from an encoded answer. A secret split between chunks is only found
// here.
func (a *recording) hideSecrets(form []byte) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.secrets.Stream(form)
}

// shownError returns an error without the secrets of the request, which transports and servers may include in messages.
func (a *recording) shownError(e *callwright.Error) *callwright.Error {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := a.secrets.Error(e)
	if out != nil && out.Report != nil && !a.secrets.Empty() {
		out.Report = a.secrets.Report(out.Report)
	}
	return out
}

// whole records an answer that was not streamed, or an error.
func (a *recording) whole(resp *callwright.Response, err error) {
	if err != nil {
		a.put(Entry{Kind: KindError, Failure: errorOf(err)}, nil)
		return
	}
	a.put(Entry{Kind: KindAnswer}, resp)
}

// put writes the last entry of the request, with resp unless it is nil. Bytes recorded by a tap are not repeated. For a
// client's request, the entry waits until the outcome is decided, because encoding the answer for the client may add
// notes.
func (a *recording) put(e Entry, resp *callwright.Response) {
	e.ID, e.Duration = a.id, a.w.now().Sub(a.began)
	e.Outcome, e.Class = outcomeOf(&e, resp)
	if e.Usage = usageOf(reportOf(&e, resp)); e.Usage == nil && resp != nil && resp.Usage.Known { // without a report
		u := &resp.Usage
		e.Usage = []ModelUsage{{callwright.ModelID(resp.Model), u.Input, u.CacheRead, u.CacheWrite, u.Output, u.Reasoning}}
	}
	if resp != nil && !a.w.redacted && a.isLast(resp.Raw) {
		bare := *resp
		e.RawReceived, e.Wire = true, resp.Raw.Wire
		bare.Raw, resp = nil, &bare
	}
	if a.w.redacted {
		e, resp = sizesOnly(e), responseSizes(resp)
	}
	e.Failure = a.shownError(e.Failure)
	if resp != nil {
		form, err := conversation.MarshalResponse(resp)
		if err != nil {
			a.w.keep(err)
			return
		}
		e.Data = a.hideSecrets(form)
	}
	if a.ending == nil {
		_ = a.w.put(e)
		return
	}
	last := e // copied so that e itself stays on the stack
	a.ending.Await(func(came outcome.Outcome, class string) {
		last.Outcome, last.Class, last.Continued = came, class, came == ""
		_ = a.w.put(last)
	})
}

// reportOf returns the report of an answer or an error, nil if there is none.
func reportOf(e *Entry, resp *callwright.Response) *callwright.Report {
	if e.Failure != nil && e.Failure.Report != nil {
		return e.Failure.Report
	}
	if resp != nil {
		return resp.Report
	}
	return nil
}

// outcomeOf returns the outcome of a request by its last entry, "" for an answer without a report. class is the failure
// class if the outcome is Healed.
func outcomeOf(e *Entry, resp *callwright.Response) (came outcome.Outcome, class string) {
	switch {
	case e.Kind == KindError:
		return outcome.Failed, ""
	case resp == nil || resp.Report == nil:
		return "", ""
	}
	if came = outcome.Of(resp.Report, false); came == outcome.Healed {
		class = outcome.Class(resp.Report)
	}
	return came, class
}

// A stream is the recording of a streamed answer.
type stream struct {
	*recording
	collected callwright.Collector
	raw       *callwright.Raw // bytes of its batches, if no tap records them
	notes     []callwright.Note
	any       bool // an event was received
	ended     bool
	kept      int  // collected bytes
	cut       bool // the limit of collected bytes was exceeded
	err       error
}

// take records the next batch, or the error that ends the stream.
func (s *stream) take(b *callwright.Batch, err error) {
	if err != nil {
		s.err = err
		return
	}
	if b.Raw != nil {
		s.bytes(b)
	}
	for _, ev := range b.Events {
		s.event(ev)
	}
	s.notes = append(s.notes, b.Notes...)
}

// event records an event.
func (s *stream) event(ev callwright.Event) {
	switch ev := ev.(type) {
	case callwright.Done:
		if ev.Report == nil {
			return
		}
	case callwright.End:
		s.ended = true
	default:
		s.kept += sizeOf(ev)
		if s.cut = s.cut || s.kept > s.w.maxAnswer; s.cut {
			return
		}
	}
	s.any = true
	s.collected.Add(ev)
}

// bytes records the bytes of a batch unless a tap records them.
func (s *stream) bytes(b *callwright.Batch) {
	if s.isTapped() {
		return
	}
	if s.raw == nil {
		s.raw = &callwright.Raw{Wire: b.Wire}
	}
	if s.kept += len(b.Raw); s.kept <= s.w.maxAnswer {
		s.raw.Bytes = append(s.raw.Bytes, b.Raw...)
	}
}

// sizeOf returns the approximate size of an event's contents in bytes.
func sizeOf(ev callwright.Event) int {
	switch ev := ev.(type) {
	case callwright.TextDelta:
		return len(ev.Text)
	case callwright.ReasoningDelta:
		return len(ev.Text)
	case callwright.CallBegin:
		return len(ev.Signature) + len(ev.Extra.JSON)
	case callwright.CallDelta:
		return len(ev.Text)
	case callwright.CallEnd:
		if ev.Call != nil {
			return len(ev.Call.Arguments) + len(ev.Call.Input) + len(ev.Call.Raw) + len(ev.Call.Extra.JSON)
		}
	case callwright.ReasoningEnd:
		return len(ev.Signature) + len(ev.Redacted) + len(ev.Extra.JSON)
	case callwright.OpaquePart:
		return len(ev.Extra.JSON)
	case callwright.MediaPart:
		switch p := ev.Part.(type) {
		case callwright.Image:
			return len(p.Data) + len(p.URL) + len(p.Extra.JSON)
		case callwright.File:
			return len(p.Data) + len(p.URL) + len(p.Text) + len(p.Extra.JSON)
		}
	case callwright.TextBegin:
		return len(ev.Extra.JSON)
	}
	return 0
}

// end records the answer as far as it was read.
func (s *stream) end() {
	e := Entry{Kind: KindAnswer, Streamed: true, Partial: !s.ended || s.cut}
	if s.err != nil {
		e.Kind, e.Failure = KindError, errorOf(s.err)
	}
	var resp *callwright.Response
	if s.any || s.err == nil {
		resp = s.collected.Response()
		resp.Raw = s.raw
		if resp.Report == nil {
			e.Notes = s.notes
		}
	}
	s.put(e, resp)
}
