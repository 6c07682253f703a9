package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/literal"
)

// value is the state in a value in brackets. It returns false if more text is needed.
func (s *Scanner) value() bool {
	v, r := s.view(), &s.r
	for {
		i, why := r.i, literal.Closed
		if len(r.track.Open) > 0 || r.track.LastQuote() == 0 { // otherwise it waits for the text after the value
			i, why = s.step(v)
		}
		s.work += i - r.i + 1
		r.i = i
		switch why {
		case literal.Closed:
			switch s.reopens(v, i) {
			case maybe:
				return false
			case yes:
				continue
			}
			s.take(r.i)
			return s.valueTaken()
		case literal.More:
			if !s.ended {
				return false
			}
			s.take(r.i)
			return s.valueTaken()
		}
		if n, found := s.delimiter(v, i); found != no {
			if found == maybe {
				return false
			}
			r.i = i + n
			r.delimited, r.inDelimited = true, !r.inDelimited
			r.track.Last = '"'
			continue
		}
		switch s.ends(v, i) {
		case maybe:
			return false
		case yes:
			if x, _ := s.lex(v, i, s.ended); s.endsThinking(x) {
				return s.leave()
			}
			r.unended = true
			s.take(r.i)
			return s.valueTaken()
		}
		if !r.inDelimited && r.track.Step(v[i]) {
			r.i = i + 1
			s.take(r.i)
			return s.valueTaken()
		}
		r.i = i + 1
	}
}

// step scans inside a value to its end or to a byte that may begin a marker.
func (s *Scanner) step(v string) (int, literal.Stop) {
	r := &s.r
	if !r.inDelimited {
		return r.track.Run(v, r.i, "<[`")
	}
	marks := "<"
	if s.think != "" {
		marks = "<[" // '[' may begin the marker that ends the reasoning
	}
	if n := strings.IndexAny(v[r.i:], marks); n >= 0 {
		return r.i + n, literal.AtMark
	}
	return len(v), literal.More
}

// delimiter reports whether v[i:] is a string delimiter of a format, and its size.
func (s *Scanner) delimiter(v string, i int) (int, tristate) {
	if s.r.track.InString() {
		return 0, no
	}
	for _, d := range literal.Delimiters {
		if strings.HasPrefix(v[i:], d) {
			return len(d), yes
		}
		if !s.ended && strings.HasPrefix(d, v[i:]) {
			return 0, maybe
		}
	}
	return 0, no
}

// maxReopened is the maximum length in bytes of the text after a value searched for the rest of its last string.
const maxReopened = 256

// reopens reports whether a value that seems to end before v[i:] continues. This is the case if its last string has
// unescaped quotes around brackets: then another quote with closing brackets follows.
func (s *Scanner) reopens(v string, i int) tristate {
	k := &s.r.track
	quote := i
	for quote < min(len(v), i+maxReopened) && strings.IndexByte("}])", v[quote]) >= 0 {
		quote++
	}
	if k.LastQuote() == 0 || quote < len(v) && v[quote] != k.LastQuote() {
		return no
	}
	for j := quote; j < quote+maxReopened; j++ {
		if j >= len(v) {
			return unless(s.ended)
		}
		switch v[j] {
		case '<', '`', '{', '[', ';':
			return no
		case '"', '\'':
			next := chars.SpaceEnd(v, j+1)
			if next == len(v) {
				return unless(s.ended)
			}
			if strings.IndexByte("}])", v[next]) >= 0 || j == quote && v[next] == ',' {
				k.Reopen()
				s.r.i = quote + 1
				return yes
			}
		}
	}
	return no
}

// valueTaken sets the state after a value and returns true, as the scan continues.
func (s *Scanner) valueTaken() bool {
	if s.r.marked {
		s.state = inHead
		return true
	}
	s.state = inTail
	return true
}

// ends reports whether the byte at v[i] begins a marker that ends the value before all brackets are closed. Inside a
// string this requires that the brackets before it look complete.
func (s *Scanner) ends(v string, i int) tristate {
	r := &s.r
	if !r.marked {
		return s.bareEnds(v, i)
	}
	if v[i] == '`' {
		return s.fenceEnds(v, i)
	}
	if v[i] == '[' && !r.track.InString() && !strings.HasPrefix(v[i:], "[/") {
		return yesMaybe(len(v)-i == 1 && !s.ended)
	}
	x, found := s.lex(v, i, s.ended)
	if found != yes {
		return found
	}
	if s.endsThinking(x) {
		return s.endsInThought(v, i, x)
	}
	if x.role != Wrap && x.role != Section || x.named || x.attr != "" && !x.close && r.track.InString() {
		return no
	}
	if !r.inDelimited && !r.track.InString() {
		return yes
	}
	if found = s.looksComplete(v, i, x); found != yes {
		return found
	}
	return not(s.staysOpen(v, i+x.n))
}

// endsInThought reports whether a marker at v[i:] ends the reasoning around the value, leaving it incomplete.
func (s *Scanner) endsInThought(v string, i int, x token) tristate {
	r := &s.r
	if !r.inDelimited && !r.track.InString() {
		return yes
	}
	return not(s.staysOpen(v, i+x.n))
}

// looksComplete reports whether a marker at v[i:] inside a string is at a position where the value is complete except
// for the closing quote.
func (s *Scanner) looksComplete(v string, i int, x token) tristate {
	r := &s.r
	if r.inDelimited && !(x.close && slices.ContainsFunc(r.stack, x.closes)) {
		return no
	}
	if r.inDelimited {
		return s.endsValue(v[r.body:i], v, i+x.n)
	}
	before := strings.TrimRight(v[r.body:i], " \t\r\n")
	if before == "" || before[len(before)-1] != '}' && before[len(before)-1] != ']' {
		return no
	}
	if !x.close {
		return yesIf(len(before) < i-r.body && strings.Contains(v[r.body+len(before):i], "\n"))
	}
	return s.endsValue(before, v, i+x.n)
}

// endsValue reports whether a closing marker inside a string ends the value. It does if another marker, a new line or
// the end of the text follows at v[after:], or if all brackets are closed in before.
func (s *Scanner) endsValue(before, v string, after int) tristate {
	next := chars.SpaceEnd(v, after)
	switch {
	case next == len(v):
		return atEnd(s.ended)
	case v[next] == '<' || strings.IndexByte(v[after:next], '\n') >= 0:
		return yes
	}
	return yesIf(next > after && literal.ClosesAll(strings.TrimRight(before, " \t\r\n"), s.r.track.Open))
}

// bareEnds reports whether a marker at v[i:] ends a value without markers before all its brackets are closed.
func (s *Scanner) bareEnds(v string, i int) tristate {
	if v[i] != '<' || s.r.track.InString() {
		return no
	}
	x, found := s.lex(v, i, s.ended)
	if found != yes {
		return found
	}
	return yesIf(x.role == Noise || x.role <= Section)
}

// fenceEnds reports whether v[i:] is a code block delimiter that ends the value: ``` outside a string, at a line start.
func (s *Scanner) fenceEnds(v string, i int) tristate {
	if s.r.track.InString() || i > 0 && v[i-1] != '\n' {
		return no
	}
	if len(v)-i < 3 && strings.Trim(v[i:], "`") == "" {
		return unless(s.ended)
	}
	return yesIf(strings.HasPrefix(v[i:], "```"))
}
