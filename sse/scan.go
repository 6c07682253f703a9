package sse

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// scan is the state of the current event. All places are indexes in the reader's buffer.
type scan struct {
	start int  // of the event
	line  int  // of the line under way
	pos   int  // what is before was looked at
	done  bool // the event is whole, it ends at pos
	later bool // this is not the first event
	bare  bool // the last line ended with CR alone

	name, data span
	hasData    bool
	joined     bool      // there were several data lines: they are in joins[turn]
	turn       int       // changes with each event: Buffered looks ahead while the last event is in use
	joins      [2][]byte // room for joined data
}

type span struct{ from, to int }

func (s *scan) begin(at int) {
	*s = scan{start: at, line: at, pos: at, later: true, bare: s.bare, turn: 1 - s.turn, joins: s.joins}
}

// shift follows the buffer's contents to the front by n.
func (s *scan) shift(n int) {
	s.start -= n
	s.line -= n
	s.pos -= n
	s.name = span{s.name.from - n, s.name.to - n}
	s.data = span{s.data.from - n, s.data.to - n}
}

// whole goes on looking for the end of the event and reports whether it is in the buffer.
func (r *Reader) whole() bool {
	for !r.done && r.pos < r.end {
		if r.lines {
			r.passText()
		} else if !r.passLine() {
			break
		}
	}
	return r.done
}

// passLine passes one line of an event, or all there is of it. It is false when the next byte has to be seen first.
func (r *Reader) passLine() bool {
	at := indexEnd(r.buf[:r.end], r.pos)
	r.pos = at
	if at == r.end {
		return true
	}
	text := r.text(at)
	next, bare := at+1, false
	if r.buf[at] == '\r' {
		switch {
		case len(text) == 0 && r.bare:
			// In a stream whose lines end with CR the event is whole with this one. Whether LF follows is not waited
			// for; if it does, it is a blank line of its own, however the bytes arrive.
			bare = true
		case next < r.end && r.buf[next] == '\n':
			next++
		case next == r.end && r.err == nil:
			return false
		default:
			bare = true
		}
	}
	r.bare = bare
	r.field(text, at)
	r.line, r.pos, r.done = next, next, len(text) == 0
	return true
}

// passText passes one line of newline-delimited JSON, or all there is of it.
func (r *Reader) passText() {
	i := bytes.IndexByte(r.buf[r.pos:r.end], '\n')
	if i < 0 {
		r.pos = r.end
		return
	}
	at := r.pos + i
	r.keep(at)
	r.line, r.pos, r.done = at+1, at+1, r.hasData
}

// finish ends the event at the end of the input.
func (r *Reader) finish() {
	if r.lines {
		r.keep(r.end)
	} else {
		r.field(r.text(r.end), r.end)
	}
	r.pos = r.end
}

var byteOrderMark = []byte("\uFEFF")

// text returns the line that ends at end, without the byte order mark of the input.
func (r *Reader) text(end int) []byte {
	t := r.buf[r.line:end]
	if !r.later && r.line == r.start {
		t = bytes.TrimPrefix(t, byteOrderMark)
	}
	return t
}

// keep makes the line that ends at end the data, unless it is blank.
func (r *Reader) keep(end int) {
	t := bytes.TrimSuffix(r.text(end), []byte("\r"))
	if len(bytes.Trim(t, " \t\r")) == 0 {
		return
	}
	from := end - len(r.text(end))
	r.data, r.hasData = span{from, from + len(t)}, true
}

// field reads a line that ends at end.
func (r *Reader) field(line []byte, end int) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	at := span{end - len(value), end}
	switch string(name) {
	case "event":
		r.name = at
	case "data":
		r.addData(at)
	}
}

func (r *Reader) addData(at span) {
	if !r.hasData {
		r.data, r.hasData = at, true
		return
	}
	join := r.joins[r.turn]
	if !r.joined {
		join = append(join[:0], r.buf[r.data.from:r.data.to]...)
		r.joined = true
	}
	r.joins[r.turn] = append(append(join, '\n'), r.buf[at.from:at.to]...)
}

// event returns the event from start to pos.
func (r *Reader) event() Event {
	ev := Event{Raw: r.buf[r.start:r.pos:r.pos]}
	if r.name.to > r.name.from {
		ev.Name = r.intern(r.buf[r.name.from:r.name.to])
	}
	switch {
	case r.joined:
		ev.Data = r.joins[r.turn]
	case r.hasData:
		ev.Data = r.buf[r.data.from:r.data.to:r.data.to]
	}
	return ev
}

// indexEnd returns the place of the first LF or CR in b at or after i, len(b) without one. Eight bytes are looked at as
// one word; of the marks a test leaves in it only the lowest is sure.
func indexEnd(b []byte, i int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		lf, cr := w^ones*'\n', w^ones*'\r'
		if m := ((lf-ones)&^lf | (cr-ones)&^cr) & tops; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for i < len(b) && b[i] != '\n' && b[i] != '\r' {
		i++
	}
	return i
}
