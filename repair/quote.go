package repair

// A mark is the quote that opened a string. It determines the quotes that may close it.
type mark struct {
	size  int  // bytes of it
	quote byte // '"', '\'' or '`'; for a typographic quote the plain one that is like it
	smart bool // typographic
}

const smartLead = 0xE2 // the first byte of every typographic quote

// smartKind is the kind of the typographic quote at the start of s: a double quote, a single quote, or 0 for anything
// else.
func smartKind(s string) byte {
	if len(s) < 3 || s[0] != smartLead || s[1] != 0x80 {
		return 0
	}
	switch s[2] {
	case 0x9C, 0x9D, 0x9E, 0x9F: // “ ” „ ‟
		return '"'
	case 0x98, 0x99, 0x9A, 0x9B: // ‘ ’ ‚ ‛
		return '\''
	}
	return 0
}

// opening reads the quote at s[i:]. ok is false when there is none.
func opening(s string, i int, at place) (m mark, ok bool) {
	if i >= len(s) {
		return mark{}, false
	}
	switch c := s[i]; c {
	case '"', '\'':
		if at != asKey && isTripleQuote(s, i) {
			return mark{size: 3, quote: c}, true
		}
		return mark{size: 1, quote: c}, true
	case '`':
		return mark{size: 1, quote: c}, !isTripleQuote(s, i)
	case smartLead:
		c = smartKind(s[i:])
		return mark{size: 3, quote: c, smart: true}, c != 0
	}
	return mark{}, false
}

func isTripleQuote(s string, i int) bool { return i+2 < len(s) && s[i+1] == s[i] && s[i+2] == s[i] }

func (m mark) triple() bool { return m.size == 3 && !m.smart }

// width is the length of the closing quote at s[i:], 0 when the text there cannot close the string.
func (m mark) width(s string, i int) int {
	c := s[i]
	switch {
	case m.smart && c == smartLead && smartKind(s[i:]) == m.quote:
		return 3
	case c != m.quote:
		return 0
	case !m.triple():
		return 1
	case isTripleQuote(s, i):
		return 3
	}
	return 0
}

// isQuote reports whether a string may begin with this byte; for the first byte of a typographic quote it only may.
func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' || c == smartLead }

// place is where a string stands.
type place uint8

const (
	atTop      place = iota // the whole value
	asKey                   // a member's key
	asMember                // a member's value
	asElement               // an element of an array
	asArgument              // an argument in parentheses
	asKeyed                 // an argument that has a key: those after it have one, too
)

// within returns the place of a value inside a bracket of this kind.
func within(kind byte) place {
	switch kind {
	case bracket:
		return asElement
	case paren:
		return asArgument
	case brace, ghost:
		return asMember
	default:
		return atTop
	}
}
