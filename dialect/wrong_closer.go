package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/markup"
)

// ending returns the value of the argument at hand, up to its end, without a wrong closing tag. Where the right closing
// mark is missing and a wrong tag stands at the end, the value ends before that tag. The call is unreadable where the
// end is ambiguous: with a second such tag, a tag in place of the mark before the mark itself, or the beginning of
// another argument.
func (s *Scanner) ending(text string) string {
	r := &s.r
	closed := r.i > r.body+len(text)
	if closed && (r.json || !strings.HasSuffix(strings.TrimSpace(text), ">") && !strings.Contains(text, "<"+r.closing) || markup.IsOwn(text)) {
		return text
	}
	e := markup.EndingOf(text, r.closing)
	switch meant := e.Tag && s.meansCloser(e.Name); {
	case closed:
		r.unreadable = r.unreadable || e.Tag && meant && e.Closes || r.closing != r.key && e.Opens
	case e.Torn, e.Opens, e.Tag && !meant, s.holdsArgument(text):
		r.unreadable = true
	case e.Tag:
		r.passed = append(r.passed, Note{Rule: "mark.closer", Offset: s.base + s.from + r.body + e.At, Was: strings.TrimSpace(text[e.At:])})
		return text[:e.At]
	case r.closing != r.key: // the line end before the next mark is none of a value's
		return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	return text
}

// holdsArgument reports whether a value holds an element that is named after another argument of the tool.
func (s *Scanner) holdsArgument(text string) bool {
	t := s.tools.resolveTool(s.r.name)
	if t == nil || strings.IndexByte(text, '<') < 0 {
		return false
	}
	for i := range t.Params {
		if strings.Contains(text, "<"+t.Params[i].Name+">") {
			return true
		}
	}
	return false
}

// meansCloser reports whether a tag of this name can be meant to close the argument at hand: it is named after the
// argument, another one, or the tool, is a mark of calls, or has a part of such a mark's name.
func (s *Scanner) meansCloser(name string) bool {
	r := &s.r
	t := s.tools.resolveTool(r.name)
	if name == "" || name == r.key || name == r.name || r.keys[name] || t.declares(name) || t != nil && name == t.Name {
		return true
	}
	folded := strings.ToLower(name)
	if mark, ok := s.marks.tags[folded]; ok && mark.role <= Key {
		return true
	}
	return len(folded) >= shortestPart && (strings.HasPrefix(r.closing, folded) || strings.HasPrefix(folded, r.closing))
}

// shortestPart is the length from which a part of a mark's name stands for it.
const shortestPart = 3
