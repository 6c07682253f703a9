package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// foreign meets text that no call begins with.
func (s *Scanner) foreign() bool {
	r := &s.r
	if found := s.beginBody(); found != no {
		return found == yes
	}
	switch {
	case r.got == 0 && s.isMentioned():
		return s.refuse(r.i)
	case !r.section && r.got == 0:
		if s.guessPlain() || s.beginFree() {
			return true
		}
		return s.refuse(r.i)
	case !r.section, r.got > 0 && !r.named && s.marks.rows[r.format].open:
		return s.leave()
	}
	r.body = r.i
	r.i++
	s.state = inNoise
	return true
}

// isMentioned reports whether the mark that opened the region is a word of a sentence, where no call follows it. A
// special token is none unless the sentence shows it.
func (s *Scanner) isMentioned() bool {
	r := &s.r
	return !r.named && (r.shown || r.inSentence && chars.BarAt(s.t, s.contentStart()+1) == 0)
}

// beginPlain begins the plain text that is a call's only argument, at v[i:]: where the tag says so, or, as a guess,
// where one tool is declared.
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
	if len(s.o.Tools) != 1 || !s.o.Heuristic && !s.o.Tools[0].takesOneText() || !r.marked || r.named ||
		r.format != "tool_tag" || !s.standsApart(chars.SpaceEnd(s.t, s.from)) {
		return false
	}
	return s.beginPlain(&s.o.Tools[0], r.i)
}

// noise is text in a section that belongs to no call, up to where one may begin. After the mark for it, it is an id.
func (s *Scanner) noise() bool {
	v, r := s.view(), &s.r
	n := strings.IndexAny(v[r.i:], "<[{")
	if n < 0 {
		r.i = len(v)
		return s.rest()
	}
	r.i += n
	if r.idFollows {
		r.id, r.idFollows = strings.TrimSpace(v[r.body:r.i]), false
		s.state = inHead
		return true
	}
	passed := strings.Trim(v[r.body:r.i], " \t\r\n`")
	r.prose = r.prose || passed != "" && r.named && r.separated
	// an argument in it is lost
	r.unreadable = r.unreadable || passed != "" && (len(r.args) > 0 || r.named && strings.ContainsAny(passed, "=>"))
	s.state = inHead
	return true
}
