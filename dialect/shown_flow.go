package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/harmony"
)

// maxWord bounds the word that is looked at after a mark.
const maxWord = 24

// goesOn decides whether a sentence goes on in rest: with a word that is no tool's name or, where marks are allowed, with
// a punctuation mark.
func goesOn(rest string, marks, ended bool, names *Names) tristate {
	switch {
	case rest == "":
		return unless(ended)
	case rest[0] == ' ':
		return goesOnWithWord(rest, marks, ended, names)
	case !marks || strings.IndexByte(",;:).!?", rest[0]) < 0:
		return no
	case len(rest) == 1:
		return atEnd(ended)
	}
	return yesIf(chars.IsSpace(rest[1]) || rest[0] == ',' && rest[1] == '<')
}

// goesOnWithWord is goesOn for a rest that begins with a space.
func goesOnWithWord(rest string, marks, ended bool, names *Names) tristate {
	end := 1
	for end < len(rest) && end <= maxWord && chars.IsWordByte(rest[end]) {
		end++
	}
	if end+1 >= len(rest) && !ended {
		return maybe
	}
	word := rest[1:end]
	if marks && strings.HasPrefix(rest, " / ") {
		return yes
	}
	_, declared := names.plain(word)
	if word == "" || declared || end+1 >= len(rest) {
		return yesIf(marks && word != "" && !declared)
	}
	switch next := rest[end+1]; rest[end] {
	case ' ':
		return yesIf(chars.IsLetter(next) || marks && (next >= 0x80 || next == '<' && !harmony.IsChannel(word)))
	case ',', '.':
		return yesIf(marks && chars.IsSpace(next))
	}
	return yesIf(marks && rest[end] == '\n')
}

// goesOnAfterMark decides whether the sentence around a marked call goes on in rest: with a punctuation mark and more
// words, or with a word in lower case.
func goesOnAfterMark(rest string, ended bool, names *Names) tristate {
	switch {
	case rest == "":
		return unless(ended)
	case strings.IndexByte(".,;)!?", rest[0]) >= 0:
		if len(rest) < 3 {
			return unless(ended)
		}
		return yesIf(rest[1] == ' ' && chars.IsLetter(rest[2]))
	case rest[0] != ' ' || len(rest) > 1 && !chars.IsLower(rest[1]):
		return no
	}
	return goesOn(rest, false, ended, names)
}

// goesOnAfterCall decides whether a sentence goes on in rest, after a bare call: with a word that is no tool's name, or
// with an arrow to what comes of it.
func goesOnAfterCall(rest string, ended bool, names *Names) tristate {
	if rest[0] == '-' {
		if len(rest) == 1 {
			return unless(ended)
		}
		return yesIf(rest[1] == '>' || rest[1] == '-')
	}
	i, end := 0, chars.WordEnd(rest, 0)
	if end == len(rest) && !ended {
		return maybe
	}
	if word := rest[:end]; word == "or" || word == "and" {
		next := chars.SpaceEnd(rest, end)
		after := chars.WordEnd(rest, next)
		if after == len(rest) && !ended {
			return maybe
		}
		if next == len(rest) || rest[next] == '[' {
			return no
		}
		i, end = next, after
	}
	_, declared := names.plain(rest[i:end])
	return yesIf(end > i && !declared)
}
