package opening

import (
	"slices"
	"strings"
	"sync"

	"github.com/callwright/callwright/dialect"
)

// A Split separates the reasoning from the answer in a text that begins inside reasoning, because the chat template
// has already written the opening marker. It does not search the text for calls. The zero Split is at the beginning of
// the text.
type Split struct {
	Ended bool // the closing marker was found

	kept  string // text that may be the beginning of the closing marker
	begun bool   // text other than white space followed the reasoning
}

// Feed processes the next chunk and returns its reasoning and its other text, without white space directly after the
// reasoning.
func (s *Split) Feed(text string) (thought, rest string) {
	if !s.Ended {
		text = s.kept + text
		at, n := firstEnd(text)
		if n == 0 {
			s.kept = text[at:]
			return text[:at], ""
		}
		thought, text = strings.TrimRight(text[:at], " \t\r\n"), text[at+n:]
		s.kept, s.Ended = "", true
	}
	if !s.begun {
		text = strings.TrimLeft(text, " \t\r\n")
		s.begun = text != ""
	}
	return thought, text
}

// Close returns the rest of the reasoning at the end of the text.
func (s *Split) Close() (thought string) {
	thought, s.kept = s.kept, ""
	return thought
}

// ends returns the closing markers of reasoning of all formats.
var ends = sync.OnceValue(func() (list []string) {
	for _, f := range dialect.Formats() {
		for _, m := range f.Marks {
			if m.Role == dialect.Think && !slices.Contains(list, m.Close) {
				list = append(list, m.Close)
			}
		}
	}
	return list
})

// firstEnd returns the offset and size of the first closing marker of reasoning. Without one, n is 0 and at is the
// offset of an incomplete marker or the length of text.
func firstEnd(text string) (at, n int) {
	for from := 0; ; from++ {
		i := strings.IndexAny(text[from:], "<[")
		if i < 0 {
			return len(text), 0
		}
		from += i
		for _, mark := range ends() {
			switch rest := text[from:]; {
			case strings.HasPrefix(rest, mark):
				return from, len(mark)
			case strings.HasPrefix(mark, rest):
				return from, 0
			}
		}
	}
}
