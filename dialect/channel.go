package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/label"
)

// channel is the name of the channel token in Gemma's format.
const channel = "|channel>"

// channelLabel returns the size of the marker x at t[i:] with the channel label that follows. isAnswer reports that
// the marker opens a channel with the response text. A label after a closing marker counts if another closing marker
// follows, because then the opening marker of an empty channel is missing.
func (s *Scanner) channelLabel(i int, x token) (n int, isAnswer bool, found tristate) {
	n = x.n
	switch {
	case x.tag != channel:
		return n, false, yes
	case !x.close:
		l, found := label.Channel(s.t[i+n:], s.ended)
		return n + l.Size, l.IsAnswer, found
	}
	at := chars.SpaceEnd(s.t, i+n)
	l, found := label.Channel(s.t[at:], s.ended)
	if found != yes || l.IsAnswer {
		return n, false, found
	}
	at = chars.SpaceEnd(s.t, at+l.Size)
	if at == len(s.t) || s.t[at] != '<' {
		return n, false, yesMaybe(at == len(s.t) && !s.ended)
	}
	y, found := s.lex(s.t, at, s.ended)
	if found == yes && y.close && y.tag == channel {
		n = at - i
	}
	return n, false, found
}

// passLabel skips the n bytes of a marker at t[i:] with its label inside reasoning, where a channel begins before the
// previous one was closed.
func (s *Scanner) passLabel(i, n int, x token, isAnswer bool) {
	end := i
	if isAnswer || x.close {
		end = s.blank(i)
	}
	s.flush(end)
	if isAnswer {
		s.noteUnsaid()
		s.endThought()
		s.openAnswer(i, n)
		return
	}
	s.q.note("mark.reasoning", s.base+i, s.t[i:i+n])
	s.drop(i + n)
}

// openAnswer continues with the response text. Its channel marker and label are the n bytes at t[i:].
func (s *Scanner) openAnswer(i, n int) {
	s.q.note("mark.template", s.base+i, strings.TrimSpace(s.t[i:i+n]))
	s.drop(i + n)
	s.answers = true
}
