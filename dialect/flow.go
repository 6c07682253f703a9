package dialect

import "strings"

// flows reports whether a sentence goes on at v[i:], behind a bare call: with a word that is no tool's name, or with an
// arrow to what comes of it.
func (s *Scanner) flows(v string, i int) tristate {
	if i == s.r.i || v[s.r.body] != '(' || strings.IndexByte(";]}\\", v[s.r.i]) >= 0 {
		return no
	}
	if v[i] == '-' {
		if i+1 == len(v) {
			return unless(s.ended)
		}
		return yesIf(v[i+1] == '>' || v[i+1] == '-')
	}
	end := wordEnd(v, i)
	if end == len(v) && !s.ended {
		return maybe
	}
	if word := v[i:end]; word == "or" || word == "and" {
		next := spaceEnd(v, end)
		after := wordEnd(v, next)
		if after == len(v) && !s.ended {
			return maybe
		}
		if next == len(v) || v[next] == '[' {
			return no
		}
		i, end = next, after
	}
	_, declared := s.names.plain(v[i:end])
	return yesIf(end > i && !declared)
}

// wordEnd is where the word at v[i:] ends.
func wordEnd(v string, i int) int {
	for end := i; end < len(v) && end-i < maxName; end++ {
		if !isNameByte(v[end]) {
			return end
		}
	}
	return min(len(v), i+maxName)
}

// lineEnded decides about a bare call behind which the line ends, at v[i]. It is text when the next line explains it as the
// term of a list of definitions, or when a quotation stands on both sides of it.
func (s *Scanner) lineEnded(v string, i int) bool {
	next := v[i+1:]
	if !s.ended && (next == "" || next == ":") {
		return false
	}
	if strings.HasPrefix(next, ": ") || strings.HasPrefix(next, ">") && s.belowQuote() {
		return s.settleAsText(s.r.i)
	}
	return s.settle(i)
}

// belowQuote reports whether the line above the region is quoted.
func (s *Scanner) belowQuote() bool {
	_, line := lastLine(s.lead(s.regionStart()))
	return strings.HasPrefix(strings.TrimLeft(line, " "), ">")
}

// isWithin reports whether the mark at t[i:] stands in the middle of a sentence that does not say what the model is about
// to do.
func (s *Scanner) isWithin(i int) bool {
	c := s.before(i, 0)
	if s.think != "" || s.nested || c != ' ' && c != '(' {
		return false
	}
	line := s.line(i)
	return strings.TrimSpace(line) != "" && !isItem(line) && !acts(strings.ToLower(lastSentence(line)))
}

// continues reports whether the sentence around a marked call goes on at t[i:], behind it: with a punctuation mark and more
// words, or with a word in lower case.
func (s *Scanner) continues(i int) tristate {
	t := s.t[i:]
	switch {
	case t == "":
		return unless(s.ended)
	case strings.IndexByte(".,;)!?", t[0]) >= 0:
		if len(t) < 3 {
			return unless(s.ended)
		}
		return yesIf(t[1] == ' ' && (isLower(t[2]) || isUpper(t[2])))
	case t[0] != ' ' || len(t) > 1 && !isLower(t[1]):
		return no
	}
	return s.proseAt(i, false)
}
