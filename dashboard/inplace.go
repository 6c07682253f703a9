package dashboard

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright"
)

// A piece is a part of a text: as it is, or changed from Was to Now by a rule.
type piece struct {
	Text     string
	Changed  bool
	Was, Now string
	Rule     string
}

// leastMarked is how long a text must be to be looked for: a shorter one stands anywhere.
const leastMarked = 3

// maxMarked bounds the changes that are looked for in a text.
const maxMarked = 100

// shown returns a text as it is.
func shown(title, text string) shownText { return shownWith(title, text, nil) }

// shownWith returns a text in which each change is marked whose old text stands there once.
func shownWith(title, text string, notes []callwright.Note) shownText {
	cut := 0
	if len(text) > maxShown {
		end := maxShown
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text, cut = text[:end], len(text)-end
	}
	return shownText{Title: title, Pieces: marked(text, notes), Cut: cut}
}

// A mark is where a change stands.
type mark struct {
	at   int
	was  string
	note *callwright.Note
}

// marked cuts a text where it was changed.
func marked(text string, notes []callwright.Note) []piece {
	var marks []mark
	for i := range notes[:min(len(notes), maxMarked)] {
		n := &notes[i]
		if n.Risk == "" || n.Was == n.Now {
			continue // nothing was changed
		}
		if at, was := place(text, n.Was); at >= 0 {
			marks = append(marks, mark{at, was, n})
		}
	}
	slices.SortStableFunc(marks, func(a, b mark) int { return a.at - b.at })
	var out []piece
	end := 0
	for _, m := range marks {
		if m.at < end {
			continue // within what is marked already
		}
		if m.at > end {
			out = append(out, piece{Text: text[end:m.at]})
		}
		out = append(out, piece{Changed: true, Was: m.was, Now: m.note.Now, Rule: m.note.Rule})
		end = m.at + len(m.was)
	}
	if end < len(text) || len(out) == 0 {
		out = append(out, piece{Text: text[end:]})
	}
	return out
}

// escapes are what a JSON string writes in place of characters that models' answers often have.
var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`)

// place finds a text in another one, as it is or in a JSON string, where it stands there once; else it returns -1.
func place(text, was string) (int, string) {
	for _, was := range []string{was, escapes.Replace(was)} {
		if len(was) < leastMarked {
			continue
		}
		if at := strings.Index(text, was); at >= 0 && strings.LastIndex(text, was) == at {
			return at, was
		}
	}
	return -1, ""
}
