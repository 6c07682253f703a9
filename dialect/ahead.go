package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/literal"
)

// An aheadQuote is the next quote of one kind after marks that were met in strings. It is looked for once: all marks
// between from and next share the answer, those of later calls too.
type aheadQuote struct {
	from     int  // offset after the mark from which it was looked for
	next     int  // offset of the next byte to look at, or of the quote
	known    bool // the quote stands at next
	isCloser bool // that quote closes a string
}

// staysOpen decides whether the string at hand goes on at v[i:], after a mark, so that the mark is text of it: the next
// quote closes a string. Where it opens one, or there is none, the string lost its closing quote.
func (s *Scanner) staysOpen(v string, i int) tristate {
	base := s.base + s.from
	a := &s.ahead[s.quoteKind()]
	switch at := base + i; {
	case at < a.from || at > a.next:
		*a = aheadQuote{from: at, next: at}
	case a.known:
		return yesIf(a.isCloser)
	}
	for {
		at, size := s.quoteAhead(v, a.next-base)
		s.work += base + at - a.next + 1
		a.next = base + at
		if size == 0 {
			return unless(s.ended)
		}
		after := chars.SpaceEnd(v, at+size)
		if after == len(v) && !s.ended {
			return maybe
		}
		if size == 1 && isInWord(v, at) {
			a.next++
			continue
		}
		a.known, a.isCloser = true, after == len(v) || literal.FollowsValue(v[after])
		return yesIf(a.isCloser)
	}
}

// quoteKind is the index in Scanner.ahead of the kind of quotes around the string at hand.
func (s *Scanner) quoteKind() int {
	switch {
	case s.r.inDelimited:
		return 2
	case s.r.track.Quote == '\'':
		return 1
	}
	return 0
}

// quoteAhead returns the place and the length of the next quote or delimiter in v[i:] of the kind that closes the
// string at hand. Where there is none in the text at hand, the length is 0 and the place is where to go on.
func (s *Scanner) quoteAhead(v string, i int) (at, size int) {
	if s.r.inDelimited {
		n, size := literal.NextDelimiter(v[i:])
		if n < 0 {
			return max(i, len(v)-literal.LongestDelimiter), 0
		}
		return i + n, size
	}
	for {
		n := strings.IndexByte(v[i:], s.r.track.Quote)
		if n < 0 {
			return len(v), 0
		}
		i += n
		slashes := 0
		for i-slashes > 0 && v[i-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i, 1
		}
		i++
	}
}

// isInWord reports whether letters stand on both sides of the quote at v[i].
func isInWord(v string, i int) bool {
	return i > 0 && i+1 < len(v) && chars.IsLetter(v[i-1]) && chars.IsLetter(v[i+1])
}
