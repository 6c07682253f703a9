package repair

import (
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/backslash"
)

// strings parses one string or several adjacent strings, with or without a plus between them, and joins them.
func (p *pythonReader) strings() error {
	at := within(p.open.top())
	if at == asArgument && p.keyed {
		at = asKeyed
	}
	return p.stringsAt(at)
}

func (p *pythonReader) stringsAt(at place) error {
	p.out = append(p.out, '"')
	for first := true; ; first = false {
		prefix := stringPrefix(p.s, p.i)
		m, ok := opening(p.s, p.i+prefix, atTop)
		if !ok {
			if first {
				return ErrUnreadable
			}
			break
		}
		kind := strings.ToLower(p.s[p.i : p.i+prefix])
		p.i += prefix + m.size
		r := pythonString{pythonReader: p, mark: m, at: at, from: p.i, raw: strings.Contains(kind, "r"), format: strings.Contains(kind, "f")}
		begun := pythonState{out: len(p.out), journal: p.journal}
		if err := r.read(); err != nil {
			return err
		}
		if r.unescaped {
			if err := r.readAgain(begun); err != nil {
				return err
			}
		}
		p.blank()
		if end := plusEnd(p.s, p.i); end > p.i {
			p.i = end
		}
	}
	p.out = append(p.out, '"')
	return nil
}

// plusEnd returns the offset of the string after a plus at s[i], or i if there is no plus with a string.
func plusEnd(s string, i int) int {
	if i >= len(s) || s[i] != '+' {
		return i
	}
	next := skipSpace(s, i+1)
	if _, ok := opening(s, next+stringPrefix(s, next), atTop); !ok {
		return i
	}
	return next
}

const prefixLetters = "rRbBuUfF"

// stringPrefix returns the number of prefix letters before a quote, as in r"...", at s[i]. It is 0 if there are none.
func stringPrefix(s string, i int) int {
	for n := 0; n <= 2 && i+n < len(s); n++ {
		c := s[i+n]
		if isQuote(c) {
			return n
		}
		if strings.IndexByte(prefixLetters, c) < 0 {
			return 0
		}
	}
	return 0
}

// A pythonString parses one Python string after its opening quote.
type pythonString struct {
	*pythonReader
	mark
	at             place
	raw, format    bool
	hasInnerQuotes bool

	from, end   int               // offsets of the string's content
	unescaped   bool              // the string has an escape that is invalid in Python
	backslashes *backslash.Reader // set for the second pass over a string without escaped backslashes
	repaired    bool              // a fix for backslashes that are not escapes was noted
}

// A pythonState is a saved state of a pythonString, to parse the string again.
type pythonState struct {
	out int
	journal
}

// readAgain parses a string again whose backslashes are not escapes. For example, 'C:\data\new' is a path although \n
// is a valid escape.
func (r *pythonString) readAgain(begun pythonState) error {
	r.i, r.out, r.journal, r.hasInnerQuotes = r.from, r.out[:begun.out], begun.journal, false
	r.backslashes = backslash.NewReader(r.s[r.from:r.end], r.quote, backslash.Python)
	return r.read()
}

func (r *pythonString) read() error {
	run := r.i // start of the text that is not copied yet
	for r.i < len(r.s) {
		c := r.s[r.i]
		if isPlain(c) && !(r.format && c == '{') {
			r.i++
			continue
		}
		if n := r.width(r.s, r.i); n > 0 && r.isClosingQuote(n) {
			r.out = append(r.out, r.s[run:r.i]...)
			r.end = r.i
			r.i += n
			return nil
		}
		if c >= utf8.RuneSelf {
			if v, n := utf8.DecodeRuneInString(r.s[r.i:]); v != utf8.RuneError || n > 1 {
				r.i += n
				continue
			}
		}
		r.out = append(r.out, r.s[run:r.i]...)
		if err := r.odd(c); err != nil {
			return err
		}
		run = r.i
	}
	return ErrTruncated
}

// isClosingQuote reports whether the quote of n bytes at the current offset closes the string. Otherwise it notes an
// inner quote.
func (r *pythonString) isClosingQuote(n int) bool {
	if r.triple() {
		return true
	}
	w := quoteDecider{s: r.s, final: true, open: &r.open, code: true}
	if w.ends(r.i+n, r.at, r.hasInnerQuotes) == closing {
		return true
	}
	if !r.hasInnerQuotes {
		r.note(innerQuote, r.i, r.s[r.i:r.i+n], r.s[r.i:r.i+n])
	}
	r.hasInnerQuotes = true
	return false
}

// odd writes a byte that must be escaped or interpreted in a JSON string.
func (r *pythonString) odd(c byte) error {
	switch {
	case c == '\\':
		return r.escape()
	case c == '{': // an f-string with an expression
		if !strings.HasPrefix(r.s[r.i:], "{{") {
			return ErrUnreadable
		}
		r.i++
		r.plain("{")
		return nil
	case c >= utf8.RuneSelf:
		r.note(invalidUTF8, r.i, r.s[r.i:r.i+1], "\uFFFD")
		r.plain("\uFFFD")
	case c < ' ':
		if !r.triple() && (c == '\n' || c == '\r') {
			r.note(rawControl, r.i, r.s[r.i:r.i+1], escapeControl(c))
		}
		r.plain(escapeControl(c))
	default:
		r.plain(simple[c])
	}
	return nil
}

// plain appends text in place of the byte at the current offset.
func (r *pythonString) plain(text string) {
	r.out = append(r.out, text...)
	r.i++
}

// simple maps the letter after a backslash to JSON.
var simple = [256]string{
	'\\': `\\`, '\'': "'", '"': `\"`, '`': "`", 'n': `\n`, 'r': `\r`, 't': `\t`, 'b': `\b`, 'f': `\f`,
	'a': `\u0007`, 'v': `\u000b`, '\n': "", '/': "/",
}

// escape parses a backslash escape. An escape that is invalid in Python keeps its backslash.
func (r *pythonString) escape() error {
	if r.i+1 >= len(r.s) {
		return ErrTruncated
	}
	c := r.s[r.i+1]
	if r.raw {
		r.plain(`\\`)
		if c == r.quote || c == '\\' {
			r.plain(simple[c])
		}
		return nil
	}
	if r.backslashes != nil && r.backslashes.IsText(r.i-r.from) {
		r.plainBackslash(c)
		return nil
	}
	r.i += 2
	switch {
	case c == '\n' || simple[c] != "":
		r.out = append(r.out, simple[c]...)
	case c == 'x':
		r.code(2)
	case c == 'u':
		r.code(4)
	case c == 'U':
		r.code(8)
	case c >= '0' && c <= '7':
		r.octal()
	default:
		r.unknown()
	}
	return nil
}

// unknown writes the backslash of an invalid escape as text. It moves the current offset, which is after the letter,
// back to the letter.
func (r *pythonString) unknown() {
	r.i--
	r.unescaped = true
	r.out = append(r.out, `\\`...)
}

// plainBackslash writes a backslash before c as text. If the two characters are a valid escape, the change is noted as
// a fix.
func (r *pythonString) plainBackslash(c byte) {
	i := r.i
	r.plain(`\\`)
	if backslash.IsUnknown(r.s, i, backslash.Python) {
		return
	}
	now := `\\`
	switch {
	case c == '\\':
		now = `\\\\`
		r.plain(`\\`)
	case isPlain(c) || c == '\'' || c == '`':
		now += r.s[r.i : r.i+1]
		r.plain(r.s[r.i : r.i+1])
	}
	if !r.repaired {
		r.note(invalidEscape, i, r.s[i:i+2], now)
	}
	r.repaired = true
}

// code parses n hexadecimal digits of an escape. If they are invalid, the backslash is text.
func (r *pythonString) code(n int) {
	digits := r.s[r.i:]
	v, ok := hex(digits, n)
	switch {
	case !ok || n == 8 && !utf8.ValidRune(v):
		r.unknown()
		return
	case n == 8 && v > 0xFFFF:
		r.out = utf8.AppendRune(r.out, v)
	case n == 8:
		r.out = append(append(r.out, `\u`...), digits[4:8]...)
	default:
		r.out = append(append(r.out, `\u00`[:6-n]...), digits[:n]...)
	}
	r.i += n
}

// octal parses an octal escape of up to three digits. The first digit is before the current offset.
func (r *pythonString) octal() {
	v := 0
	end := min(r.i+2, len(r.s))
	for r.i--; r.i < end && r.s[r.i] >= '0' && r.s[r.i] <= '7' && v < 32; r.i++ {
		v = v<<3 | int(r.s[r.i]-'0')
	}
	r.out = append(r.out, '\\', 'u', '0', '0', hexDigits[v>>4], hexDigits[v&15])
}
