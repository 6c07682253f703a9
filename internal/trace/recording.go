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

// A recording is one request that is under way.
type recording struct {
	w      *Writer
	req    *callwright.Request // as the model gets it
	id     string
	began  time.Time
	ending *outcome.Ending // of the request of a client; nil for one that a program makes

	mu      sync.Mutex     // an answer may be read in another goroutine
	tapped  bool           // the bytes of answers are recorded as they come
	last    []byte         // those of the last
	secrets redact.Secrets // that no entry shows
}

// within is a context in which the bytes of answers, and models that are skipped, are recorded for the request.
func (a *recording) within(ctx context.Context) context.Context {
	return notice.With(context.WithValue(ctx, recordingKey{}, a), func(n notice.Notice) {
		if n.Event == notice.Skip {
			name, _ := n.Model.Split()
			a.recordAnswer(&Received{Provider: name, Wire: n.Wire, Skipped: n.Wait, Kind: n.Kind}, 0)
		}
	})
}

// tap says that the bytes of an answer to a request with these secrets will be recorded as they come. It returns all
// that the answer must not show.
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

// hideCredentials returns a body without its credentials. The request's own credentials are hidden in the answer, too,
// and those that were added to it.
func (a *recording) hideCredentials(body []byte) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.secrets = a.secrets.With(credential.In(body)...)
	return a.secrets.Stream(credential.Hide(body))
}

// recordAnswer records a provider's answer.
func (a *recording) recordAnswer(r *Received, took time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last = r.Body
	_ = a.w.put(Entry{Kind: KindReceived, ID: a.id, Duration: took, Redacted: a.w.redacted, Data: r.data(a.w.redacted)})
}

// isTapped reports whether bytes are recorded as they come.
func (a *recording) isTapped() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.tapped
}

// isLast reports whether bytes are those that were received last.
func (a *recording) isLast(raw *callwright.Raw) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return raw != nil && a.tapped && bytes.Equal(a.secrets.Stream(raw.Bytes), a.last)
}

// hideSecrets is the form of an answer without the secrets of its requests. One that came in pieces may be whole only
// here.
func (a *recording) hideSecrets(form []byte) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.secrets.Stream(form)
}

// shownError is an error without the secrets of its requests: transports and servers write them into their texts.
func (a *recording) shownError(e *callwright.Error) *callwright.Error {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := a.secrets.Error(e)
	if out != nil && out.Report != nil && !a.secrets.Empty() {
		out.Report = a.secrets.Report(out.Report)
	}
	return out
}

// whole records a whole answer, or the error in its place.
func (a *recording) whole(resp *callwright.Response, err error) {
	if err != nil {
		a.put(Entry{Kind: KindError, Failure: errorOf(err)}, nil)
		return
	}
	a.put(Entry{Kind: KindAnswer}, resp)
}

// put writes the last entry of the request, with an answer where there is one. Bytes that were recorded before are not
// again. Where the model is asked for the request of a client, the entry waits until its outcome is decided: the
// encoding for the client may add notes to the report.
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
	last := e // e itself stays on the stack
	a.ending.Await(func(came outcome.Outcome, class string) {
		last.Outcome, last.Class, last.Continued = came, class, came == ""
		_ = a.w.put(last)
	})
}

// reportOf is the report of an answer, or of an error; nil without one.
func reportOf(e *Entry, resp *callwright.Response) *callwright.Report {
	if e.Failure != nil && e.Failure.Report != nil {
		return e.Failure.Report
	}
	if resp != nil {
		return resp.Report
	}
	return nil
}

// outcomeOf is the outcome that the last entry of a request says, "" where an answer has no report.
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

// A stream is a recording whose answer comes as events.
type stream struct {
	*recording
	collected callwright.Collector
	raw       *callwright.Raw // the bytes of its batches
	notes     []callwright.Note
	any       bool // an event of the answer has come
	ended     bool
	kept      int  // bytes of what was collected
	cut       bool // there was more than is kept
	err       error
}

// take takes the next batch, or the error that ends the stream.
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

// event takes an event.
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

// bytes keeps the bytes of a batch where they are recorded nowhere else.
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

// sizeOf is about how many bytes an event holds.
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

// end records the part of the stream that was read.
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
