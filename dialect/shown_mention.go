package dialect

import "github.com/callwright/callwright/dialect/internal/shown"

// isMarkQuoted reports whether a marker after a quotation mark is text. line and rest are the text before and after
// the marker. openers is the change of Scanner.openers, the number of opening markers whose closing markers are text.
func isMarkQuoted(x token, line, rest string, ended bool) (found tristate, openers int) {
	switch {
	case x.role > Section || shown.InCode(line):
		return yes, 0
	case x.close:
		return yes, -1
	case rest == "":
		return atEnd(ended), 0
	case !shown.EndsQuotation(rest[0]):
		return yes, 1
	}
	return yes, 0
}

// isMention reports whether a special token or closing marker is a word of a sentence: it is between words, or it is
// all of a list item.
func (s *Scanner) isMention(i int, x token) tristate {
	if x.prefixed || x.named || !x.special && !x.close || x.role == Cite || x.role == Result || x.role == Think {
		return no
	}
	rest := s.t[i+x.n:]
	if x.special && shown.IsListed(s.sinceMention(i)) {
		return yes
	}
	if x.special && shown.IsItem(s.line(i)) {
		if rest == "" {
			return unless(s.ended)
		}
		return yesIf(rest[0] == '\n')
	}
	apart := s.standsApart(i)
	if apart && (x.role == Noise || x.role == Channel || x.close || !s.atLineStart(i)) {
		return no
	}
	return s.sentenceRest(rest).GoesOn(!apart)
}

// maxBetween is the maximum length in bytes of the text between two mentioned markers.
const maxBetween = 24

// sinceMention returns the text between the last mentioned marker and t[i], "" if none is near.
func (b *buffer) sinceMention(i int) string {
	n := b.base + i - b.mentioned
	if b.mentioned == 0 || n <= 0 || n > maxBetween {
		return ""
	}
	lead := b.lead(i)
	return lead[max(0, len(lead)-n):]
}
