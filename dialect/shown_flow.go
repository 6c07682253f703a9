package dialect

import "strings"

// maxWord bounds the word that is looked at behind a mark.
const maxWord = 24

// goesOn decides whether a sentence goes on in rest: with a word that is no tool's name or, where marks are allowed, with
// a punctuation mark.
func goesOn(rest string, marks, ended bool, names *Names) tristate {
	if rest == "" {
		return unless(ended)
	}
	switch rest[0] {
	case ',', ';', ':', ')', '.', '!', '?':
		if !marks {
			return no
		}
		if len(rest) == 1 {
			return atEnd(ended)
		}
		return yesIf(isSpace(rest[1]) || rest[0] == ',' && rest[1] == '<')
	case ' ':
	default:
		return no
	}
	end := 1
	for end < len(rest) && end <= maxWord && (isLower(rest[end]) || isUpper(rest[end]) || rest[end] >= 0x80 || rest[end] == '_') {
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
	next := rest[end+1]
	switch rest[end] {
	case ' ':
		return yesIf(isLower(next) || isUpper(next) || marks && (next >= 0x80 || next == '<' && !isChannel(word)))
	case ',', '.':
		return yesIf(marks && isSpace(next))
	}
	return yesIf(marks && rest[end] == '\n')
}

// goesOnBehindMark decides whether the sentence around a marked call goes on in rest: with a punctuation mark and more
// words, or with a word in lower case.
func goesOnBehindMark(rest string, ended bool, names *Names) tristate {
	switch {
	case rest == "":
		return unless(ended)
	case strings.IndexByte(".,;)!?", rest[0]) >= 0:
		if len(rest) < 3 {
			return unless(ended)
		}
		return yesIf(rest[1] == ' ' && (isLower(rest[2]) || isUpper(rest[2])))
	case rest[0] != ' ' || len(rest) > 1 && !isLower(rest[1]):
		return no
	}
	return goesOn(rest, false, ended, names)
}

// goesOnBehindCall decides whether a sentence goes on in rest, behind a bare call: with a word that is no tool's name, or
// with an arrow to what comes of it.
func goesOnBehindCall(rest string, ended bool, names *Names) tristate {
	if rest[0] == '-' {
		if len(rest) == 1 {
			return unless(ended)
		}
		return yesIf(rest[1] == '>' || rest[1] == '-')
	}
	i, end := 0, wordEnd(rest, 0)
	if end == len(rest) && !ended {
		return maybe
	}
	if word := rest[:end]; word == "or" || word == "and" {
		next := spaceEnd(rest, end)
		after := wordEnd(rest, next)
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

// isMidSentence reports whether line, which a mark follows, is the beginning of a sentence that does not say what the
// model is about to do.
func isMidSentence(line string) bool {
	return strings.TrimSpace(line) != "" && !isItem(line) && !acts(strings.ToLower(lastSentence(line)))
}

// isBelowQuotation reports whether the last line of lead is quoted.
func isBelowQuotation(lead string) bool {
	_, line := lastLine(lead)
	return strings.HasPrefix(strings.TrimLeft(line, " "), ">")
}
