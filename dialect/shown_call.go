package dialect

import "github.com/callwright/callwright/dialect/internal/shown"

// isPresented reports whether the call of a form that begins at t[i:] is shown by the words before it, or continues
// with one that was. All formats ask it, in visible text and in reasoning. The body of a fence presents nothing.
func (s *Scanner) isPresented(i int, form shown.Form) bool {
	return s.level == 0 && (s.goesOnShowing(i) || shown.IsPresented(s.lead(i), form))
}

// maxLink bounds the text between two calls of which the second is shown like the first.
const maxLink = 64

// goesOnShowing reports whether the call that ended last was shown, and nothing but words that link the two stand
// before t[i].
func (s *Scanner) goesOnShowing(i int) bool {
	n := s.base + i - s.shownEnd
	if s.shownEnd == 0 || n < 0 || n > maxLink {
		return false
	}
	lead := s.lead(i)
	return shown.GoesOnShowing(lead[max(0, len(lead)-n):])
}

// isQuotedOpener decides whether a mark that opens calls stands at t[i:], behind a quotation mark, and is not all that
// is quoted: then the call that it opens is shown.
func (s *Scanner) isQuotedOpener(i int, x token) tristate {
	line := s.line(i)
	if x.close || x.role > Section || s.level > 0 || !shown.OpensQuotation(line) || shown.InCode(line) {
		return no
	}
	rest := s.t[i+x.n:]
	if rest == "" {
		return unless(s.ended)
	}
	return yesIf(!shown.EndsQuotation(rest[0]))
}

// sentenceRest is the text from which on a sentence may go on.
func (s *Scanner) sentenceRest(text string) shown.Rest {
	return shown.Rest{Text: text, Ended: s.ended, Declared: s.names.isPlain}
}
