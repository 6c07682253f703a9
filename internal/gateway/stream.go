package gateway

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/pool"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire"
)

// writeStream writes a streamed response. Before the first event and before Config.FirstSign nothing is sent, so that
// an error can have its HTTP status. A later error is sent as an event in the format of the client's API. The
// connection is then reset, so that the client does not take the response for complete.
func (s *Server) writeStream(x *exchange, r *http.Request, front wire.Front, model callwright.Model, req *callwright.Request,
	t *continuation) error {
	out := &streamWriter{w: x, rc: http.NewResponseController(x), enc: front.NewStreamEncoder(req), continuation: t, every: s.cfg.KeepAlive,
		patience: s.cfg.Patience, progress: &x.running.Progress, reportID: x.reportID}
	out.room = min(max(wire.Room(out.enc), leastPending), mostPending)
	out.start(s.cfg.FirstSign)
	defer out.stop()
	defer func() {
		if p := recover(); p != nil {
			if p != http.ErrAbortHandler && !out.abandon() { // an error as JSON cannot follow sent bytes
				s.logPanic(r, p)
				s.abortStream(out, x, r, &callwright.Error{Kind: callwright.KindInternal, Message: failedHere})
			}
			panic(p)
		}
	}()
	var rep *callwright.Report
	for b, err := range callwright.Batches(r.Context(), model, req) {
		if err != nil {
			if out.abandon() {
				return err
			}
			x.streamed = true
			s.abortStream(out, x, r, asError(err))
		}
		for i, ev := range b.Events {
			if done, ok := ev.(callwright.Done); ok { // the last event, not sent to the client
				rep, b.Events, b.More = done.Report, b.Events[:i], true
				break
			}
			x.noteCall(ev)
			x.observed.noteEvent(ev)
			x.metered.countEvent(ev)
		}
		there, begun := out.write(b)
		if x.streamed = begun; !there {
			x.left = true
			e := &callwright.Error{Kind: callwright.KindCanceled, Message: "the client disconnected during the stream", Report: x.emptyReport()}
			s.keepFailure(x, r, e)
			panic(http.ErrAbortHandler)
		}
	}
	if rep == nil {
		err := &callwright.Error{Kind: callwright.KindInternal, Message: "the stream ended without a report"}
		if !out.abandon() {
			s.abortStream(out, x, r, err)
		}
		return err
	}
	s.endStream(out, x, r, req, rep)
	return nil
}

// endStream stores the report of a streamed response and then sends the end of the response. The order matters: the
// client may request the report as soon as it has the end.
func (s *Server) endStream(out *streamWriter, x *exchange, r *http.Request, req *callwright.Request, rep *callwright.Report) {
	addNotes(rep, wire.LeftOut(out.enc))
	out.continuation.addNotesTo(rep)
	x.hideCredentials(req, rep)
	s.keepReport(x, r, rep)
	if r.Header.Get(reportHeader) == "body" {
		out.addReport(x.withOutcome(rep))
	}
	out.finish()
	x.report = rep
	s.observeTokens(r.Context(), req, rep)
}

// abortStream ends a started stream with an error event and resets the connection by a panic with http.ErrAbortHandler.
// It does not return.
func (s *Server) abortStream(out *streamWriter, x *exchange, r *http.Request, e *callwright.Error) {
	if e.Report == nil {
		told := *e
		told.Report = x.emptyReport()
		e = &told
	}
	e = x.withoutCredentials(e)
	s.keepFailure(x, r, e)
	var rep *shownReport
	if r.Header.Get(reportHeader) == "body" {
		shown := x.withOutcome(e.Report)
		rep = &shown
	}
	out.fail(presentable(e), rep)
	panic(http.ErrAbortHandler)
}

// A streamWriter buffers the encoded batches of a stream. It sends the buffer after a batch without More, above
// maxPending bytes, and after linger. It sends a keep-alive message after a long silence.
type streamWriter struct {
	w            http.ResponseWriter
	rc           *http.ResponseController
	enc          wire.StreamEncoder
	continuation *continuation // reads the sent events
	progress     *progress.Progress
	reportID     string
	every        time.Duration // interval of keep-alive messages
	// patience is the maximum time of one write. Without it, a client that stops reading would block the provider's stream
	// forever.
	patience time.Duration

	mu      sync.Mutex  // the goroutines of both timers write too
	pending *pool.Loan  // the memory of buf; nil while nothing is buffered
	buf     []byte      // bytes not yet sent
	room    int         // initial capacity of buf in bytes
	begun   bool        // the response headers were set
	written bool        // bytes were written to the connection
	ended   bool        // nothing more is written
	last    time.Time   // time of the last write
	timer   *time.Timer // sends keep-alive messages
	late    *time.Timer // sends the buffer after linger
	broken  error       // first write error
}

// Minimum and maximum capacity of the buffer of a stream, in bytes.
const (
	leastPending = 32 << 10
	mostPending  = 1 << 20 // a larger buffer is allocated only if needed
)

// linger is the maximum time that bytes wait in the buffer. A batch without More is flushed at once.
const linger = 10 * time.Millisecond

// maxPending is the size of the buffer in bytes above which it is written without a flush.
const maxPending = 64 << 10

// start sends a keep-alive message if the stream does not begin within the given time.
func (o *streamWriter) start(within time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = time.Now()
	o.timer = time.AfterFunc(within, o.keepAlive)
}

// abandon ends a stream that has not begun, so that the caller can send an error with its HTTP status. It returns false
// and does nothing if the stream has begun.
func (o *streamWriter) abandon() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.begun {
		return false
	}
	o.ended = true
	return true
}

// begin sets the response headers, once. The caller holds o.mu.
func (o *streamWriter) begin() {
	if o.begun {
		return
	}
	h := o.w.Header()
	h.Set("Content-Type", o.enc.ContentType())
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no") // disables buffering in nginx
	h.Set(reportHeader, "id="+o.reportID)
	o.begun, o.last = true, time.Now()
	o.timer.Reset(o.every)
}

// buffer returns the buffered bytes, with capacity for more. The caller holds o.mu.
func (o *streamWriter) buffer() []byte {
	if o.buf == nil {
		o.pending = pool.Borrow(o.room)
		o.buf = o.pending.Bytes
	}
	return o.buf
}

// releaseBuffer drops the sent bytes and returns the memory to the pool. If the buffer had to grow, the next one begins
// with the larger capacity. The caller holds o.mu.
func (o *streamWriter) releaseBuffer() {
	if o.pending != nil {
		o.room = max(o.room, min(cap(o.buf), mostPending))
		o.pending.Return()
	}
	o.buf, o.pending = nil, nil
}

// write encodes a batch into the buffer and sends the buffer. If b.More is set, it sends only above maxPending bytes or
// after linger. there reports whether the client is still connected, begun whether the response has begun.
func (o *streamWriter) write(b callwright.Batch) (there, begun bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if b.Raw != nil || len(b.Events) > 0 {
		o.begin()
	}
	before := len(o.buf)
	o.buf = o.enc.Encode(o.buffer(), b)
	o.continuation.watch(o.buf[before:])
	switch {
	case !b.More:
		o.sendAndFlush()
	case len(o.buf) > maxPending:
		o.send()
	case before == 0 && len(o.buf) > 0 && o.begun:
		o.sendSoon()
	}
	return o.broken == nil, o.begun
}

// sendSoon starts the timer that sends the buffer after linger. The caller holds o.mu.
func (o *streamWriter) sendSoon() {
	if o.late == nil {
		o.late = time.AfterFunc(linger, o.flushLate)
	} else {
		o.late.Reset(linger)
	}
}

// flushLate sends the buffer. The timer late calls it on its own goroutine.
func (o *streamWriter) flushLate() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.ended {
		o.sendAndFlush()
	}
}

// send writes the buffer to the connection without flushing it. The caller holds o.mu.
func (o *streamWriter) send() {
	if len(o.buf) == 0 || o.broken != nil {
		return
	}
	_ = o.rc.SetWriteDeadline(time.Now().Add(o.patience))
	o.written = true
	_, o.broken = o.w.Write(o.buf)
	o.releaseBuffer()
}

func (o *streamWriter) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sendAndFlush()
}

// sendAndFlush writes the buffer and flushes the connection. The caller holds o.mu.
func (o *streamWriter) sendAndFlush() {
	if len(o.buf) == 0 {
		o.releaseBuffer()
	}
	if len(o.buf) == 0 || !o.begun || o.broken != nil {
		return
	}
	o.send()
	if o.broken == nil {
		o.broken = o.rc.Flush()
	}
	o.last = time.Now()
}

// finish writes the rest of the buffer if the response has begun. If nothing was sent before, the response has a
// Content-Length and is not chunked.
func (o *streamWriter) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.begun {
		if !o.written {
			o.w.Header().Set("Content-Length", strconv.Itoa(len(o.buf)))
		}
		o.send()
	}
}

// fail ends the stream with an error, followed by the report unless rep is nil.
func (o *streamWriter) fail(e *callwright.Error, rep *shownReport) {
	o.mu.Lock()
	o.buf = o.enc.Fail(o.buffer(), e)
	if rep != nil {
		o.appendReport(*rep)
	}
	o.mu.Unlock()
	o.flush()
}

// addReport appends the report after the response.
func (o *streamWriter) addReport(rep shownReport) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.appendReport(rep)
}

// appendReport appends the report as a comment of an event stream, or as a line of a stream of JSON lines. To other
// streams it adds nothing. The caller holds o.mu.
func (o *streamWriter) appendReport(rep shownReport) {
	switch kind := o.enc.ContentType(); {
	case strings.HasPrefix(kind, "text/event-stream"):
		o.buf = appendReportComment(o.buffer(), rep)
	case strings.HasPrefix(kind, "application/x-ndjson"):
		o.buf = appendReportLine(o.buffer(), rep)
	}
}

// keepAlive sends a keep-alive message if the stream was silent for Config.KeepAlive or has not begun. It runs on the
// goroutine of a timer.
func (o *streamWriter) keepAlive() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended || o.broken != nil {
		return
	}
	if quiet := time.Since(o.last); o.begun && quiet < o.every {
		o.timer.Reset(o.every - quiet)
		return
	}
	o.begin()
	o.buf = o.enc.KeepAlive(o.buffer(), o.progress.Now(time.Now()))
	o.send()
	if o.broken == nil {
		o.broken = o.rc.Flush()
	}
	o.last = time.Now()
	o.timer.Reset(o.every)
}

// stop stops both timers. Nothing is written afterwards.
func (o *streamWriter) stop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	o.releaseBuffer()
	for _, t := range []*time.Timer{o.timer, o.late} {
		if t != nil {
			t.Stop()
		}
	}
}
