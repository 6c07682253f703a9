package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/markup"
)

// A lexer finds the marks of all formats in a text, and the tags that are named after declared tools.
type lexer struct {
	marks *index
	names *Names
}

// A token is a mark as it was met.
type token struct {
	tag      string // canonical name
	role     Role
	format   string
	n        int    // bytes
	attr     string // the name it carries: <invoke name="x">, <function=x>
	id       string
	also     []string // further tags that it closes
	noise    bool     // one of them says nothing
	close    bool
	alone    bool  // <x/>
	json     bool  // its value is JSON
	lines    bool  // <x=y>: the value stands on lines of its own
	special  bool  // a special token, not a tag of plain text
	named    bool  // its tag is the name of a declared tool
	prefixed bool  // the prefix of its format stands before it
	line     bool  // <x: y>: a name and plain text follow
	slashed  bool  // its end stands after its arguments: <name ... />
	args     []Arg // of a named tag: its attributes
}

// lex reports whether a mark stands at t[i:]. With ended there will be no more text.
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

// lexLiteral reads a mark that is neither a tag nor a special token.
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

// readName reads the name in a mark, and the rest of the mark.
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

// lexToken reads <|name|>. bar is the length of the first bar.
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

// lexPrefixed reads the marker that stands before every tag of a format, and the tag. Alone it says nothing.
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

// closesCall decides whether the closing mark of a call stands at t[i:], after other closing marks.
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

// token is the entry as it was met, n bytes long.
func (e *entry) token(n int) token {
	return token{tag: e.tag, role: e.role, format: e.format, n: n, also: e.also, close: e.close, noise: e.noise, special: true}
}

// closes reports whether the closing mark x closes a mark with this tag.
func (x *token) closes(tag string) bool { return x.tag == tag || slices.Contains(x.also, tag) }
