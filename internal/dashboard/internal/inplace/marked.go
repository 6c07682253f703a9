package inplace

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright"
)

// Most is the maximum number of displayed bytes of a text.
const Most = 64 << 10

// A Text is a text split into changed and unchanged pieces.
type Text struct {
	Title  string
	Pieces []Piece
	Cut    int // number of bytes that are not displayed
}

// A Piece is a part of a text. If Changed, the rule Rule replaced Was by Now; otherwise Text is the unchanged text.
type Piece struct {
	Text     string
	Changed  bool
	Was, Now string
	Rule     string
}

// leastMarked is the minimum length in bytes of a changed text to mark. A shorter one would match by accident.
const leastMarked = 3

// maxMarked is the maximum number of notes to mark in a text.
const maxMarked = 100

// Plain returns a text without changes.
func Plain(title, text string) Text { return MarkChanges(title, text, nil) }

// MarkChanges returns a text in which the changes of notes are marked. It marks a change only if its old value occurs
// exactly once.
func MarkChanges(title, text string, notes []callwright.Note) Text {
	text, cut := clip(text)
	return Text{Title: title, Pieces: splitAtChanges(text, notes), Cut: cut}
}

// clip truncates a text to Most bytes and returns the number of removed bytes.
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

// Pretty returns indented JSON. It returns other texts and very long JSON unchanged.
func Pretty(b []byte) string {
	var out bytes.Buffer
	if len(b) <= 4*Most && json.Indent(&out, b, "", "  ") == nil {
		return out.String()
	}
	return string(b)
}

// A mark is the position of a change.
type mark struct {
	at   int
	was  string
	note *callwright.Note
}

// splitAtChanges splits a text at its changes.
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
			continue // overlaps an earlier change
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

// escapes escapes characters that are frequent in model output, as in JSON strings.
var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`)

// place searches text for the old value was, then for was escaped as in a JSON string. It returns the offset and the
// form that occurs exactly once, or -1 and "" if neither does.
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
