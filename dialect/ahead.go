package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/literal"
)

// An aheadQuote caches the search for the next quote of one type after a marker in a string. All markers between from
// and next share the result, including those of later calls.
type aheadQuote struct {
	from     int  // offset at which the search began
	next     int  // offset of the quote, or of the next byte to search
	known    bool // the quote was found at next
	isCloser bool // the quote closes a string
}

// staysOpen reports whether the current string continues at v[i:] after a marker, so that the marker is text of the
// string. It does if the next quote closes a string. Otherwise the string lost its closing quote.
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

// quoteKind returns the index into Scanner.ahead for the quotes of the current string.
func (s *Scanner) quoteKind() int {
	switch {
	case s.r.inDelimited:
		return 2
	case s.r.track.Quote == '\'':
		return 1
	}
	return 0
}

// quoteAhead returns the offset and size of the next quote or delimiter in v[i:] that can close the current string. If
// there is none in the buffer, size is 0 and at is the offset at which to continue the search.
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

// isInWord reports whether the quote at v[i] is between letters, as an apostrophe.
func isInWord(v string, i int) bool {
	return i > 0 && i+1 < len(v) && chars.IsLetter(v[i-1]) && chars.IsLetter(v[i+1])
}
