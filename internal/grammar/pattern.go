package grammar

import (
	"regexp/syntax"
	"strings"
)

// The Unicode classes for \w and \s, which are ASCII in RE2 but Unicode in the syntaxes of grammars.
const (
	wordClass  = `\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{200c}\x{200d}`
	spaceClass = `\t\n\v\f\r\x1c-\x1f \x{85}\p{Z}`
)

// translate converts a regular expression of Python or Rust to RE2. Every error is an *UnsupportedError.
func translate(pattern string) (string, error) {
	t := translator{in: pattern}
	for t.at < len(t.in) {
		if err := t.step(); err != nil {
			return "", err
		}
	}
	out := t.out.String()
	if len(out) > maxPattern || wideRanges(out) > maxWideRanges && ignoresCase(out) {
		return "", unsupportedError("the pattern is too large to be checked")
	}
	if _, err := syntax.Parse(out, syntax.Perl); err != nil {
		return "", unsupportedError("the pattern is outside of RE2: %v", err)
	}
	return "(?:" + out + ")", nil
}

// A translator converts a pattern in one pass.
type translator struct {
	in             string
	at             int
	out            strings.Builder
	class, negated bool // whether it is inside [...] or [^...]
}

// copy copies n bytes unchanged.
func (t *translator) copy(n int) {
	t.out.WriteString(t.in[t.at : t.at+n])
	t.at += n
}

// step converts the next element of the pattern, such as a character, an escape or the beginning of a class.
func (t *translator) step() error {
	rest := t.in[t.at:]
	switch {
	case rest[0] == '\\':
		return t.escape()
	case t.class:
		return t.inClass()
	case rest[0] == '[':
		t.class, t.negated = true, strings.HasPrefix(rest, "[^")
		t.copy(1)
		if t.negated {
			t.copy(1)
		}
		if strings.HasPrefix(t.in[t.at:], "]") { // a bracket directly after the opening one is a character
			t.copy(1)
		}
	case strings.HasPrefix(rest, "{,"):
		return unsupportedError("the repetition {,n} is outside of RE2")
	case strings.HasPrefix(rest, "(?P<"), strings.HasPrefix(rest, "(?<") && !strings.HasPrefix(rest, "(?<=") &&
		!strings.HasPrefix(rest, "(?<!"):
		end := strings.IndexByte(rest, '>')
		if end < 0 {
			return unsupportedError("the pattern is outside of RE2: a group without the end of its name")
		}
		t.out.WriteByte('(') // without the name, since a rule that is used twice would repeat it
		t.at += end + 1
	default:
		t.copy(1)
	}
	return nil
}

// inClass converts the next element of a character class.
func (t *translator) inClass() error {
	rest := t.in[t.at:]
	switch {
	case rest[0] == ']':
		t.class = false
	case strings.HasPrefix(rest, "[:"):
		if end := strings.Index(rest, ":]"); end > 0 {
			t.copy(end + 2)
			return nil
		}
		return unsupportedError("a class inside a class is outside of RE2")
	case rest[0] == '[', strings.HasPrefix(rest, "&&"), strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "~~"):
		return unsupportedError("a class made of classes is outside of RE2")
	}
	t.copy(1)
	return nil
}

// escape converts an escape sequence, such as \d or \u00e9, to RE2.
func (t *translator) escape() error {
	if t.at+1 == len(t.in) {
		return unsupportedError("the pattern ends with a backslash")
	}
	kind := t.in[t.at+1]
	switch kind {
	case 'd', 'D':
		t.out.WriteString(map[byte]string{'d': `\p{Nd}`, 'D': `\P{Nd}`}[kind])
	case 'w', 's':
		t.set(map[byte]string{'w': wordClass, 's': spaceClass}[kind], "[")
	case 'W', 'S':
		if t.class && t.negated {
			return unsupportedError(`\%c in a negated class is not checked`, kind)
		}
		if t.class {
			t.copy(2) // RE2's class is a superset that includes the intended characters
			return nil
		}
		t.set(map[byte]string{'W': wordClass, 'S': spaceClass}[kind], "[^")
	case 'u', 'U':
		return t.codePoint()
	case 'b', 'B', 'Q', 'E', 'C', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return unsupportedError(`\%c in a pattern is not checked`, kind)
	default:
		t.copy(2)
		return nil
	}
	t.at += 2
	return nil
}

// set writes the contents of a character class. Outside of brackets it writes opener before them and "]" after them.
func (t *translator) set(class, opener string) {
	if t.class {
		t.out.WriteString(class)
		return
	}
	t.out.WriteString(opener + class + "]")
}

// codePoint converts a numeric escape such as \u00e9.
func (t *translator) codePoint() error {
	digits := map[byte]int{'u': 4, 'U': 8}[t.in[t.at+1]]
	rest := t.in[t.at+2:]
	if strings.HasPrefix(rest, "{") {
		t.out.WriteString(`\x`)
		t.at += 2
		return nil
	}
	if len(rest) < digits {
		return unsupportedError("an escape of a character lacks digits")
	}
	t.out.WriteString(`\x{` + rest[:digits] + `}`)
	t.at += 2 + digits
	return nil
}
