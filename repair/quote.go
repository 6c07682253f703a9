package repair

// A mark is the opening quote of a string. It determines which quotes can close the string.
type mark struct {
	size  int  // size of the quote in bytes
	quote byte // '"', '\'' or '`'; for a typographic quote the corresponding ASCII quote
	smart bool // the quote is typographic
}

const smartLead = 0xE2 // the first UTF-8 byte of every typographic quote

// smartKind returns the ASCII quote that corresponds to the typographic quote at the start of s, or 0 if there is
// none.
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

// opening parses an opening quote at s[i]. ok is false if there is none.
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

// width returns the size of the quote at s[i] if it can close the string, otherwise 0.
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

// isQuote reports whether c can begin a quote. A first byte of typographic quotes can also begin other characters.
func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' || c == smartLead }

// place is the syntactic position of a string.
type place uint8

const (
	atTop      place = iota // the whole value
	asKey                   // key of a member
	asMember                // value of a member
	asElement               // element of an array
	asArgument              // positional argument of a call
	asKeyed                 // keyword argument, which only keyword arguments follow
)

// within returns the place of a value inside a bracket of the given kind.
func within(kind byte) place {
	switch kind {
	case bracket:
		return asElement
	case paren:
		return asArgument
	case brace, doubledBrace:
		return asMember
	default:
		return atTop
	}
}
