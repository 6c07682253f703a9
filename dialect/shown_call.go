package dialect

import "github.com/callwright/callwright/dialect/internal/shown"

// isPresented reports whether the call at t[i:] is an example: the words before it present it as one, or only linking
// words separate it from an example. form is the form of the call. In the contents of a code block it is false.
func (s *Scanner) isPresented(i int, form shown.Form) bool {
	return s.level == 0 && (s.goesOnShowing(i) || shown.IsPresented(s.lead(i), form))
}

// maxLink is the maximum length in bytes of the text between two calls of which both are examples.
const maxLink = 64

// goesOnShowing reports whether the previous call was an example and only linking words are between it and t[i].
func (s *Scanner) goesOnShowing(i int) bool {
	n := s.base + i - s.shownEnd
	if s.shownEnd == 0 || n < 0 || n > maxLink {
		return false
	}
	lead := s.lead(i)
	return shown.GoesOnShowing(lead[max(0, len(lead)-n):])
}

// isQuotedOpener reports whether the marker x at t[i:] follows a quotation mark and begins a longer quotation. The
// call is then an example.
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

// sentenceRest returns text, with which a sentence may continue, for package shown.
func (s *Scanner) sentenceRest(text string) shown.Rest {
	return shown.Rest{Text: text, Ended: s.ended, Declared: s.names.isPlain}
}
