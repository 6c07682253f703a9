package dialect

import "strings"

// shown decides whether the mark at t[i:] is quoted, or shown in a sentence; then its closing mark is text, too.
func (s *Scanner) shown(i int, x token) tristate {
	line := s.line(i)
	switch {
	case s.isShown(i):
		return s.quotes(i, x, line)
	case x.role > Section || x.close || !mentions(line):
		return no
	}
	s.openers++
	return yes
}

// quotes counts the openers that are quoted and whose closers are text too. A mark that is all that stands between two
// quotation marks is closed by the second one.
func (s *Scanner) quotes(i int, x token, line string) tristate {
	end := i + x.n
	switch {
	case x.role > Section || inCode(line):
	case x.close:
		s.openers = max(0, s.openers-1)
	case end == len(s.t) && !s.ended:
		return maybe
	case end < len(s.t) && !endsQuotation(s.t[end]):
		s.openers++
	}
	return yes
}

// endsQuotation reports whether c is, or begins, a mark that closes a quotation.
func endsQuotation(c byte) bool { return c == '"' || c == '\'' || c >= 0x80 }

// enumerated reports whether the mark at t[i:] goes on with a list of marks: between it and the mark that was mentioned
// last stand a comma, a word, or the beginning of the next item.
func (s *Scanner) enumerated(i int) bool {
	n := s.base + i - s.told
	if s.told == 0 || n <= 0 || n > maxWord {
		return false
	}
	lead := s.lead(i)
	between := lead[max(0, len(lead)-n):]
	if item, ok := strings.CutPrefix(between, "\n"); ok {
		return isItem(item)
	}
	word := strings.Trim(between, ",/ ")
	if len(word) == len(between) || word != "" && !strings.HasSuffix(between, " ") {
		return false
	}
	for k := 0; k < len(word); k++ {
		if !isLower(word[k]) && word[k] < 0x80 {
			return false
		}
	}
	return between[0] == ',' || between[0] == '/' || word != ""
}

// mentioned decides whether a special token, or a closing mark, is a word of a sentence: it stands between other words, or
// it is all that a list item says.
func (s *Scanner) mentioned(i int, x token) tristate {
	if s.nested || x.prefixed || x.named || !x.special && !x.close || x.role == Cite || x.role == Result || x.role == Think {
		return no
	}
	end := i + x.n
	if x.special && s.enumerated(i) {
		return yes
	}
	if isItem(s.line(i)) && x.special {
		if end == len(s.t) {
			return unless(s.ended)
		}
		return yesIf(s.t[end] == '\n')
	}
	if s.apart(i) && (x.role == Noise || x.role == Channel || x.close || !s.atLineStart(i)) {
		return no
	}
	return s.proseAt(end, !s.apart(i))
}

// maxWord bounds the word that is looked at behind a mark.
const maxWord = 24

// proseAt reports whether a sentence goes on at t[i:]: with a word that is no tool's name or, where marks are allowed, with a
// punctuation mark.
func (s *Scanner) proseAt(i int, marks bool) tristate {
	t := s.t
	if i == len(t) {
		return unless(s.ended)
	}
	switch t[i] {
	case ',', ';', ':', ')', '.', '!', '?':
		if !marks {
			return no
		}
		if i+1 == len(t) {
			return atEnd(s.ended)
		}
		return yesIf(isSpace(t[i+1]) || t[i] == ',' && t[i+1] == '<')
	case ' ':
	default:
		return no
	}
	end := i + 1
	for end < len(t) && end-i <= maxWord && (isLower(t[end]) || isUpper(t[end]) || t[end] >= 0x80 || t[end] == '_') {
		end++
	}
	if end+1 >= len(t) && !s.ended {
		return maybe
	}
	word := t[i+1 : end]
	if marks && strings.HasPrefix(t[i:], " / ") {
		return yes
	}
	_, declared := s.names.plain(word)
	if word == "" || declared || end+1 >= len(t) {
		return yesIf(marks && word != "" && !declared)
	}
	switch t[end] {
	case ' ':
		return yesIf(isLower(t[end+1]) || isUpper(t[end+1]) || marks && (t[end+1] >= 0x80 || t[end+1] == '<' && !isChannel(word)))
	case ',', '.':
		return yesIf(marks && isSpace(t[end+1]))
	}
	return yesIf(marks && t[end] == '\n')
}

// closesCall decides whether the closing mark of a call stands at t[i:], behind other closing marks.
func (s *Scanner) closesCall(i int) tristate {
	for limit := i + maxBlank; i < limit; {
		i = spaceEnd(s.t, i)
		if i == len(s.t) {
			return unless(s.ended)
		}
		if s.t[i] != '<' {
			return no
		}
		x, v := s.lex(s.t, i, s.ended)
		if v != yes || !x.close {
			return yesMaybe(v == maybe)
		}
		if x.role <= Section {
			return yes
		}
		i += x.n
	}
	return no
}
