package inplace

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright"
)

// Most is how many bytes of a text are shown.
const Most = 64 << 10

// A Text is a text with its changes.
type Text struct {
	Title  string
	Pieces []Piece
	Cut    int // bytes that are not shown
}

// A Piece is a part of a text: as it is, or changed from Was to Now by a rule.
type Piece struct {
	Text     string
	Changed  bool
	Was, Now string
	Rule     string
}

// leastMarked is how long a text must be to be looked for: a shorter one stands anywhere.
const leastMarked = 3

// maxMarked bounds the changes that are looked for in a text.
const maxMarked = 100

// Plain is a text as it is.
func Plain(title, text string) Text { return MarkChanges(title, text, nil) }

// MarkChanges is a text in which each change is marked whose old text stands there once.
func MarkChanges(title, text string, notes []callwright.Note) Text {
	text, cut := clip(text)
	return Text{Title: title, Pieces: splitAtChanges(text, notes), Cut: cut}
}

// clip cuts a text to the shown length, and returns how much was cut.
func clip(text string) (string, int) {
	if len(text) <= Most {
		return text, 0
	}
	end := Most
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end], len(text) - end
}

// Pretty writes JSON as people read it, and other texts as they are.
func Pretty(b []byte) string {
	var out bytes.Buffer
	if len(b) <= 4*Most && json.Indent(&out, b, "", "  ") == nil {
		return out.String()
	}
	return string(b)
}

// A mark is where a change stands.
type mark struct {
	at   int
	was  string
	note *callwright.Note
}

// splitAtChanges cuts a text where it was changed.
func splitAtChanges(text string, notes []callwright.Note) []Piece {
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
	var out []Piece
	end := 0
	for _, m := range marks {
		if m.at < end {
			continue // within what is marked already
		}
		if m.at > end {
			out = append(out, Piece{Text: text[end:m.at]})
		}
		out = append(out, Piece{Changed: true, Was: m.was, Now: m.note.Now, Rule: m.note.Rule})
		end = m.at + len(m.was)
	}
	if end < len(text) || len(out) == 0 {
		out = append(out, Piece{Text: text[end:]})
	}
	return out
}

// escapes are the JSON escapes of characters that models' answers often have.
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
