package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/markup"
)

// A lexer recognizes the markers of all formats, and tags that are named after declared tools.
type lexer struct {
	marks *index
	names *Names
}

// A token is a marker found in the text.
type token struct {
	tag      string // canonical name
	role     Role
	format   string
	n        int    // size in bytes
	attr     string // the name in the marker: x in <invoke name="x"> and <function=x>
	id       string
	also     []string // further tags that it closes
	noise    bool     // one of them has no meaning
	close    bool
	alone    bool  // <x/>
	json     bool  // the value is JSON
	lines    bool  // <x=y>: the value is on separate lines
	special  bool  // a special token, not an XML-like tag
	named    bool  // the tag is the name of a declared tool
	prefixed bool  // the format's prefix precedes it
	line     bool  // <x: y>: a name, followed by plain text
	slashed  bool  // the tag ends after its arguments: <name ... />
	args     []Arg // the attributes of a tag named after a tool
}

// lex returns the marker at t[i:], if any. The tristate is maybe if more text is needed. ended reports that no more
// text follows.
func (l *lexer) lex(t string, i int, ended bool) (token, tristate) {
	switch {
	case t[i] == ']':
		return l.lexPrefixed(t[i:], ended)
	case t[i] != '<':
		return l.lexLiteral(t[i:], ended)
	case i+1 == len(t):
		return token{}, unless(ended)
	}
	if n := chars.BarAt(t, i+1); n != 0 {
		return l.lexToken(t[i:], n, ended)
	}
	return l.lexTag(t[i:], ended)
}

// lexLiteral reads a marker that is neither a tag nor a special token, such as [TOOL_CALLS].
func (l *lexer) lexLiteral(t string, ended bool) (token, tristate) {
	v := no
	if len(t) > 1 && !l.marks.seconds[t[1]] {
		return token{}, no
	}
	for k := range l.marks.literals {
		lit := &l.marks.literals[k]
		if strings.HasPrefix(t, lit.text) {
			if lit.rest == "" {
				return lit.token(len(lit.text)), yes
			}
			if x, found := lit.readName(t, ended); found != no {
				return x, found
			}
		}
		if !ended && len(t) < len(lit.text) && strings.HasPrefix(lit.text, t) {
			v = maybe
		}
	}
	return token{}, v
}

// readName reads the marker at the start of t: m.text, a tool name and m.rest. It returns maybe if t is too short.
func (m *textMark) readName(t string, ended bool) (token, tristate) {
	end := chars.WordEnd(t, len(m.text))
	rest := t[end:]
	if len(rest) < len(m.rest) {
		return token{}, yesMaybe(!ended && strings.HasPrefix(m.rest, rest))
	}
	x := m.token(end + len(m.rest))
	x.attr = t[len(m.text):end]
	return x, yesIf(x.attr != "" && strings.HasPrefix(rest, m.rest))
}

// lexToken reads a special token <|name|>. bar is the size of the first bar in bytes.
func (l *lexer) lexToken(t string, bar int, ended bool) (token, tristate) {
	if bar < 0 {
		return token{}, unless(ended)
	}
	limit := min(len(t), chars.MaxToken)
	for i := 1 + bar; i < limit; i++ {
		switch t[i] {
		case '>':
			name := markup.TokenName(t[1:i])
			if f, ok := l.marks.frames[name]; ok {
				if x, v := l.lexFrame(t, i+1, &f, ended); v != no && !(x.tag == unknownFrame && l.marks.isAlone(name)) {
					return x, v
				}
			}
			e, ok := l.marks.specials[name]
			if !ok {
				return l.lexTag(t, ended)
			}
			return e.token(i + 1), yes
		case '\n', '<', '"':
			return l.lexTag(t, ended)
		}
	}
	if ended || limit == chars.MaxToken || !hasPrefixed(l.marks.tokens, markup.Canonical(strings.ToValidUTF8(t[1:limit], ""))) {
		return l.lexTag(t, ended)
	}
	return token{}, maybe
}

// lexPrefixed reads the prefix that precedes every tag of a format, and the tag. A prefix alone has no meaning.
func (l *lexer) lexPrefixed(t string, ended bool) (token, tristate) {
	p := l.marks.prefix
	if len(t) < len(p) {
		return token{}, yesMaybe(!ended && strings.HasPrefix(p, t))
	}
	if !strings.HasPrefix(t, p) {
		return token{}, no
	}
	alone := token{tag: "]", role: Noise, n: len(p), special: true}
	if len(t) == len(p) || t[len(p)] != '<' {
		if len(t) == len(p) && !ended {
			return token{}, maybe
		}
		return alone, yes
	}
	x, v := l.lex(t, len(p), ended)
	switch v {
	case maybe:
		return token{}, maybe
	case no:
		return alone, yes
	}
	x.n += len(p)
	x.prefixed = true
	return x, yes
}

// closesCall reports whether t[i:] is the closing marker of a call, possibly after other closing markers.
func (l *lexer) closesCall(t string, i int, ended bool) tristate {
	for limit := i + chars.MaxBlank; i < limit; {
		i = chars.SpaceEnd(t, i)
		if i == len(t) {
			return unless(ended)
		}
		if t[i] != '<' {
			return no
		}
		x, v := l.lex(t, i, ended)
		if v != yes || !x.close {
			return yesMaybe(v == maybe)
		}
		if x.role <= Section {
			return yes
		}
		i += x.n
	}
	return no
}

// token returns the token for an entry of the index. n is its size in bytes.
func (e *entry) token(n int) token {
	return token{tag: e.tag, role: e.role, format: e.format, n: n, also: e.also, close: e.close, noise: e.noise, special: true}
}

// closes reports whether the closing marker x closes a marker with the tag.
func (x *token) closes(tag string) bool { return x.tag == tag || slices.Contains(x.also, tag) }
