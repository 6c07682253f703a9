package dialect

import "github.com/callwright/callwright/dialect/internal/shown"

// isMarkShown decides whether a mark after line, with rest after it, is quoted or shown in a sentence. Its closing mark is
// text too: openers is by how much the number of openers changes whose closers are text. A mark that is all that stands
// between two quotation marks is closed by the second one.
func isMarkShown(x token, quoted bool, line, rest string, ended bool) (found tristate, openers int) {
	switch {
	case !quoted && (x.role > Section || x.close || !shown.Mentions(line)):
		return no, 0
	case !quoted:
		return yes, 1
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

// isMention decides whether a special token, or a closing mark, is a word of a sentence: it stands between other words, or
// it is all that a list item says.
func (b *buffer) isMention(i int, x token, names *Names) tristate {
	if x.prefixed || x.named || !x.special && !x.close || x.role == Cite || x.role == Result || x.role == Think {
		return no
	}
	rest := b.t[i+x.n:]
	if x.special && shown.IsListed(b.sinceMention(i)) {
		return yes
	}
	if x.special && shown.IsItem(b.line(i)) {
		if rest == "" {
			return unless(b.ended)
		}
		return yesIf(rest[0] == '\n')
	}
	apart := b.standsApart(i)
	if apart && (x.role == Noise || x.role == Channel || x.close || !b.atLineStart(i)) {
		return no
	}
	return goesOn(rest, !apart, b.ended, names)
}

// sinceMention is the text between the last mark that was mentioned and t[i]; empty when there is none close by.
func (b *buffer) sinceMention(i int) string {
	n := b.base + i - b.mentioned
	if b.mentioned == 0 || n <= 0 || n > maxWord {
		return ""
	}
	lead := b.lead(i)
	return lead[max(0, len(lead)-n):]
}

// isShownBelow reports whether a mark that begins the line at t[i:] is shown by the sentence above it, which ends in a colon.
func (b *buffer) isShownBelow(i int) bool { return b.atLineStart(i) && shown.ShowsBelow(b.lead(i)) }
