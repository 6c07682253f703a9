package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/markup"
)

// ending returns the value text of the current argument without a wrong closing tag at its end. The call becomes
// unreadable if the end is ambiguous: two such tags, a wrong tag before the correct closing marker, or the beginning
// of another argument.
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
	case r.closing != r.key: // the newline before the next marker does not belong to the value
		return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	return text
}

// holdsArgument reports whether a value contains an element that is named after another parameter of the tool.
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

// meansCloser reports whether a tag with the given name may be meant to close the current argument: it is named after
// an argument or the tool, is a marker of calls, or extends or shortens the name of the correct closing tag.
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

// shortestPart is the minimum length in bytes of a tag name that may extend or shorten the correct name.
const shortestPart = 3
