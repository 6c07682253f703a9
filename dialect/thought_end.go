package dialect

import "strings"

// A thoughtEnd describes the mark that ends the reasoning in which a call begins. Offsets count from the beginning of
// the text.
type thoughtEnd struct {
	seen   int // up to where no such mark stands outside of closed values
	value  int // of the value that is open
	mark   int // of one that may be inside of it, plus 1
	looked int // up to where the mark was looked for that closes the value
}

// maxUnclosed bounds the text in which the mark is looked for that closes a value behind a mark of reasoning.
const maxUnclosed = 4 << 10

// nextInThought is nextInRegion for a call in reasoning: it reads the text up to the mark that ends the reasoning,
// whatever is open there.
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

// findThoughtEnd finds the mark that ends the reasoning of the call at hand. A value of JSON is left to its reader,
// which knows its strings. With maybe more text decides whether one stands at end.
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

// closesBehind decides whether the value at hand is closed behind the mark of n bytes at t[i:], before anything else
// begins: then the mark is a part of it.
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

// closesValue decides whether the mark at t[i:] closes the value at hand. Where it does not, found is yes for a mark
// that begins something, before which the value should have been closed.
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
