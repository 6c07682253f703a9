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
	if t == nil || len(r.stack) != 1 || r.got > 0 && !r.plain {
		return false
	}
	key := t.onlyText()
	if key == "" {
		return false
	}
	r.name, r.named, r.key, r.closing, r.i, r.body = t.Name, true, key, r.stack[0], i, i
	s.state = (*Scanner).plain
	return true
}

// guessPlain begins the plain text of the only declared tool, when guesses are allowed.
func (s *Scanner) guessPlain() bool {
	r := &s.r
	if !s.o.Heuristic || len(s.o.Tools) != 1 || !r.marked || r.named || r.format != "tool_tag" {
		return false
	}
	return s.beginPlain(&s.o.Tools[0], r.at)
}

// plain looks for the end of a call's plain text.
func (s *Scanner) plain() bool {
	v, r := s.view(), &s.r
	for {
		n := strings.IndexByte(v[r.i:], '<')
		if n < 0 {
			r.i = len(v)
			return s.argumentCut()
		}
		i := r.i + n
		_, verdict := s.closingTag(v, i, r.closing)
		if verdict == maybe {
			r.i = i
			return false
		}
		r.i = i + 1
		if verdict == yes {
			r.lines = true
			s.argue(strings.TrimSpace(v[r.body:i]))
			r.i = i
			s.state = (*Scanner).head
			return true
		}
	}
}
