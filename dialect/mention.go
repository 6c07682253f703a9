package dialect

// mentioned decides whether a special token, or a closing mark, is a word of a sentence: it stands between other words, or
// it is all that a list item says.
func (s *Scanner) mentioned(i int, x lexeme) verdict {
	if s.nested || x.prefixed || x.named || !x.special && !x.close || x.role == Cite || x.role == Result || x.role == Think {
		return no
	}
	end := i + x.n
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

// proseAt tells whether a sentence goes on at t[i:]: with a word that is no tool's name or, where marks are allowed, with a
// punctuation mark.
func (s *Scanner) proseAt(i int, marks bool) verdict {
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
		return yesIf(isSpace(t[i+1]))
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
	_, declared := s.names.plain(word)
	if word == "" || declared || end+1 >= len(t) {
		return yesIf(marks && word != "" && !declared)
	}
	switch t[end] {
	case ' ':
		return yesIf(isLower(t[end+1]) || isUpper(t[end+1]) || marks && t[end+1] >= 0x80)
	case ',', '.':
		return yesIf(marks && isSpace(t[end+1]))
	}
	return yesIf(marks && t[end] == '\n')
}
