package dialect

import "strings"

// A thoughtEnd caches the search for the marker that ends the reasoning around a call. Offsets are those of the text.
type thoughtEnd struct {
	seen   int // end of the text without such a marker outside closed values
	value  int // offset of the open value
	mark   int // offset of a marker that may be inside the value plus 1
	looked int // end of the text that was searched for the value's closing marker
}

// maxUnclosed is the maximum length in bytes of the text after a reasoning marker that is searched for the end of a
// value.
const maxUnclosed = 4 << 10

// nextInThought takes a step in a call inside reasoning. It hides the text after the marker that ends the reasoning.
func (s *Scanner) nextInThought() bool {
	t, ended := s.t, s.ended
	end, found := s.findThoughtEnd()
	if found != no {
		s.t, s.ended = t[:end], ended || found == yes
	}
	moved := s.nextInRegion()
	s.t, s.ended = t, ended
	return moved || found == yes
}

// findThoughtEnd returns the offset of the marker that ends the reasoning around the current call. JSON values are
// skipped, because their own parser handles strings. found is maybe if more text is needed.
func (s *Scanner) findThoughtEnd() (end int, found tristate) {
	e := &s.thoughtEnd
	e.seen = max(e.seen, s.base+s.from+s.r.i)
	if s.state == inValue {
		return 0, no
	}
	for {
		at := e.seen - s.base
		n := strings.IndexAny(s.t[at:], "<[")
		if n < 0 {
			e.seen = s.base + len(s.t)
			return 0, no
		}
		s.work += n + 1
		at += n
		e.seen += n
		x, found := s.lex(s.t, at, s.ended)
		if found == yes {
			found = yesIf(s.endsThinking(x))
		}
		if found == yes && (s.state == inArgument || s.state == inPlain || s.state == inElements) {
			found = not(s.closesBehind(at, x.n))
		}
		if found != no {
			return at, found
		}
		e.seen++
	}
}

// closesBehind reports whether the current value is closed after the marker of n bytes at t[i:], before anything else
// begins. The marker is then part of the value.
func (s *Scanner) closesBehind(i, n int) tristate {
	e := &s.thoughtEnd
	if value := s.base + s.from + s.r.body; e.mark != s.base+i+1 || e.value != value {
		e.value, e.mark, e.looked = value, s.base+i+1, s.base+i+n
	}
	limit := min(len(s.t), i+maxUnclosed)
	for e.looked-s.base < limit {
		at := e.looked - s.base
		n := strings.IndexAny(s.t[at:limit], "<[]")
		if n < 0 {
			e.looked = s.base + limit
			break
		}
		s.work += n + 1
		e.looked += n
		closes, found := s.closesValue(at + n)
		if found == maybe || closes {
			return found
		}
		if found == yes {
			return no
		}
		e.looked++
	}
	return unless(s.ended || len(s.t) >= i+maxUnclosed)
}

// closesValue reports whether the marker at t[i:] closes the current value. If it does not, found is yes for a marker
// that begins something else, so that the value is unclosed.
func (s *Scanner) closesValue(i int) (closes bool, found tristate) {
	r := &s.r
	if r.closing != "" && s.t[i] == '<' {
		n, found := s.closingTag(s.t, i, r.closing)
		if found == yes {
			found = s.tagFollows(s.t, i+n)
		}
		if found != no {
			return found == yes, found
		}
	}
	x, found := s.lex(s.t, i, s.ended)
	switch {
	case found != yes:
		return false, found
	case x.close && x.special && x.closes(r.closing), x.close && x.prefixed:
		return true, yes
	}
	return false, yesIf(!x.close && (x.role <= Section || x.role == Value || x.role == Key || x.role == Think))
}
