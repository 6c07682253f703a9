package dialect

import "strings"

// readAll parses a text that consists only of calls, such as the contents of a code block. extra has the other members
// of a response envelope. ok is false if the text has anything else.
func (s *Scanner) readAll(text string) (calls []*Call, extra reading, ok bool) {
	t := strings.TrimSpace(text)
	switch {
	case t == "":
		return nil, extra, false
	case t[0] == '<' || t[0] == '&':
		return s.readMarked(t)
	}
	r := reader{tools: &s.tools}
	for t != "" {
		n := r.next(t)
		if n <= 0 {
			return nil, extra, false
		}
		t = strings.TrimLeft(t[n:], " \t\r\n,;+)]}")
	}
	if r.mayLack() {
		refuseLost(&s.tools, text, r.calls)
	}
	return r.calls, r.reading, len(r.calls) > 0 || r.envelope
}

// maxLevels is the maximum nesting of a call in escaped or other spellings. Each level is scanned separately.
const maxLevels = 3

// readMarked parses a text that consists only of calls with markers. ok is false for other text. extra is always empty.
func (s *Scanner) readMarked(t string) (calls []*Call, extra reading, ok bool) {
	if s.level == maxLevels {
		return nil, extra, false
	}
	o := s.o
	o.Names, o.ReasoningPrimed, o.Watch = s.names, false, nil
	in := NewScanner(o)
	in.level = s.level + 1
	for _, it := range in.Close(in.Feed(t, nil)) {
		switch it.Kind {
		case CallFound:
			calls = append(calls, it.Call)
		case Text:
			if strings.TrimSpace(it.Text) != "" {
				return nil, extra, false
			}
		}
	}
	return calls, extra, len(calls) > 0
}
