package opening

import (
	"slices"
	"strings"
	"sync"

	"github.com/callwright/callwright/dialect"
)

// A Split parts a text that begins in reasoning and is not searched for anything else. Its zero value is at the
// beginning.
type Split struct {
	Ended bool // the end of the reasoning came

	kept  string // what may be the beginning of the mark that ends it
	begun bool   // more than white space came behind the reasoning
}

// Feed reads the next piece of the text, and returns its reasoning and its other text. White space behind the reasoning
// is left out.
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

// Close ends the text and returns the rest of the reasoning.
func (s *Split) Close() (thought string) {
	thought, s.kept = s.kept, ""
	return thought
}

// ends are the marks that end reasoning.
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

// firstEnd is the place and the length of the first mark that ends reasoning. Without one the length is 0, and the
// place is where a mark may begin that is not whole yet.
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
