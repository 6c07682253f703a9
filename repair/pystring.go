package repair

import (
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/backslash"
)

// strings reads one string, or several side by side or with a plus between them, which Python joins.
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

// plusEnd is where the string after a plus at s[i:] begins; i where there is none.
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

// stringPrefix returns the length of the letters before a quote at s[i:], 0 when there are none.
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

// A pythonString reads the text of one string after its opening quote.
type pythonString struct {
	*pythonReader
	mark
	at          place
	raw, format bool
	torn        bool

	from, end   int               // the inside of the string
	unescaped   bool              // it has an escape that Python does not know
	backslashes *backslash.Reader // set in the second reading of a string that was never escaped
	repaired    bool              // a fix names the escapes that were text
}

// A pythonState is where a pythonString may go back to.
type pythonState struct {
	out int
	journal
}

// readAgain reads a string that was never escaped, as in JSON: 'C:\data\new' is a path, although \n is a line end to
// Python.
func (r *pythonString) readAgain(begun pythonState) error {
	r.i, r.out, r.journal, r.torn = r.from, r.out[:begun.out], begun.journal, false
	r.backslashes = backslash.NewReader(r.s[r.from:r.end], r.quote, backslash.Python)
	return r.read()
}

func (r *pythonString) read() error {
	run := r.i // start of what is not yet written
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

// isClosingQuote decides about the closing quote of n bytes at the reader's place.
func (r *pythonString) isClosingQuote(n int) bool {
	if r.triple() {
		return true
	}
	w := closer{s: r.s, final: true, open: &r.open, code: true}
	if w.ends(r.i+n, r.at, r.torn) == closing {
		return true
	}
	if !r.torn {
		r.note(innerQuote, r.i, r.s[r.i:r.i+n], r.s[r.i:r.i+n])
	}
	r.torn = true
	return false
}

// odd writes a byte that cannot stand in a JSON string as it is.
func (r *pythonString) odd(c byte) error {
	switch {
	case c == '\\':
		return r.escape()
	case c == '{': // of a string with expressions in it
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

// plain writes text for the byte at the reader's place.
func (r *pythonString) plain(text string) {
	r.out = append(r.out, text...)
	r.i++
}

// simple has the JSON for the letter after a backslash.
var simple = [256]string{
	'\\': `\\`, '\'': "'", '"': `\"`, '`': "`", 'n': `\n`, 'r': `\r`, 't': `\t`, 'b': `\b`, 'f': `\f`,
	'a': `\u0007`, 'v': `\u000b`, '\n': "", '/': "/",
}

// escape reads a backslash and the rest of its escape. An escape that Python does not know keeps its backslash.
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

// unknown writes the backslash of an escape that Python does not know; the reader's place is behind the letter.
func (r *pythonString) unknown() {
	r.i--
	r.unescaped = true
	r.out = append(r.out, `\\`...)
}

// plainBackslash writes a backslash that is text, before c. Where it begins an escape of Python, that is a fix: two of
// them are two.
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

// code reads the n hexadecimal digits of an escape; without them its backslash stands for itself.
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

// octal reads the up to three digits of an escape, the first of which stands before the reader's place.
func (r *pythonString) octal() {
	v := 0
	end := min(r.i+2, len(r.s))
	for r.i--; r.i < end && r.s[r.i] >= '0' && r.s[r.i] <= '7' && v < 32; r.i++ {
		v = v<<3 | int(r.s[r.i]-'0')
	}
	r.out = append(r.out, '\\', 'u', '0', '0', hexDigits[v>>4], hexDigits[v&15])
}
