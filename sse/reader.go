package sse

import (
	"errors"
	"fmt"
	"io"
)

// ErrTooLong reports that an event is larger than the limit set by MaxEvent.
var ErrTooLong = errors.New("sse: event too long")

const (
	defaultMaxEvent = 32 << 20
	firstBuffer     = 4 << 10
	maxEmptyReads   = 100
)

// An Option configures a Reader.
type Option func(*Reader)

// MaxEvent limits the size of one event in bytes, including its comments and blank line. The default is 32 MiB.
func MaxEvent(bytes int) Option {
	return func(r *Reader) { r.max = max(bytes, 1) }
}

// Lend makes the Reader borrow its buffer: it calls get to borrow one and put to return it, on the goroutine of Next.
// If an event does not fit, the Reader returns the buffer and uses a buffer of its own. If the source has a method
// Wait(), which blocks until there is data, the Reader returns an empty buffer before it calls Wait. [Reader.Release]
// returns the buffer at the end.
func Lend(get func() []byte, put func([]byte)) Option {
	return func(r *Reader) { r.get, r.put = get, put }
}

// A Reader splits a stream into events. It returns an event as soon as the event's last byte has arrived, without a
// further read. It is not safe for concurrent use.
type Reader struct {
	src   io.Reader
	max   int
	lines bool // read newline-delimited JSON instead of server-sent events

	buf  []byte // buf[start:end] has bytes that were read but not yet returned
	end  int
	lent []byte // the buffer from get, nil if buf is not borrowed
	get  func() []byte
	put  func([]byte)
	err  error // error of the source, io.EOF at its end
	scan       // state of the event that is being read

	names map[string]string // event names seen so far, to avoid allocating equal strings
}

// NewReader returns a Reader of the server-sent events in r.
func NewReader(r io.Reader, opts ...Option) *Reader {
	out := &Reader{src: r, max: defaultMaxEvent}
	for _, o := range opts {
		o(out)
	}
	return out
}

// NewLineReader returns a Reader of newline-delimited JSON. Each line that is not blank is an Event, whose Data is the
// line without its line end. Blank lines belong to the Raw of the following event. Blank lines at the end of the input
// are an Event with nil Data.
func NewLineReader(r io.Reader, opts ...Option) *Reader {
	out := NewReader(r, opts...)
	out.lines = true
	return out
}

// Next returns the next event. An event that consists of comments or blank lines has nil Data. Text after the last
// blank line is an event, too. Next returns io.EOF at the end. If the source fails, Next returns the error and an Event
// that has only the Raw bytes of the incomplete event. For an event above the limit it returns ErrTooLong. After an
// error, every call returns this error.
func (r *Reader) Next() (Event, error) {
	for !r.whole() {
		switch {
		case r.end-r.start > r.max:
			return r.tooLong()
		case r.err == nil:
			r.fill()
			continue
		case r.start == r.end:
			return Event{}, r.err
		case r.err != io.EOF:
			rest := r.buf[r.start:r.end:r.end]
			r.begin(r.end)
			return Event{Raw: rest}, r.err
		}
		r.finish()
		break
	}
	if r.pos-r.start > r.max {
		return r.tooLong()
	}
	ev := r.event()
	r.begin(r.pos)
	return ev, nil
}

// tooLong discards the buffered bytes and makes all further calls of Next fail with ErrTooLong.
func (r *Reader) tooLong() (Event, error) {
	r.err = fmt.Errorf("%w: expected at most %d bytes, got more", ErrTooLong, r.max)
	r.begin(r.end)
	return Event{}, r.err
}

// HasEvent reports whether Next will return an event without reading from the source. A program that forwards events
// should flush if it returns false. The slices of the last event stay valid.
func (r *Reader) HasEvent() bool {
	return r.whole() || r.err == io.EOF && r.start < r.end
}

// fill reads from the source once. It enlarges the buffer if the buffer is full.
func (r *Reader) fill() {
	if r.start == r.end {
		r.shift()
		r.wait()
	}
	if r.end == len(r.buf) {
		r.room()
	}
	for range maxEmptyReads {
		n, err := r.src.Read(r.buf[r.end:])
		r.end += n
		r.err = err
		if n > 0 || err != nil {
			return
		}
	}
	r.err = io.ErrNoProgress
}

// wait calls the source's method Wait, if there is one, after it has returned a borrowed buffer to put.
func (r *Reader) wait() {
	src, ok := r.src.(interface{ Wait() })
	if !ok || r.put == nil {
		return
	}
	if r.lent != nil {
		r.buf = nil
		r.Release()
	}
	src.Wait()
}

// Release returns a borrowed buffer to put. The slices of the last event become invalid. The Reader can still be used.
func (r *Reader) Release() {
	if r.lent != nil {
		r.put(r.lent)
		r.lent = nil
	}
}

// room makes space in the full buffer. If at least half of the buffer is free, it moves the contents to the front;
// otherwise it doubles the buffer. So each byte is moved a bounded number of times.
func (r *Reader) room() {
	if len(r.buf) > 0 && r.start >= len(r.buf)/2 {
		r.shift()
		return
	}
	if len(r.buf) == 0 && r.get != nil {
		r.lent = r.get()
		r.buf = r.lent
		return
	}
	longer := make([]byte, max(firstBuffer, 2*len(r.buf)))
	copy(longer[r.start:], r.buf[r.start:r.end])
	r.buf = longer
	r.Release()
}

func (r *Reader) shift() {
	copy(r.buf, r.buf[r.start:r.end])
	r.end -= r.start
	r.scan.shift(r.start)
}

// intern returns b as a string. It returns the same string for equal bytes, as long as there are at most 64 different
// ones.
func (r *Reader) intern(b []byte) string {
	const many = 64
	if len(b) == 0 {
		return ""
	}
	if s, ok := r.names[string(b)]; ok {
		return s
	}
	if r.names == nil {
		r.names = make(map[string]string)
	}
	s := string(b)
	if len(r.names) < many {
		r.names[s] = s
	}
	return s
}
