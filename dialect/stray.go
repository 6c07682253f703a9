package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// foreign sets the state for text that cannot begin a call: an argument, noise to skip, or the end of the region.
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

// isMentioned reports whether the region's opening marker, without a call after it, is a word of a sentence. A special
// token is one only if it is presented as an example.
func (s *Scanner) isMentioned() bool {
	r := &s.r
	return !r.named && (r.isExample || r.inSentence && chars.BarAt(s.t, s.contentStart()+1) == 0)
}

// beginPlain begins plain text at v[i:] that is the only argument of the tool t. It returns false if t has no such
// parameter.
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

// guessPlain begins plain text for the only declared tool, if its parameter or the options allow this.
func (s *Scanner) guessPlain() bool {
	r := &s.r
	if len(s.o.Tools) != 1 || !s.o.Heuristic && !s.o.Tools[0].takesOneText() || !r.marked || r.named ||
		r.format != "tool_tag" || !s.standsApart(chars.SpaceEnd(s.t, s.from)) {
		return false
	}
	return s.beginPlain(&s.o.Tools[0], r.i)
}

// noise skips text in a region that belongs to no call. After the marker for an ID, the text is the call ID.
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
	// the skipped text may be an argument
	r.unreadable = r.unreadable || passed != "" && (len(r.args) > 0 || r.named && strings.ContainsAny(passed, "=>"))
	s.state = inHead
	return true
}
