package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/label"
)

// channel is the tag of the marks around channels in Gemma's format.
const channel = "|channel>"

// channelLabel is the length of the mark x at t[i:] with the label behind it that belongs to it, and whether the mark
// opens a channel that holds the answer. The label behind a closing mark belongs to it where another closing mark
// follows: the channel in which nothing is said has lost its opening mark.
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

// passLabel passes the n bytes of a mark at t[i:] with its label, inside of reasoning: another channel begins without
// the end of the last one.
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

// openAnswer continues with the answer, in a channel of its own whose mark and label are the n bytes at t[i:].
func (s *Scanner) openAnswer(i, n int) {
	s.q.note("mark.template", s.base+i, strings.TrimSpace(s.t[i:i+n]))
	s.drop(i + n)
	s.answers = true
}
