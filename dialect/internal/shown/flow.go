package shown

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/harmony"
	"github.com/callwright/callwright/dialect/internal/tristate"
)

// A Rest is the text after a marker or call that may be part of a sentence.
type Rest struct {
	Text     string
	Ended    bool                   // no more text follows
	Declared func(word string) bool // reports whether a word is a tool name
}

// maxWord is the maximum length in bytes of the word after a marker that is examined.
const maxWord = 24

// GoesOn reports whether a sentence continues after a marker: with a word that is not a tool name or, if marks is set,
// with punctuation.
func (r Rest) GoesOn(marks bool) tristate.State {
	switch t := r.Text; {
	case t == "":
		return tristate.Unless(r.Ended)
	case t[0] == ' ':
		return r.goesOnWithWord(marks)
	case !marks || strings.IndexByte(",;:).!?", t[0]) < 0:
		return tristate.No
	case len(t) == 1:
		return tristate.AtEnd(r.Ended)
	default:
		return tristate.YesIf(chars.IsSpace(t[1]) || t[0] == ',' && t[1] == '<')
	}
}

// goesOnWithWord implements GoesOn for a text that begins with a space.
func (r Rest) goesOnWithWord(marks bool) tristate.State {
	t, end := r.Text, 1
	for end < len(t) && end <= maxWord && chars.IsWordByte(t[end]) {
		end++
	}
	if end+1 >= len(t) && !r.Ended {
		return tristate.Maybe
	}
	word := t[1:end]
	if marks && strings.HasPrefix(t, " / ") {
		return tristate.Yes
	}
	declared := r.Declared(word)
	if word == "" || declared || end+1 >= len(t) {
		return tristate.YesIf(marks && word != "" && !declared)
	}
	switch next := t[end+1]; t[end] {
	case ' ':
		return tristate.YesIf(chars.IsLetter(next) || marks && (next >= 0x80 || next == '[' || next == '<' && !harmony.IsChannel(word)))
	case ',', '.':
		return tristate.YesIf(marks && chars.IsSpace(next))
	}
	return tristate.YesIf(marks && t[end] == '\n')
}

// predicates are words with which a sentence continues after a call that is its subject or object.
var predicates = []string{
	"is", "are", "was", "were", "in", "which", "that", "would", "will", "has", "had", "can", "could", "should", "may", "might",
	"must", "does", "did", "means", "works", "makes",
	"opens", "closes", "calls", "returns", "shows", "gives", "as", "instead", "if", "when", "because", "so", "or",
}

// HoldsMark reports whether the sentence around a call with markers continues after it, so that the call is part of
// the sentence: with punctuation and more words, or with a predicate.
func (r Rest) HoldsMark() tristate.State {
	switch t := r.Text; {
	case t == "":
		return tristate.Unless(r.Ended)
	case strings.IndexByte(".,;)!?", t[0]) >= 0:
		if len(t) < 3 {
			return tristate.Unless(r.Ended)
		}
		return tristate.YesIf(t[1] == ' ' && chars.IsLetter(t[2]))
	case t[0] != ' ':
		return tristate.No
	}
	end := 1
	for end < len(r.Text) && end <= maxWord && chars.IsLower(r.Text[end]) {
		end++
	}
	if end == len(r.Text) && !r.Ended {
		return tristate.Maybe
	}
	return tristate.YesIf(slices.Contains(predicates, r.Text[1:end]))
}

// HoldsCall reports whether a call without markers is part of a sentence: a word that is not a tool name, or an arrow,
// follows.
func (r Rest) HoldsCall() tristate.State {
	t := r.Text
	if t[0] == '-' {
		if len(t) == 1 {
			return tristate.Unless(r.Ended)
		}
		return tristate.YesIf(t[1] == '>' || t[1] == '-')
	}
	i, end := 0, chars.WordEnd(t, 0)
	if end == len(t) && !r.Ended {
		return tristate.Maybe
	}
	if word := t[:end]; word == "or" || word == "and" {
		next := chars.SpaceEnd(t, end)
		after := chars.WordEnd(t, next)
		if after == len(t) && !r.Ended {
			return tristate.Maybe
		}
		if next == len(t) || t[next] == '[' {
			return tristate.No
		}
		i, end = next, after
	}
	return tristate.YesIf(end > i && !r.Declared(t[i:end]))
}

// maxFlow is the maximum length in bytes of the rest of a line that is searched for another list of calls.
const maxFlow = 256

// HoldsList reports whether words and another list of Python calls follow on the line, so that both lists are part of
// a sentence.
func (r Rest) HoldsList() tristate.State {
	near, _, whole := strings.Cut(r.Text[:min(len(r.Text), maxFlow)], "\n")
	for k := 0; ; {
		n := strings.IndexByte(near[k:], '[')
		if n < 0 {
			return tristate.Unless(whole || r.Ended || len(r.Text) >= maxFlow)
		}
		k += n + 1
		if end := chars.WordEnd(near, k); end < len(near) && near[end] == '(' && r.Declared(near[k:end]) {
			return tristate.Yes
		}
	}
}

// IsQuoted reports whether a marker after line is quoted: a quotation that is open there ends after the marker on the
// same line.
func (r Rest) IsQuoted(line string) tristate.State {
	if !OpensQuotation(line) && !InCode(line) {
		return tristate.No
	}
	near, _, whole := strings.Cut(r.Text[:min(len(r.Text), maxFlow)], "\n")
	if ClosesQuotation(line, near) {
		return tristate.Yes
	}
	return tristate.MaybeIf(!whole && !r.Ended && len(r.Text) < maxFlow)
}
