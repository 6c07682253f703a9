package dialect

import "strings"

// speakers are the names that chat templates have for the one who answers.
var speakers = [...]string{"assistant", "model"}

// lookNoise removes a token of a chat template, and the name of the speaker behind one that opens a turn.
func (s *Scanner) lookNoise(i int, x token) tristate {
	end := i + x.n
	if !x.close {
		n, v := s.speaker(end)
		if v == maybe {
			return maybe
		}
		end += n
	}
	s.flush(s.blank(i))
	s.drop(end)
	return yes
}

// speaker is the length of the speaker's name at t[i:], with the line break behind it; it stands alone on its line, or
// before another token.
func (s *Scanner) speaker(i int) (int, tristate) {
	rest := s.t[i:]
	for _, name := range speakers {
		after, ok := strings.CutPrefix(rest, name)
		switch {
		case !ok && !s.ended && strings.HasPrefix(name, rest), ok && after == "" && !s.ended:
			return 0, maybe
		case !ok:
		case after == "" || after[0] == '<':
			return len(name), yes
		case after[0] == '\n':
			return len(name) + 1, yes
		}
	}
	return 0, no
}
