package repair

import (
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
)

// A TextReader reads a string, broken or not, that is the value of a member and arrives in pieces. It returns the
// decoded text as far as that is certain. The first byte fed must be the opening quote. The joined text is the same for
// any chunking of the string, and each piece of text is UTF-8. The string ends where [JSON] and a [Finder] end it. The
// zero value is ready for use. A TextReader is not safe for concurrent use and must not be copied after the first Feed.
// It runs in linear time and keeps a few kilobytes of the text at most.
//
// An escape that a string never escaped may have by chance, such as \b, waits for one that JSON does not know, for the
// next few hundred bytes.
type TextReader struct {
	// InList says that the string is an element of a list, so that another element may follow it. It is set before the
	// first Feed.
	InList bool

	held  held // text whose meaning is not decided yet
	base  int  // offset of the first byte of held, or of the next piece
	end   int
	mark  mark
	open  frames // the object that the member stands in
	fixes []Fix
	noted [ruleCount]bool
	begun bool
	torn  bool
	over  bool
	doubt doubt

	resumed bool // the doubt began before this step
}

// Feed takes the next piece. When the string has ended, done is true and end is the offset after its closing quote,
// counted from the first byte ever fed. After that Feed changes nothing.
func (r *TextReader) Feed(piece string) (text string, end int, done bool) {
	return r.feed(piece, false)
}

// Close ends the text, and decides the questions that only later text could have answered: a possible last quote is
// one. A string that has not ended is not done: its text is the part that came, without an escape that was cut.
func (r *TextReader) Close() (text string, end int, done bool) { return r.feed("", true) }

// Rest returns the text behind the end of the string.
func (r *TextReader) Rest() string {
	if !r.over {
		return ""
	}
	return r.held.text
}

// Fixes returns the repairs so far, each rule at its first place.
func (r *TextReader) Fixes() []Fix { return r.fixes }

func (r *TextReader) feed(piece string, final bool) (text string, end int, done bool) {
	if r.over {
		return "", r.end, true
	}
	r.held.add(piece)
	for {
		held := r.doubt.holds
		said := r.step(final)
		if text == "" {
			text = said
		} else {
			text += said
		}
		if r.over || held == r.doubt.holds {
			return text, r.end, r.over
		}
	}
}

// step reads on until more text is needed, or a doubt begins or ends.
func (r *TextReader) step(final bool) (text string) {
	t := texter{mender: &mender{s: r.held.text}, mark: r.mark, at: asMember, torn: r.torn, noted: r.noted}
	if r.InList {
		t.at = asElement
	}
	from, to := 0, 0
	if r.begun || r.begin(&t, final) {
		from = t.i
		to = r.read(&t, final)
	}
	r.mark, r.torn = t.mark, t.torn
	raw := t.s[from:max(from, to)]
	if d := &r.doubt; d.holds && from == 0 && r.resumed {
		d.text = append(d.text, raw...)
		r.base += to
		if r.over || final || len(d.text) >= maxDoubt {
			text = r.readHeldText(t.at)
		}
		r.base += t.i - to
	} else {
		r.noted = t.noted
		r.keep(t.fixes, r.base)
		text = t.decodeText(from, to)
		d.recordText(raw)
		d.unescaped = d.unescaped || t.unescaped
		r.base += t.i
	}
	r.resumed = r.doubt.holds
	if r.over {
		r.end = r.base
	}
	r.held.drop(t.i)
	return text
}

// keep keeps fixes whose offsets count from base.
func (r *TextReader) keep(fixes []Fix, base int) {
	for _, f := range fixes {
		f.Offset += base
		f.Was, f.Now = strings.Clone(f.Was), strings.Clone(f.Now) // so that they keep no chunk
		r.fixes = append(r.fixes, f)
	}
}

// begin reads the opening quote. It is false when more text is needed for that, or when there is none.
func (r *TextReader) begin(t *texter, final bool) bool {
	if short := len(t.s); short < 3 && !final && (short < 2 || t.s[0] == smartLead || t.s[1] == t.s[0]) {
		return false
	}
	var ok bool
	if t.mark, ok = opening(t.s, 0, t.at); !ok {
		r.over = len(t.s) > 0
		return false
	}
	t.begin()
	r.begun, t.out, t.done = true, nil, t.i
	if r.InList {
		r.open.push(bracket)
	} else {
		r.open.push(brace)
	}
	return true
}

// read reads on to the closing quote, or as far as it is certain, and returns where the text ends that it has read.
func (r *TextReader) read(t *texter, final bool) int {
	from := t.i
	for t.i < len(t.s) {
		if r.resumed && len(r.doubt.text)+t.i >= maxDoubt {
			return t.i
		}
		c := t.s[t.i]
		if isPlain(c) {
			t.i++
			continue
		}
		if !final && !t.isWhole() {
			return t.i
		}
		if !r.resumed && r.doubt.starts(t, from) {
			r.doubt.holds = true
			return t.i
		}
		if n := t.width(t.s, t.i); n > 0 {
			role := closing
			if !t.triple() {
				role = closer{s: t.s, open: &r.open}.ends(t.i+n, t.at, t.torn)
			}
			switch {
			case role == undecided && !final:
				return t.i
			case role != inner:
				r.over = true
				t.i += n
				return t.i - n
			}
			t.torn = true
		}
		switch n := t.escapeLen(); {
		case n == 0:
			t.odd(c)
		case len(t.s)-t.i < n: // it was cut
			to := t.i
			t.i = len(t.s)
			return to
		case n == 2*unicodeLen:
			t.i += n
		default:
			t.odd(c)
		}
	}
	return t.i
}

// unicodeLen is the length of an escape such as \u00e9.
const unicodeLen = 6

// escapeLen returns the length of the escape at the place of the reader, for a pair of surrogates the length of both.
// It is 0 where no escape begins. Where the text ends inside an escape, it is the length of the shortest possible one.
func (t *texter) escapeLen() int {
	rest := t.s[t.i:]
	switch {
	case rest[0] != '\\':
		return 0
	case len(rest) < 2 || rest[1] != 'u':
		return 2
	}
	if v, ok := hex(rest[2:], 4); !ok {
		if strings.Trim(rest[2:], hexDigits+"ABCDEF") == "" { // it may still become one
			return unicodeLen
		}
		return 2
	} else if !isHighSurrogate(v) || !strings.HasPrefix(rest[unicodeLen:], `\u`) {
		return unicodeLen
	}
	if v, ok := hex(rest[unicodeLen+2:], 4); ok && v>>10 == 0xDC00>>10 {
		return 2 * unicodeLen
	}
	return unicodeLen
}

// isHighSurrogate reports whether a code is the first of a pair that stands for one character.
func isHighSurrogate(v rune) bool { return v>>10 == 0xD800>>10 }

// isWhole reports whether the text holds all that belongs to the byte at the reader's place: a rune, a closing quote,
// an escape.
func (t *texter) isWhole() bool {
	rest := t.s[t.i:]
	switch {
	case rest[0] >= utf8.RuneSelf:
		return utf8.FullRuneInString(rest)
	case rest[0] != '\\':
		return !t.triple() || len(rest) >= t.size
	case len(rest) < 2:
		return false
	case rest[1] == 'x':
		return len(rest) >= 4
	case rest[1] == 'u':
		v, ok := hex(rest[2:], 4)
		return ok && !isHighSurrogate(v) || len(rest) >= 2*unicodeLen
	}
	return true
}

// decodeText is the text of s[from:to], of which the changes so far are written.
func (t *texter) decodeText(from, to int) string {
	if to <= from {
		return ""
	}
	if len(t.out) == 0 && strings.IndexByte(t.s[from:to], '\\') < 0 {
		return t.s[from:to]
	}
	quoted := append([]byte{'"'}, t.out...)
	if t.done < to {
		quoted = append(quoted, t.s[t.done:to]...)
	}
	return string(jsonx.Unquote(nil, append(quoted, '"')))
}
