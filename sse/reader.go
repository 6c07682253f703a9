package sse

import (
	"errors"
	"fmt"
	"io"
)

// ErrTooLong says that one event has more bytes than MaxEvent allows.
var ErrTooLong = errors.New("sse: event too long")

const (
	defaultMaxEvent = 32 << 20
	firstBuffer     = 4 << 10
	maxEmptyReads   = 100
)

// Option changes a Reader under construction.
type Option func(*Reader)

// MaxEvent limits the bytes of one event, its blank line and comments included. The default is 32 MiB.
func MaxEvent(bytes int) Option {
	return func(r *Reader) { r.max = max(bytes, 1) }
}

// Lend has the Reader read into memory that get returns, as long as events fit, and that put takes back, as it was got;
// both are called on the goroutine of Next. An event that has no room in it makes the Reader use memory of its own from
// there on. Where the source has a method Wait, which waits until there is something to read, the Reader has nothing
// lent while it waits. [Reader.Release] returns the rest.
func Lend(get func() []byte, put func([]byte)) Option {
	return func(r *Reader) { r.get, r.put = get, put }
}

// A Reader takes a stream apart into events. It never reads on while it still holds a whole event, so an event is
// returned as soon as its last byte has arrived. Not safe for concurrent use.
type Reader struct {
	src   io.Reader
	max   int
	lines bool // newline-delimited JSON instead of events

	buf  []byte // buf[start:end] is not yet returned
	end  int
	lent []byte // the memory of buf where it was lent
	get  func() []byte
	put  func([]byte)
	err  error // what the source ended with
	scan       // the event under way

	names map[string]string // spares a copy of a name that was seen before
}

// NewReader returns a Reader of the server-sent events in r.
func NewReader(r io.Reader, opts ...Option) *Reader {
	out := &Reader{src: r, max: defaultMaxEvent}
	for _, o := range opts {
		o(out)
	}
	return out
}

// NewLineReader returns a Reader of the lines in r, newline-delimited JSON: each line that is not blank is an Event
// whose Data is the line without its end. Blank lines before it belong to its Raw; those after the last line come as an
// event without data.
func NewLineReader(r io.Reader, opts ...Option) *Reader {
	out := NewReader(r, opts...)
	out.lines = true
	return out
}

// Next returns the next event. Comments alone, or a blank line alone, are an event with nil Data. Text at the end
// without a blank line is an event too; after it comes io.EOF. When the source fails, the error comes with an Event
// that has only the Raw bytes of the event that was cut. An event above the limit gives ErrTooLong. Errors stay.
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

// tooLong ends reading for good.
func (r *Reader) tooLong() (Event, error) {
	r.err = fmt.Errorf("%w: expected at most %d bytes, got more", ErrTooLong, r.max)
	r.begin(r.end)
	return Event{}, r.err
}

// HasEvent reports whether Next will return an event without reading from the source. When it does not, it is time to
// flush. It leaves the slices of the last event alone.
func (r *Reader) HasEvent() bool {
	return r.whole() || r.err == io.EOF && r.start < r.end
}

// fill reads once more from the source, into new room when needed.
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

// wait waits for the source without memory that was lent, where it can.
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

// Release returns memory that was lent. The slices of the last event are not used afterwards, and neither is the Reader
// but for reading on.
func (r *Reader) Release() {
	if r.lent != nil {
		r.put(r.lent)
		r.lent = nil
	}
}

// room makes the full buffer longer, or moves its contents to the front. A move is made only when at least half of the
// buffer is free then, so that each byte is moved a bounded number of times.
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

// intern returns b as a string, the same one for the same bytes as long as there are few.
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
