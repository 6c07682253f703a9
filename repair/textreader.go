package repair

import (
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
)

// A TextReader decodes a streamed string, valid or malformed, that is the value of a member. It returns decoded text
// as soon as its meaning is certain. The first byte fed must be the opening quote. The concatenated text does not
// depend on how the string is split into chunks. Each returned text is valid UTF-8. The string ends where [JSON] and a
// [Finder] end it. The zero value is ready for use. A TextReader is not safe for concurrent use and must not be copied
// after the first Feed. It runs in linear time and buffers at most a few kilobytes.
//
// An ambiguous backslash, such as \b, delays the text by up to 512 bytes, because a later invalid escape shows that
// the string's backslashes are not escapes.
type TextReader struct {
	// InList reports that the string is an element of an array, so that another element may follow. Set it before the
	// first Feed.
	InList bool

	held           held // text whose meaning depends on later text
	base           int  // offset of the first byte of held
	end            int
	mark           mark
	open           frames // the object that contains the member
	fixes          []Fix
	noted          [ruleCount]bool
	begun          bool
	hasInnerQuotes bool
	over           bool
	ambiguous      ambiguousEscape

	resumed bool // the ambiguous text began before this step
}

// Feed processes the next chunk and returns decoded text. At the end of the string, done is true and end is the offset
// after the closing quote, counted from the first byte fed. Later calls have no effect.
func (r *TextReader) Feed(piece string) (text string, end int, done bool) {
	return r.feed(piece, false)
}

// Close processes the end of the text and resolves ambiguities: a possible closing quote is the closing quote. If the
// string is incomplete, done is false and text is the rest received, without an incomplete escape.
func (r *TextReader) Close() (text string, end int, done bool) { return r.feed("", true) }

// Rest returns the text after the closing quote, "" before the string's end.
func (r *TextReader) Rest() string {
	if !r.over {
		return ""
	}
	return r.held.text
}

// Fixes returns the repairs so far, one for each rule, with the offset of its first application.
func (r *TextReader) Fixes() []Fix { return r.fixes }

func (r *TextReader) feed(piece string, final bool) (text string, end int, done bool) {
	if r.over {
		return "", r.end, true
	}
	r.held.add(piece)
	for {
		held := r.ambiguous.holds
		said := r.step(final)
		if text == "" {
			text = said
		} else {
			text += said
		}
		if r.over || held == r.ambiguous.holds {
			return text, r.end, r.over
		}
	}
}

// step processes buffered text until it needs more, or until ambiguous text begins or ends.
func (r *TextReader) step(final bool) (text string) {
	t := texter{parser: &parser{s: r.held.text}, mark: r.mark, at: asMember, hasInnerQuotes: r.hasInnerQuotes, noted: r.noted}
	if r.InList {
		t.at = asElement
	}
	from, to := 0, 0
	if r.begun || r.begin(&t, final) {
		from = t.i
		to = r.read(&t, final)
	}
	r.mark, r.hasInnerQuotes = t.mark, t.hasInnerQuotes
	raw := t.s[from:max(from, to)]
	if d := &r.ambiguous; d.holds && from == 0 && r.resumed {
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
	r.resumed = r.ambiguous.holds
	if r.over {
		r.end = r.base
	}
	r.held.drop(t.i)
	return text
}

// keep appends fixes. base is added to their offsets.
func (r *TextReader) keep(fixes []Fix, base int) {
	for _, f := range fixes {
		f.Offset += base
		// clones the strings so that they do not keep the buffer in memory
		f.Was, f.Now = strings.Clone(f.Was), strings.Clone(f.Now)
		r.fixes = append(r.fixes, f)
	}
}

// begin parses the opening quote. It returns false if more text is needed or there is no quote.
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

// read parses up to the closing quote, or as far as the meaning is certain. It returns the end of the parsed text.
func (r *TextReader) read(t *texter, final bool) int {
	from := t.i
	for t.i < len(t.s) {
		if r.resumed && len(r.ambiguous.text)+t.i >= maxDoubt {
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
		if !r.resumed && r.ambiguous.starts(t, from) {
			r.ambiguous.holds = true
			return t.i
		}
		if n := t.width(t.s, t.i); n > 0 {
			role := closing
			if !t.triple() {
				role = quoteDecider{s: t.s, open: &r.open}.ends(t.i+n, t.at, t.hasInnerQuotes)
			}
			switch {
			case role == undecided && !final:
				return t.i
			case role != inner:
				r.over = true
				t.i += n
				return t.i - n
			}
			t.hasInnerQuotes = true
		}
		switch n := t.escapeLen(); {
		case n == 0:
			t.odd(c)
		case len(t.s)-t.i < n: // the sequence is incomplete
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

// escapeLen returns the length of the escape at the current offset, including both halves of a surrogate pair. It
// returns 0 if there is no escape, and the minimum length if the escape is incomplete.
func (t *texter) escapeLen() int {
	rest := t.s[t.i:]
	switch {
	case rest[0] != '\\':
		return 0
	case len(rest) < 2 || rest[1] != 'u':
		return 2
	}
	if v, ok := hex(rest[2:], 4); !ok {
		if strings.Trim(rest[2:], hexDigits+"ABCDEF") == "" { // may be an incomplete \u escape
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

// isHighSurrogate reports whether v is the high half of a surrogate pair.
func isHighSurrogate(v rune) bool { return v>>10 == 0xD800>>10 }

// isWhole reports whether the rune, closing quote or escape at the current offset is complete in the buffer.
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

// decodeText returns the decoded text of s[from:to], including the changes so far.
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
