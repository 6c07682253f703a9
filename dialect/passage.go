package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/literal"
)

// lookResult begins a tool result at the marker x in the response. It stays text, and calls in it are ignored. A result
// that the model invented after its own call is removed.
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

// dropToken moves past the result marker x at offset i. A marker that is a special token, such as <|tool_response|>, is
// deleted from the text. Other markers stay in it.
func (s *Scanner) dropToken(i int, x token) {
	s.pos = i + x.n
	if x.special && s.t[i] == '<' {
		s.cut("mark.result", i, x.n)
	}
}

// result is the state in a tool result.
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

// passResult emits a tool result up to i. An invented result is buffered to its end.
func (s *Scanner) passResult(i int) {
	switch {
	case !s.madeUp:
		s.flush(i)
	case s.ended && s.r.marked: // a single token at which a model stops
		at := s.from + s.r.at
		s.cut("mark.result", at, s.r.i)
		s.pos = i
		s.flush(i)
	case s.ended:
		s.cutResult(i)
	}
}

// cutResult removes an invented result that ends at end.
func (s *Scanner) cutResult(end int) {
	s.q.note("mark.invented", s.base+s.from, s.t[s.from:end])
	s.gap = true
	s.drop(end)
}

// The markers of Git around the versions in a merge conflict.
const (
	conflictOpen  = "<<<<<<<"
	conflictClose = ">>>>>>>"
)

// lookConflict begins a merge conflict of Git if one is at t[i:]. Its text is not scanned for calls.
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

// conflict is the state in a merge conflict.
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

// passValue begins to skip a JSON value that is not a call. The value stays text.
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

// data is the state in a JSON value that is not a call. A marker of calls outside its strings ends it.
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
				s.flush(s.blank(i)) // a name inside the data does not belong to the marker
				s.state = inText
				return true
			}
		}
		s.r.track.Step(s.t[i])
		s.pos = i + 1
	}
}
