package dialect

import "github.com/callwright/callwright/dialect/internal/shown"

// isMarkQuoted decides whether a quoted mark after line, with rest after it, is text. Its closing mark is text too:
// openers is by how much the number of openers changes whose closers are text. A mark that is all that stands between
// two quotation marks is closed by the second one.
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

// isMention decides whether a special token, or a closing mark, is a word of a sentence: it stands between other words,
// or it is all that a list item says.
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

// maxBetween bounds the text between two marks that are mentioned.
const maxBetween = 24

// sinceMention is the text between the last mark that was mentioned and t[i]; empty when there is none close by.
func (b *buffer) sinceMention(i int) string {
	n := b.base + i - b.mentioned
	if b.mentioned == 0 || n <= 0 || n > maxBetween {
		return ""
	}
	lead := b.lead(i)
	return lead[max(0, len(lead)-n):]
}
