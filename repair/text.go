package repair

import (
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/backslash"
)

// text parses a string and returns the state next.
func (m *parser) text(at place, next step) step {
	mk, ok := opening(m.s, m.i, at)
	if !ok {
		return m.fail(ErrUnreadable)
	}
	t := texter{parser: m, mark: mk, at: at}
	t.begin()
	begun := t.state()
	if !t.read() {
		return m.fail(ErrTruncated)
	}
	if t.unescaped {
		end := t.end
		t.restore(begun)
		t.backslashes = backslash.NewReader(t.s[t.from:end], t.quote, backslash.JSON)
		t.read()
	}
	if w := (quoteDecider{s: m.s, final: true}); at == asMember && !t.hasInnerQuotes && w.goesOn(m.i, w.blank(m.i, m.i+window)) == closing {
		return m.fail(errExpression)
	}
	// The string has unescaped quotes inside. At the end of the text it is uncertain whether its last quote is the
	// closing quote, so the string may be truncated.
	m.cut = t.hasInnerQuotes
	return next
}

// A texter parses one string. It notes the first application of each rule.
type texter struct {
	*parser
	mark
	at             place
	hasInnerQuotes bool // the string has unescaped inner quotes
	noted          [ruleCount]bool

	from, end   int               // offsets of the string's content
	unescaped   bool              // the string has an escape that is invalid in JSON
	backslashes *backslash.Reader // set for the second pass over a string whose backslashes are not escapes
}

// A textState is a saved state of a texter.
type textState struct {
	i, done, out, fixes int
	seen, noted         [ruleCount]bool
}

func (t *texter) state() textState {
	return textState{i: t.i, done: t.done, out: len(t.out), fixes: len(t.fixes), seen: t.seen, noted: t.noted}
}

// restore resets the parser to a saved state at the beginning of the string.
func (t *texter) restore(s textState) {
	t.i, t.from, t.done, t.out, t.fixes, t.seen, t.noted, t.hasInnerQuotes = s.i, s.i, s.done, t.out[:s.out], t.fixes[:s.fixes], s.seen, s.noted, false
}

// fix replaces s[start:end] by now and continues after it. It notes only the first change by rule r.
func (t *texter) fix(r ruleID, start, end int, now string) {
	if !t.noted[r] {
		t.noted[r] = true
		t.note(r, start, t.s[start:end], now)
	}
	t.swap(start, end, now)
	t.i = end
}

func (t *texter) begin() {
	end := t.i + t.size
	switch {
	case t.triple():
		t.fix(pythonLiteral, t.i, end, `"`)
	case t.smart:
		t.fix(smartQuotes, t.i, end, `"`)
	case t.quote != '"':
		t.fix(singleQuotes, t.i, end, `"`)
	}
	t.i = end
}

// read parses up to and including the closing quote. It returns false if the text ends before it.
func (t *texter) read() bool {
	for t.i < len(t.s) {
		c := t.s[t.i]
		if isPlain(c) {
			t.i++
			continue
		}
		if n := t.width(t.s, t.i); n > 0 && t.isClosingQuote(n) {
			t.swap(t.i, t.i+n, `"`)
			t.end = t.i
			t.i += n
			return true
		}
		t.odd(c)
	}
	return false
}

// isClosingQuote reports whether the quote of n bytes at the current offset closes the string.
func (t *texter) isClosingQuote(n int) bool {
	if t.triple() {
		return true
	}
	w := quoteDecider{s: t.s, final: true, open: &t.open}
	if w.ends(t.i+n, t.at, t.hasInnerQuotes) == closing {
		return true
	}
	t.hasInnerQuotes = true
	return false
}

// odd handles a byte that may need a change: a quote, backslash, control character or non-ASCII byte.
func (t *texter) odd(c byte) {
	switch {
	case c == '"' && t.quote == '"' && !t.smart && !t.triple():
		t.fix(innerQuote, t.i, t.i+1, `\"`)
	case c == '"': // a double quote in a string with other quotes
		t.swap(t.i, t.i+1, `\"`)
		t.i++
	case c == '\\':
		t.escape()
	case c < ' ':
		t.fix(rawControl, t.i, t.i+1, escapeControl(c))
	case c >= utf8.RuneSelf:
		if r, n := utf8.DecodeRuneInString(t.s[t.i:]); r != utf8.RuneError || n > 1 {
			t.i += n
			return
		}
		t.fix(invalidUTF8, t.i, t.i+1, "\uFFFD")
	default:
		if c == t.quote && !t.triple() && !t.noted[innerQuote] {
			t.noted[innerQuote] = true
			t.note(innerQuote, t.i, string(rune(c)), string(rune(c)))
		}
		t.i++
	}
}

const hexDigits = "0123456789abcdef"

// escapeControl returns the JSON escape of a control character.
func escapeControl(c byte) string {
	switch c {
	case '\n':
		return `\n`
	case '\t':
		return `\t`
	case '\r':
		return `\r`
	}
	return `\u00` + hexDigits[c>>4:c>>4+1] + hexDigits[c&15:c&15+1]
}

// escape parses a backslash escape. A backslash of an invalid escape is text. In the second pass, t.backslashes
// determines which other backslashes are text.
func (t *texter) escape() {
	i := t.i
	if i+1 >= len(t.s) {
		t.i++
		return
	}
	if t.backslashes != nil && t.backslashes.IsText(i-t.from) {
		t.plainBackslash(i)
		return
	}
	switch c := t.s[i+1]; c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		t.i += 2
	case '\'', '`', '_':
		t.fix(invalidEscape, i, i+2, string(rune(c)))
	case 'x':
		if _, ok := hex(t.s[i+2:], 2); ok {
			t.fix(invalidEscape, i, i+4, `\u00`+t.s[i+2:i+4])
			return
		}
		t.unknown(i)
	case 'u':
		t.unicode(i)
	default:
		t.unknown(i)
	}
}

// unknown escapes the backslash at i, which begins no valid escape.
func (t *texter) unknown(i int) {
	t.unescaped = true
	t.fix(invalidEscape, i, i+1, `\\`)
}

// plainBackslash escapes a backslash that is text although it begins a valid escape, such as \n in C:\new. It escapes
// both of two backslashes.
func (t *texter) plainBackslash(i int) {
	switch c := t.s[i+1]; {
	case backslash.IsUnknown(t.s, i, backslash.JSON):
		t.fix(invalidEscape, i, i+1, `\\`)
	case c == '\\':
		t.fix(invalidEscape, i, i+2, `\\\\`)
	default:
		t.fix(invalidEscape, i, i+2, `\\`+string(rune(c)))
	}
}

// unicode parses an escape that begins with \u.
func (t *texter) unicode(i int) {
	rest := t.s[i+2:]
	if _, ok := hex(rest, 4); ok {
		t.i += 6
		return
	}
	if strings.HasPrefix(rest, "{") {
		if n := strings.IndexByte(rest[:min(len(rest), 8)], '}'); n > 1 {
			if v, ok := hex(rest[1:], n-1); ok && utf8.ValidRune(v) && v >= ' ' && v != '"' && v != '\\' {
				t.fix(invalidEscape, i, i+2+n+1, string(v))
				return
			}
		}
	}
	t.unknown(i)
}

// hex parses n hexadecimal digits at the start of s. ok is false if s does not begin with n such digits.
func hex(s string, n int) (v rune, ok bool) {
	if len(s) < n {
		return 0, false
	}
	for i := range n {
		d := strings.IndexByte(hexDigits, s[i]|0x20)
		if s[i] < '0' || d < 0 {
			return 0, false
		}
		v = v<<4 | rune(d)
	}
	return v, true
}
