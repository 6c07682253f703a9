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

// writeStream writes a streamed answer. Nothing is sent before the first event, or before Config.FirstSign: until then
// an error has a status of its own. Afterwards it is a frame in the client's form, and the connection is reset, so that
// no cut answer passes for a whole one.
func (s *Server) writeStream(x *exchange, r *http.Request, front wire.Front, model callwright.Model, req *callwright.Request,
	t *continuation) error {
	out := &streamWriter{w: x, rc: http.NewResponseController(x), enc: front.NewStreamEncoder(req), continuation: t, every: s.cfg.KeepAlive,
		patience: s.cfg.Patience, progress: &x.running.Progress, reportID: x.reportID}
	out.room = min(max(wire.Room(out.enc), leastPending), mostPending)
	out.start(s.cfg.FirstSign)
	defer out.stop()
	defer func() {
		if p := recover(); p != nil {
			if p != http.ErrAbortHandler && !out.abandon() { // an answer in JSON cannot follow sent bytes
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
			if done, ok := ev.(callwright.Done); ok { // it is the last event, and no client is shown it
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
			e := &callwright.Error{Kind: callwright.KindCanceled, Message: "the client left in the middle of its stream", Report: x.emptyReport()}
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

// endStream keeps the report of a streamed answer and sends the end of the answer. The report is kept first: the client
// may ask for it once it has the end.
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

// abortStream ends a stream that has begun: with an error frame, and by resetting the connection. It does not return.
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

// A streamWriter buffers the encoded batches. It sends them at the end of a batch without More, when maxPending bytes
// wait, and after linger. It sends a sign of life when the stream was silent for long.
type streamWriter struct {
	w            http.ResponseWriter
	rc           *http.ResponseController
	enc          wire.StreamEncoder
	continuation *continuation // observes the sent events
	progress     *progress.Progress
	reportID     string
	every        time.Duration
	// patience is how long one write may take: a client that takes nothing in would hold the provider's stream for
	// ever.
	patience time.Duration

	mu      sync.Mutex // the goroutines of the two timers write too
	pending *pool.Loan // the memory of buf, where it has room in it; nil while nothing waits to be sent
	buf     []byte
	room    int // bytes to borrow for buf
	begun   bool
	written bool
	ended   bool
	last    time.Time
	timer   *time.Timer // sends signs of life
	late    *time.Timer // sends the bytes that wait since linger
	broken  error
}

// Sizes of the buffer of a stream, in bytes.
const (
	leastPending = 32 << 10
	mostPending  = 1 << 20 // kept for the next time
)

// linger bounds the time in which released bytes wait for more. A batch without More is flushed at once, unless a later
// one is still held back.
const linger = 10 * time.Millisecond

// maxPending is the size of the buffer, in bytes, from which it is sent without a flush.
const maxPending = 64 << 10

// start makes the stream begin with a sign of life if nothing else begins it in time.
func (o *streamWriter) start(within time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = time.Now()
	o.timer = time.AfterFunc(within, o.keepAlive)
}

// abandon closes a stream before its first byte. It reports false, and does nothing, if a byte was sent.
func (o *streamWriter) abandon() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.begun {
		return false
	}
	o.ended = true
	return true
}

// begin begins the answer, once. The caller holds mu.
func (o *streamWriter) begin() {
	if o.begun {
		return
	}
	h := o.w.Header()
	h.Set("Content-Type", o.enc.ContentType())
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no") // nginx would hold the stream back
	h.Set(reportHeader, "id="+o.reportID)
	o.begun, o.last = true, time.Now()
	o.timer.Reset(o.every)
}

// buffer returns the bytes that wait to be sent, with room for more. The caller holds mu.
func (o *streamWriter) buffer() []byte {
	if o.buf == nil {
		o.pending = pool.Borrow(o.room)
		o.buf = o.pending.Bytes
	}
	return o.buf
}

// releaseBuffer drops the bytes that were sent, and gives the memory back. The next buffer is as large as one that had
// to grow. The caller holds mu.
func (o *streamWriter) releaseBuffer() {
	if o.pending != nil {
		o.room = max(o.room, min(cap(o.buf), mostPending))
		o.pending.Return()
	}
	o.buf, o.pending = nil, nil
}

// write adds a batch to the bytes that are to be sent, and sends them unless more follows. It reports whether the
// client is still there, and whether the answer has begun.
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

// sendSoon starts the timer that sends the buffer after linger. The caller holds mu.
func (o *streamWriter) sendSoon() {
	if o.late == nil {
		o.late = time.AfterFunc(linger, o.flushLate)
	} else {
		o.late.Reset(linger)
	}
}

// flushLate sends the buffer. It runs on the goroutine of the timer late.
func (o *streamWriter) flushLate() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.ended {
		o.sendAndFlush()
	}
}

// send writes the buffer to the connection, whose own buffer may hold it back. The caller holds mu.
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

// sendAndFlush writes the buffer and flushes the connection. The caller holds mu.
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

// finish writes the rest of the buffer together with the end of the answer. If no byte was sent yet, the answer has a
// Content-Length and no chunks.
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

// fail ends the stream with an error, and with the report if the client asks for it.
func (o *streamWriter) fail(e *callwright.Error, rep *shownReport) {
	o.mu.Lock()
	o.buf = o.enc.Fail(o.buffer(), e)
	if rep != nil {
		o.appendReport(*rep)
	}
	o.mu.Unlock()
	o.flush()
}

// addReport adds the report after the answer.
func (o *streamWriter) addReport(rep shownReport) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.appendReport(rep)
}

// appendReport adds the report as a comment, or as a line of its own where the stream is lines of JSON. The caller
// holds mu.
func (o *streamWriter) appendReport(rep shownReport) {
	switch kind := o.enc.ContentType(); {
	case strings.HasPrefix(kind, "text/event-stream"):
		o.buf = appendReportComment(o.buffer(), rep)
	case strings.HasPrefix(kind, "application/x-ndjson"):
		o.buf = appendReportLine(o.buffer(), rep)
	}
}

// keepAlive sends a sign of life when the stream has been silent for long, or has not begun for long.
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

// stop ends the signs of life: nothing is written afterwards.
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
