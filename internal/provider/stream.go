package provider

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/pool"
	"github.com/callwright/callwright/internal/provider/internal/eventstream"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/sse"
)

// Stream sends the request and yields the events of the response as they arrive. It retries until the first event was
// yielded. Breaking the loop or cancelling ctx closes the connection immediately.
func (r *Remote) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(r.Batches(ctx, req))
}

// Batches is Stream in batches, which also contain the provider's bytes. The notes of the encoder and of retries
// precede the first batch with bytes.
func (r *Remote) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return func(yield func(callwright.Batch, error) bool) {
		t := r.newTries(req)
		t.over(req)
		defer t.leave()
		if err := t.admit(ctx); err != nil {
			yield(callwright.Batch{}, err)
			return
		}
		body, notes, err := r.encode(req, true)
		if err != nil {
			yield(callwright.Batch{}, r.seal(err))
			return
		}
		t.sent, t.notes = body.bytes, notes
		defer body.release()
		if observe := companion.Of(req).OnSend; observe != nil {
			observe(body.bytes)
		}
		for {
			t.n++
			s := stream{r: r, notes: t.notes, yield: yield}
			force, err := s.run(ctx, body, t)
			switch {
			case err == nil || s.stopped:
				return
			case s.handed:
				err = t.end(err)
			default:
				err = t.again(ctx, err, force)
			}
			if err != nil {
				yield(callwright.Batch{}, err)
				return
			}
		}
	}
}

// A stream is the state of one try of a streamed response.
type stream struct {
	r       *Remote
	notes   []callwright.Note
	yield   func(callwright.Batch, error) bool
	tell    func(tryOutcome)   // reports to the circuit breaker; nil after the first call
	handed  bool               // whether a batch was yielded, so that no retry is possible
	stopped bool               // whether the caller has broken the loop
	early   []callwright.Batch // bytes before the first event, until a batch is yielded
	waiting int                // number of bytes in early
	unsent  bool               // whether the last batch that was yielded has More set
	ended   time.Time          // when the End was yielded
	ending  *time.Timer        // ends the try when the response can be complete; nil while it continues
}

// Limits of a stream. Bytes after the End are forwarded, but only for a short time, since some servers keep the
// connection open.
const (
	maxEarly   = 64 << 10
	afterLimit = 250 * time.Millisecond
)

var (
	afterEnd = phase{"after the end", afterLimit}
	late     = phase{"after the last line", time.Second}
)

func (s *stream) run(ctx context.Context, body *encoded, t *tries) (force bool, err *callwright.Error) {
	tell, err := s.r.allow(ctx)
	if err != nil {
		return false, err
	}
	s.tell = tell
	defer func() { s.reportToBreaker(t.outcome(err)) }()
	first := &s.r.p.firstByte
	if t.hasFallback {
		first = &s.r.p.firstBeforeFallback
	}
	a, force, err := s.r.send(ctx, s.r.streamPrototype, body, first, t.target())
	t.noteRenewal(body)
	s.notes = t.notes
	if t.begun = err == nil; err != nil {
		return force, err
	}
	defer a.close()
	t.route.NoteAnswer()
	s.r.discover()
	if strings.HasPrefix(a.Header.Get("Content-Type"), eventstream.ContentType) {
		a.again = eventstream.New(a.reader(), s.r.p.maxAnswer)
	}
	if s.r.p.isWhole(a) {
		return false, s.takeWhole(ctx, a)
	}
	return false, s.read(ctx, a)
}

// reportToBreaker reports the outcome of the try to the circuit breaker, at the first event or error. Later calls do
// nothing.
func (s *stream) reportToBreaker(o tryOutcome) {
	if s.tell != nil {
		s.tell(o)
		s.tell = nil
	}
}

// streamBufferSize is the size of the read buffer of a stream in bytes. The bytes of one read are forwarded together.
const streamBufferSize = 16 << 10

var streamBuffers = pool.New(func(b *[streamBufferSize]byte) [][]byte { return [][]byte{b[:]} })

func getBuffer() []byte  { return streamBuffers.Get()[:] }
func putBuffer(b []byte) { streamBuffers.Put((*[streamBufferSize]byte)(b)) }

// read decodes the response and yields its events.
func (s *stream) read(ctx context.Context, a *response) *callwright.Error {
	limit := sse.MaxEvent(int(s.r.p.maxAnswer))
	events := sse.NewReader
	if s.r.p.codec.StreamsJSONLines() {
		events = sse.NewLineReader
	}
	reader := events(a.reader(), limit, sse.Lend(getBuffer, putBuffer))
	defer reader.Release()
	in := surrogateJoiner{in: reader}
	defer s.stopEnding()
	decoder := s.r.p.codec.NewStreamDecoder()
	for {
		ev, failed := in.Next()
		switch {
		case failed == io.EOF:
			if ctx.Err() != nil { // the request was cancelled
				return s.r.p.transportError(ctx, a.watch, ctx.Err(), true)
			}
			b, failed := decoder.Close()
			return s.last(b, failed)
		case s.ending != nil && failed != nil:
			b, failed := decoder.Close()
			return s.last(b, failed)
		case !s.ended.IsZero() && (failed != nil || time.Since(s.ended) > afterLimit):
			return s.last(callwright.Batch{}, nil)
		case errors.Is(failed, sse.ErrTooLong):
			return tooLong(s.r.p.maxAnswer)
		case failed != nil:
			return s.r.p.transportError(ctx, a.watch, failed, true)
		}
		b, failed := decoder.Feed(ev)
		if in.joined > 0 {
			in.joined = 0
			b.Notes = append(b.Notes, callwright.Note{Rule: "transport.joined_character", Stage: callwright.StageTransport,
				Why: "a character was split between two events"}.Classify())
		}
		if failed != nil {
			return s.last(b, failed)
		}
		if s.keepEarly(ev, b) {
			continue
		}
		running := s.ended.IsZero()
		// The End of the response is sent together with the end of the stream that follows.
		b.More = in.HasEvent() || !running || hasEnd(b.Events)
		if !s.handOn(b) {
			return nil
		}
		switch {
		case running && !s.ended.IsZero():
			a.watch.next(&afterEnd)
		case running:
			s.watchEnding(a, decoder)
		}
	}
}

// watchEnding limits the wait for further events to one second while the response can be complete.
func (s *stream) watchEnding(a *response, decoder wire.StreamDecoder) {
	e, ok := decoder.(wire.Ender)
	switch {
	case !ok || e.Ending() == (s.ending != nil):
	case s.ending == nil:
		s.ending = time.AfterFunc(late.limit, func() { a.watch.ctx.end(silence{&late}) })
	default:
		s.stopEnding()
	}
}

// stopEnding stops the timer of watchEnding, if it runs.
func (s *stream) stopEnding() {
	if s.ending != nil {
		s.ending.Stop()
		s.ending = nil
	}
}

// hasEnd reports whether the last event is End. End is always the last of the events.
func hasEnd(events []callwright.Event) bool {
	if len(events) == 0 {
		return false
	}
	_, ok := events[len(events)-1].(callwright.End)
	return ok
}

// last yields the batch before the end of the stream. With an error it removes the bytes, which contain the provider's
// form of the error.
func (s *stream) last(b callwright.Batch, failed error) *callwright.Error {
	if failed == nil {
		b.More = true
		s.handOn(b)
		return nil
	}
	err := errorOf(failed, callwright.KindBadAnswer, opSend)
	err.Body = bytes.Clone(err.Body) // it may be part of the stream's buffer
	b.Wire, b.Raw, b.Hint = "", nil, nil
	s.handOn(b)
	return err
}

// handOn yields a batch, preceded by the notes and the early bytes if it is the first. It reports whether the caller
// continues the loop.
func (s *stream) handOn(b callwright.Batch) bool {
	if b.Raw == nil && len(b.Events)+len(b.Notes) == 0 && (b.More || !s.unsent) {
		return true
	}
	if !s.handed {
		s.handed = true
		s.reportToBreaker(tryOutcome{})
		if len(s.notes) > 0 {
			s.give(callwright.Batch{Notes: s.notes, More: true})
		}
	}
	for _, e := range s.early {
		s.give(e)
	}
	s.early = nil
	s.give(b)
	return !s.stopped
}

// give yields a batch, unless the caller has broken the loop.
func (s *stream) give(b callwright.Batch) {
	if s.stopped {
		return
	}
	s.unsent, s.stopped = b.More, !s.yield(b, nil)
	if hasEnd(b.Events) {
		s.ended = time.Now()
	}
}

// keepEarly stores bytes before the first event that are not a comment, since they may belong to something else, such
// as an HTML page. It reports whether it stored them.
func (s *stream) keepEarly(ev sse.Event, b callwright.Batch) bool {
	if s.handed || b.Raw == nil || len(b.Events)+len(b.Notes) > 0 || ev.Data != nil || bytes.HasPrefix(ev.Raw, []byte(":")) ||
		s.waiting > maxEarly {
		return false
	}
	b.More = true
	s.early, s.waiting = append(s.early, b.Clone()), s.waiting+len(b.Raw)
	return true
}

// takeWhole yields a complete response that the provider sent in place of a stream. If the response contains an error
// in spite of its 2xx status, takeWhole returns that error.
func (s *stream) takeWhole(ctx context.Context, a *response) *callwright.Error {
	resp, err := s.r.answer(ctx, a)
	if err != nil {
		return err
	}
	resp.Raw = nil // the bytes are not those of a stream
	return s.last(resp.Batch(), nil)
}
