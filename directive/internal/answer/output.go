package answer

import "strings"

// mostRivals bounds the earlier passages that a passage is compared with.
const mostRivals = 4

// A speech is the text of a turn while it comes. It consists of passages: the text of a document, and what stands outside of documents.
type speech struct {
	out     func(text string)
	all     strings.Builder
	earlier []string // the latest passages

	loose  bool            // white space at the ends of the passage is left out
	begun  bool            // the passage has said something
	space  strings.Builder // white space that counts only when more follows
	rivals []string        // earlier passages that this one may be repeating
	held   strings.Builder // what it has in common with them, not said yet
	said   strings.Builder // the passage so far, but for held
}

// begin begins a passage, after the one before was ended.
func (s *speech) begin(loose bool) {
	s.loose, s.begun = loose, false
	s.rivals = s.earlier
	s.space.Reset()
	s.held.Reset()
	s.said.Reset()
}

// say adds a piece to the passage.
func (s *speech) say(text string) {
	if s.loose {
		if s.said.Len()+s.held.Len() == 0 {
			text = strings.TrimLeft(text, white)
		}
		body := strings.TrimRight(text, white)
		rest := text[len(body):]
		if body != "" && s.space.Len() > 0 {
			body = s.space.String() + body
			s.space.Reset()
		}
		s.space.WriteString(rest)
		text = body
	}
	if text == "" {
		return
	}
	if len(s.rivals) > 0 {
		text = s.compare(text)
	}
	s.speak(text)
}

// white is white space.
const white = " \t\r\n"

// compare holds a piece back as long as the passage may be repeating an earlier one, and returns what is certain now.
func (s *speech) compare(text string) string {
	from := s.held.Len()
	var left []string
	for _, r := range s.rivals {
		if len(r) >= from && strings.HasPrefix(r[from:], text) {
			left = append(left, r)
		}
	}
	s.rivals = left
	s.held.WriteString(text)
	if len(left) > 0 {
		return ""
	}
	text = s.held.String()
	s.held.Reset()
	return text
}

// speak says a piece of the passage, on a line of its own where it is the first.
func (s *speech) speak(text string) {
	if text == "" {
		return
	}
	s.said.WriteString(text)
	if !s.begun {
		s.begun = true
		if so := s.all.String(); so != "" && so[len(so)-1] != '\n' {
			text = "\n" + text
		}
	}
	s.all.WriteString(text)
	s.out(text)
}

// end ends the passage and returns its text. repeated says that an earlier one has the same, and that it was not said again.
func (s *speech) end() (text string, repeated bool) {
	if s.held.Len() > 0 {
		text = s.held.String()
		for _, r := range s.rivals {
			repeated = repeated || r == text
		}
		if repeated {
			return text, true
		}
		s.speak(text)
	}
	if text = s.said.String(); text != "" {
		if len(s.earlier) == mostRivals {
			s.earlier = s.earlier[1:]
		}
		s.earlier = append(s.earlier[:len(s.earlier):len(s.earlier)], text)
	}
	return text, false
}
