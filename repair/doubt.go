package repair

import (
	"strings"

	"github.com/callwright/callwright/internal/backslash"
)

// An ambiguousEscape buffers the text of a streamed string after an ambiguous backslash, such as \n in C:\new. A later
// escape that is invalid in JSON shows that no backslash of the string is an escape.
type ambiguousEscape struct {
	holds     bool
	unescaped bool   // the string has an escape that is invalid in JSON
	text      []byte // the buffered text
	before    []byte // the text before it, since the last escape
}

const (
	maxDoubt  = 512 // maximum size of the buffered text in bytes
	mostAhead = 64  // maximum size of the text before it in bytes
)

// starts reports whether the text at the reader's position is an ambiguous escape, from which text must be buffered.
// The text before offset from is already in d.before.
func (d *ambiguousEscape) starts(t *texter, from int) bool {
	i := t.i
	if t.s[i] != '\\' || i+1 >= len(t.s) {
		return false
	}
	c := t.s[i+1]
	if d.unescaped {
		return c != '"' && c != t.quote
	}
	if backslash.IsUnknown(t.s, i, backslash.JSON) {
		return true
	}
	var room [4]byte
	last := append(room[:0], d.before[max(len(d.before)-2, 0):]...)
	last = append(last, t.s[max(from, i-2):i]...)
	end := len(last) - 1
	switch c {
	case 'b', 'f':
		return true
	case 'n', 'r', 't':
		return end > 0 && last[end] == ':' && classes[last[end-1]]&wordByte != 0
	case '\\':
		return end < 0 || !isWord(last[end]) && last[end] != '\\'
	}
	return false
}

// recordText appends decoded text, with its original escapes, to the context before an ambiguous escape.
func (d *ambiguousEscape) recordText(raw string) {
	raw = raw[max(len(raw)-mostAhead, 0):]
	if n := strings.LastIndexByte(raw, '\\'); n >= 0 {
		raw = raw[min(n+2, len(raw)):]
		d.before = d.before[:0]
	}
	d.before = append(d.before[max(len(d.before)+len(raw)-mostAhead, 0):], raw...)
}

// readHeldText decodes the buffered text and adds its fixes to r.fixes. at is the position of the string in its value.
func (r *TextReader) readHeldText(at place) string {
	d := &r.ambiguous
	from := len(d.before)
	s := string(d.before) + string(d.text)
	t := texter{parser: &parser{s: s, i: from, done: from}, mark: r.mark, at: at, noted: r.noted}
	d.unescaped = d.unescaped || backslash.HasUnknown(s, backslash.JSON)
	if d.unescaped {
		t.backslashes = backslash.NewReader(s, t.quote, backslash.JSON)
	}
	for t.i < len(s) {
		if c := s[t.i]; isPlain(c) {
			t.i++
		} else {
			t.odd(c)
		}
	}
	r.noted = t.noted
	r.keep(t.fixes, r.base-len(s))
	d.recordText(string(d.text))
	d.holds, d.text = false, d.text[:0]
	return t.decodeText(from, len(s))
}
