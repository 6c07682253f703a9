package dialect

import "strings"

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
	case !strings.HasPrefix(t, conflictOpen) || t[len(conflictOpen)] == '<' || s.nested || !s.atLineStart(i):
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
