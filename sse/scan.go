package sse

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// scan is the state of the event that is being read. All offsets are indexes into Reader.buf.
type scan struct {
	start int  // start of the event
	line  int  // start of the current line
	pos   int  // everything before pos has been scanned
	done  bool // the event is complete and ends at pos
	later bool // this is not the first event of the stream
	bare  bool // the last line ended with CR without LF

	name, data span
	hasData    bool
	joined     bool // there are several data lines; joins[turn] has them joined
	// alternates between events: HasEvent scans the next event while the caller still uses the last one
	turn  int
	joins [2][]byte // buffers for joined data lines
}

type span struct{ from, to int }

func (s *scan) begin(at int) {
	*s = scan{start: at, line: at, pos: at, later: true, bare: s.bare, turn: 1 - s.turn, joins: s.joins}
}

// shift adjusts the offsets after the buffer's contents were moved n bytes to the front.
func (s *scan) shift(n int) {
	s.start -= n
	s.line -= n
	s.pos -= n
	s.name = span{s.name.from - n, s.name.to - n}
	s.data = span{s.data.from - n, s.data.to - n}
}

// whole scans the buffered bytes and reports whether the event is complete in the buffer.
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

// passLine scans one line of an event, or the rest of the buffer if the line is incomplete. It returns false if it
// needs the byte after a CR, which is not in the buffer yet.
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
			// In a stream with CR line ends the event ends with this CR. The Reader does not wait for a following LF. An LF
			// that follows is read as a blank line of the next event, so the events do not depend on how the bytes arrive.
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

// passText scans one line of newline-delimited JSON, or the rest of the buffer if the line is incomplete.
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

// finish completes the event at the end of the input, where its last line may lack a line end.
func (r *Reader) finish() {
	if r.lines {
		r.keep(r.end)
	} else {
		r.field(r.text(r.end), r.end)
	}
	r.pos = r.end
}

var byteOrderMark = []byte("\uFEFF")

// text returns the current line, which ends at the offset end. It removes a byte order mark at the start of the input.
func (r *Reader) text(end int) []byte {
	t := r.buf[r.line:end]
	if !r.later && r.line == r.start {
		t = bytes.TrimPrefix(t, byteOrderMark)
	}
	return t
}

// keep makes the current line, which ends at the offset end, the data of the event unless the line is blank.
func (r *Reader) keep(end int) {
	t := bytes.TrimSuffix(r.text(end), []byte("\r"))
	if len(bytes.Trim(t, " \t\r")) == 0 {
		return
	}
	from := end - len(r.text(end))
	r.data, r.hasData = span{from, from + len(t)}, true
}

// field records the event name or the data in a line "name: value", and ignores other fields. end is the offset of the
// end of the line.
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

// event returns the Event in buf[start:pos].
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

// indexEnd returns the index of the first LF or CR in b at or after i, or len(b). It tests eight bytes at once; in the
// resulting bit mask only the lowest set bit is reliable.
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
