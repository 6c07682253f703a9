package provider

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/pool"
	"github.com/callwright/callwright/sse"
)

// Stream sends the request and gives the events of the answer as they come, a Flush after each stretch of them but the last. Notes of
// the encoder and of further tries come before the first event of the answer. Tries are made again until the first
// event was handed on. Stopping the loop, or ending ctx, closes the connection at once.
func (r *Remote) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		body, notes, err := r.encode(req, true)
		if err != nil {
			yield(nil, r.seal(err))
			return
		}
		defer body.release()
		if req.OnSend != nil {
			req.OnSend(body.bytes)
		}
		for t := r.newTries(notes); ; {
			t.n++
			s := stream{r: r, notes: t.notes, yield: yield}
			force, err := s.run(ctx, body)
			switch {
			case err == nil || s.stopped:
				return
			case s.handed:
				err = t.end(err)
			default:
				err = t.again(ctx, err, force)
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// A stream is one try of a streamed answer.
type stream struct {
	r       *Remote
	notes   []callwright.Note
	yield   func(callwright.Event, error) bool
	tell    func(*callwright.Error) // tells the breaker, once
	handed  bool                    // something was handed on: no other try
	stopped bool                    // the caller has enough
	early   []callwright.Event      // frames that no event and no comment came with, until something is handed on
	waiting int                     // bytes of them
	ended   time.Time               // when the End was handed on
}

// What comes after the end of an answer is passed on, but not waited for: servers leave connections open.
const (
	maxEarly   = 64 << 10
	afterLimit = 250 * time.Millisecond
)

var afterEnd = phase{"after the end", afterLimit}

func (s *stream) run(ctx context.Context, body *encoded) (force bool, err *callwright.Error) {
	tell, err := s.r.breaker.allow()
	if err != nil {
		return false, err
	}
	s.tell = tell
	defer func() { s.verdict(err) }()
	a, force, err := s.r.send(ctx, s.r.stream, body)
	if err != nil {
		return force, err
	}
	defer a.close()
	s.r.discover()
	if s.r.p.isWhole(a) {
		return false, s.whole(ctx, a)
	}
	return false, s.read(ctx, a)
}

// verdict reports the outcome of the try to the breaker, at its first event or at the error in place of one.
func (s *stream) verdict(err *callwright.Error) {
	if s.tell != nil {
		s.tell(err)
		s.tell = nil
	}
}

// streamBufferSize bounds what is read of a provider in one go: what is read at once is handed on at once.
const streamBufferSize = 16 << 10

var streamBuffers = pool.New(func(b *[streamBufferSize]byte) [][]byte { return [][]byte{b[:]} })

func getBuffer() []byte  { return streamBuffers.Get()[:] }
func putBuffer(b []byte) { streamBuffers.Put((*[streamBufferSize]byte)(b)) }

// read hands on the events of a stream.
func (s *stream) read(ctx context.Context, a *response) *callwright.Error {
	limit := sse.MaxEvent(int(s.r.p.maxAnswer))
	events := sse.NewReader
	if s.r.p.codec.Lines() {
		events = sse.NewLineReader
	}
	in := events(a.reader(), limit, sse.Lend(getBuffer, putBuffer))
	defer in.Release()
	decoder := s.r.p.codec.NewStreamDecoder()
	out := make([]callwright.Event, 0, 8)
	for {
		ev, failed := in.Next()
		switch {
		case failed == io.EOF:
			if ctx.Err() != nil { // the end is our own
				return broken(ctx, a.watch, ctx.Err(), true)
			}
			out, failed = decoder.Close(out[:0])
			return s.last(out, failed)
		case !s.ended.IsZero() && (failed != nil || time.Since(s.ended) > afterLimit):
			return s.last(nil, nil)
		case errors.Is(failed, sse.ErrTooLong):
			return tooLong(s.r.p.maxAnswer)
		case failed != nil:
			return broken(ctx, a.watch, failed, true)
		}
		if out, failed = decoder.Feed(ev, out[:0]); failed != nil {
			return s.last(out, failed)
		}
		if s.hold(ev, out) {
			continue
		}
		running := s.ended.IsZero()
		if !s.handOn(out) {
			return nil
		}
		if running && !s.ended.IsZero() {
			a.watch.next(&afterEnd)
		}
		// After the end of an answer comes the end of the stream, which is a good moment too.
		if s.handed && s.ended.IsZero() && !in.Buffered() && !s.yield(callwright.Flush{}, nil) {
			s.stopped = true
			return nil
		}
	}
}

// last hands on what came before the end of the stream. A Frame is left out beside an error: its bytes hold the
// provider's own form of it.
func (s *stream) last(out []callwright.Event, failed error) *callwright.Error {
	if failed == nil {
		s.handOn(out)
		return nil
	}
	err := errorOf(failed, callwright.KindBadAnswer, opSend)
	err.Body = bytes.Clone(err.Body) // it may alias the buffer of the stream
	if len(out) > 0 {
		if _, ok := out[0].(callwright.Frame); ok {
			out = out[1:]
		}
	}
	s.handOn(out)
	return err
}

// handOn hands events on, notes before the first of them, and reports whether the caller wants more.
func (s *stream) handOn(events []callwright.Event) bool {
	if len(events) == 0 {
		return true
	}
	if !s.handed {
		s.handed = true
		s.verdict(nil)
		for _, n := range s.notes {
			if !s.yield(callwright.Noted{Note: n}, nil) {
				s.stopped = true
				return false
			}
		}
	}
	early := s.early
	s.early = nil
	return s.each(early) && s.each(events)
}

func (s *stream) each(events []callwright.Event) bool {
	for _, ev := range events {
		if !s.yield(ev, nil) {
			s.stopped = true
			return false
		}
		if _, ok := ev.(callwright.End); ok {
			s.ended = time.Now()
		}
	}
	return true
}

// hold keeps what stands before the first event of an answer and is no comment: it may be the beginning of something else,
// such as a page in HTML, of which nothing is to be handed on.
func (s *stream) hold(ev sse.Event, out []callwright.Event) bool {
	if s.handed || len(out) != 1 || ev.Data != nil || bytes.HasPrefix(ev.Raw, []byte(":")) || s.waiting > maxEarly {
		return false
	}
	f, ok := out[0].(callwright.Frame)
	if !ok || f.Events > 0 {
		return false
	}
	f.Bytes = bytes.Clone(f.Bytes)
	s.early, s.waiting = append(s.early, f), s.waiting+len(f.Bytes)
	return true
}

// whole hands on a whole answer that came although a stream was asked for: of providers that do not stream, and of
// refusals under a status that says that all is well.
func (s *stream) whole(ctx context.Context, a *response) *callwright.Error {
	resp, err := s.r.answer(ctx, a)
	if err != nil {
		return err
	}
	resp.Raw = nil // bytes of a whole answer are none of a stream
	return s.last(resp.Events(), nil)
}
