package dialect

import (
	"slices"
	"strings"
)

// onlyText is the parameter that takes the plain text in a call's tag: the only one that must be given, or the only one
// at all, and a string.
func (t *Tool) onlyText() string {
	var found *Param
	for i := range t.Params {
		p := &t.Params[i]
		switch {
		case found == nil || p.Required && !found.Required:
			found = p
		case p.Required == found.Required:
			return ""
		}
	}
	if found == nil || len(found.Types) > 0 && !slices.Contains(found.Types, "string") {
		return ""
	}
	return found.Name
}

// beginPlain begins the plain text that is a call's only argument, at v[i:]: where the tag says so, or, as a guess, where
// one tool is declared.
func (s *Scanner) beginPlain(t *Tool, i int) bool {
	r := &s.r
	if t == nil || len(r.stack) != 1 || r.got > 0 && !r.textBody {
		return false
	}
	key := t.onlyText()
	if key == "" {
		return false
	}
	r.name, r.named, r.key, r.closing, r.i, r.body = t.Name, true, key, r.stack[0], i, i
	s.state = inPlain
	return true
}

// guessPlain begins the plain text of the only declared tool, when guesses are allowed.
func (s *Scanner) guessPlain() bool {
	r := &s.r
	if !s.o.Heuristic || len(s.o.Tools) != 1 || !r.marked || r.named || r.format != "tool_tag" || !s.standsApart(spaceEnd(s.t, s.from)) {
		return false
	}
	return s.beginPlain(&s.o.Tools[0], r.i)
}

// plain looks for the end of a call's plain text.
func (s *Scanner) plain() bool {
	text, found := s.seek('<', (*Scanner).closesPlain)
	if found != yes {
		return found == no && s.argumentCut()
	}
	s.r.lines = true
	s.argue(strings.TrimSpace(text))
	s.state = inHead
	return true
}

// closesPlain reports whether the call's closing tag stands at v[i:]; it is still to be read.
func (s *Scanner) closesPlain(v string, i int) (int, tristate) {
	_, found := s.closingTag(v, i, s.r.closing)
	return 0, found
}
