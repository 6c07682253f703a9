package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/literal"
)

// lookResult passes the model's own tool results as text: nothing in them is a call. One that the model made up after
// its call leaves the text.
func (s *Scanner) lookResult(i int, x token) tristate {
	if x.close && !x.special {
		return no
	}
	if x.close {
		s.dropToken(i, x)
		return yes
	}
	if s.madeUp = s.q.marked; s.madeUp {
		s.flush(s.blank(i))
		s.pos = i + x.n
	} else {
		s.dropToken(i, x)
	}
	s.r = region{argument: argument{closing: x.tag}, marked: x.special && s.t[i] == '<', at: i - s.from, i: x.n}
	s.state = inResult
	return yes
}

// dropToken passes a mark; a special token leaves the text, unless it is spelled as a word in brackets.
func (s *Scanner) dropToken(i int, x token) {
	s.pos = i + x.n
	if x.special && s.t[i] == '<' {
		s.cut("mark.result", i, x.n)
	}
}

// result is the text of a tool result.
func (s *Scanner) result() bool {
	for {
		n := strings.IndexAny(s.t[s.pos:], "<[")
		if n < 0 {
			s.pos = len(s.t)
			s.passResult(s.pos)
			return false
		}
		i := s.pos + n
		x, v := s.lex(s.t, i, s.ended)
		if v == maybe {
			s.pos = i
			s.passResult(i)
			return false
		}
		s.pos = i + 1
		if v != yes || x.role != Result {
			continue
		}
		if !s.madeUp {
			s.dropToken(i, x)
		}
		if x.close && x.closes(s.r.closing) {
			if s.madeUp {
				s.cutResult(i + x.n)
			}
			s.state = inText
			return true
		}
	}
}

// passResult emits a tool's result up to i. One that was made up is held to its end.
func (s *Scanner) passResult(i int) {
	switch {
	case !s.madeUp:
		s.flush(i)
	case s.ended && s.r.marked: // a lone token, after which a model stops
		at := s.from + s.r.at
		s.cut("mark.result", at, s.r.i)
		s.pos = i
		s.flush(i)
	case s.ended:
		s.cutResult(i)
	}
}

// cutResult removes a result that was made up and ends at end.
func (s *Scanner) cutResult(end int) {
	s.q.note("mark.invented", s.base+s.from, s.t[s.from:end])
	s.gap = true
	s.drop(end)
}

// Marks that a merge leaves around two versions of some lines.
const (
	conflictOpen  = "<<<<<<<"
	conflictClose = ">>>>>>>"
)

// lookConflict decides whether the lines of a merge conflict begin at t[i:]. They are shown.
func (s *Scanner) lookConflict(i int) tristate {
	t := s.t[i:]
	switch {
	case len(t) <= len(conflictOpen):
		return yesMaybe(!s.ended && strings.HasPrefix(conflictOpen, t))
	case !strings.HasPrefix(t, conflictOpen) || t[len(conflictOpen)] == '<' || s.level > 0 || !s.atLineStart(i):
		return no
	}
	s.pos = i + len(conflictOpen)
	s.state = inConflict
	return yes
}

// conflict is text between the marks of a merge conflict.
func (s *Scanner) conflict() bool {
	for {
		n := strings.IndexByte(s.t[s.pos:], '>')
		if n < 0 {
			s.pos = len(s.t)
			s.flush(s.pos)
			return false
		}
		i := s.pos + n
		t := s.t[i:]
		if !s.ended && len(t) < len(conflictClose) && strings.HasPrefix(conflictClose, t) {
			s.pos = i
			s.flush(s.blank(i))
			return false
		}
		s.pos = i + 1
		if strings.HasPrefix(t, conflictClose) && s.atLineStart(i) {
			s.pos = i + len(conflictClose)
			s.state = inText
			return true
		}
	}
}

// passValue passes a JSON value that is no call as text, with everything in it.
func (s *Scanner) passValue(i int) tristate {
	k := chars.SpaceEnd(s.t, i+1)
	if k == len(s.t) && !s.ended {
		return maybe
	}
	if k == len(s.t) || s.t[k] != '"' {
		return no
	}
	s.pos = i
	s.r = region{}
	s.state = inData
	return yes
}

// data is a JSON value in visible text that is no call. A mark that opens a call outside its strings ends it.
func (s *Scanner) data() bool {
	for {
		i, why := s.r.track.Run(s.t, s.pos, "<")
		s.pos = i
		switch why {
		case literal.Closed:
			s.state = inText
			return true
		case literal.More:
			if s.ended {
				s.flush(i)
			}
			s.flush(s.blank(i))
			return false
		}
		if !s.r.track.InString() {
			x, found := s.lex(s.t, i, s.ended)
			if found == maybe {
				return s.wait(i)
			}
			if found == yes && x.role <= Section {
				s.flush(s.blank(i)) // no word of the data is a name before the mark
				s.state = inText
				return true
			}
		}
		s.r.track.Step(s.t[i])
		s.pos = i + 1
	}
}
