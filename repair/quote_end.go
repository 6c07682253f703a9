package repair

import "strings"

// A quoteRole is the role of a quote inside a string.
type quoteRole uint8

const (
	inner     quoteRole = iota // an unescaped quote that is part of the text
	closing                    // the end of the string
	undecided                  // more input is needed
)

// window is the maximum number of bytes after a quote that are examined. It keeps parsing linear.
const window = 256

// A quoteDecider decides whether a quote ends its string, from the text after the quote. It examines at most window
// bytes. The decision does not depend on how the text is split.
type quoteDecider struct {
	s     string
	final bool // s is the end of the text
	code  bool // Python, in which adjacent strings are joined
	open  *frames
}

// ends returns the role of a quote in a string whose position in its value is at. i is the offset after the quote. torn
// reports that the string already has unescaped inner quotes, so stronger evidence is required.
func (w quoteDecider) ends(i int, at place, torn bool) quoteRole {
	if at == asKey {
		return closing
	}
	j := w.blank(i, i+window)
	if j-i >= window {
		return closing
	}
	if j >= len(w.s) {
		return w.short(closing)
	}
	c := w.s[j]
	if w.code && !torn && (j > i || plusEnd(w.s, j) > j) {
		if v := w.decideJoin(j); v != inner {
			return v
		}
	}
	if at == atTop {
		return when(c == '<' || c == '`')
	}
	if !torn && at == asMember && !w.code {
		if v := w.goesOn(i, j); v != inner {
			return v
		}
	}
	switch {
	case c == ',':
		return w.comma(j+1, at, torn)
	case isCloser(c):
		return w.brackets(j, torn)
	case c == '<':
		return w.endMark(j, torn)
	case w.partial(j):
		return undecided
	case c == '/' || c == '#':
		return w.remark(j, torn, j > i)
	case c == '`' && isTripleQuote(w.s, j):
		return when(!torn)
	case c == '\\' && !torn:
		return w.escapedBlank(j, at)
	case isQuote(c):
		return w.next(i, j, at, torn)
	case strings.IndexByte(w.s[i:j], '\n') >= 0:
		return w.line(j, at, torn)
	}
	return inner
}

// line returns the role of a quote that is followed by a newline and, at offset j, by something other than a string. A
// comma may be missing there.
func (w quoteDecider) line(j int, at place, torn bool) quoteRole {
	c := w.s[j]
	switch {
	case at == asMember && isWord(c):
		return w.keyAhead(j, j+window)
	case at == asElement && !torn:
		return when(isOpener(c) || isNumber(c) || isWord(c))
	}
	return inner
}

// decideJoin returns the role of a quote in Python code that is followed at offset j by a string or an operator.
func (w quoteDecider) decideJoin(j int) quoteRole {
	c := w.s[j]
	if c == '+' || c == '%' || isQuote(c) || stringPrefix(w.s, j) > 0 {
		return closing
	}
	if len(w.s)-j <= 2 && !w.final && strings.Trim(w.s[j:], prefixLetters) == "" {
		return undecided
	}
	return inner
}

// goesOn returns closing if the string before offset i begins an expression such as "a" + "b" or "a" * 3 up to the end
// of the member, because such a value is not JSON. j is the offset of the next token. Otherwise it returns inner, or
// undecided if more text is needed.
func (w quoteDecider) goesOn(i, j int) quoteRole {
	limit := min(len(w.s), i+window)
	if j >= limit || w.s[j] != '+' && w.s[j] != '*' && (w.s[j] != '"' || j == i) {
		return inner
	}
	for wants := false; j < limit; {
		switch c := w.s[j]; {
		case !wants && (c == ',' || isCloser(c)):
			return closing
		case !wants && (c == '+' || c == '*'):
			j, wants = w.blank(j+1, limit), true
		case c == '"':
			for j++; j < limit && w.s[j] != '"'; j++ {
				if w.s[j] == '\\' {
					j++
				}
			}
			j, wants = w.blank(min(j+1, limit), limit), false
		case wants && '0' <= c && c <= '9':
			for j < limit && '0' <= w.s[j] && w.s[j] <= '9' {
				j++
			}
			j, wants = w.blank(j, limit), false
		default:
			return inner
		}
	}
	if limit == len(w.s) && !w.final {
		return undecided
	}
	return inner
}

func when(yes bool) quoteRole {
	if yes {
		return closing
	}
	return inner
}

// blank returns the offset of the first byte at or after j that is not white space, at most limit.
func (w quoteDecider) blank(j, limit int) int { return skipSpace(w.s[:min(limit, len(w.s))], j) }

// partial reports whether a quote or a code block delimiter of three bytes may be incomplete at offset j.
func (w quoteDecider) partial(j int) bool {
	return (w.s[j] == smartLead || w.s[j] == '`') && len(w.s)-j < 3 && !w.final
}

// short returns the role if the text ends before a decision: atEnd if the text is final, otherwise undecided.
func (w quoteDecider) short(atEnd quoteRole) quoteRole {
	if w.final {
		return atEnd
	}
	return undecided
}

// escapedBlank returns the role of a quote that is followed by a backslash at offset j. The backslash may be escaped
// white space between values.
func (w quoteDecider) escapedBlank(j int, at place) quoteRole {
	next := escapedBlank(w.s, j)
	switch {
	case next-j >= window:
		return inner
	case next+1 >= len(w.s) && !w.final:
		return undecided
	case next == j || next >= len(w.s):
		return inner
	case w.s[next] == ',':
		return w.comma(next+1, at, false)
	case isCloser(w.s[next]):
		return w.brackets(next, true)
	}
	return inner
}

// comma returns the role of a quote that is followed by a comma. j is the offset after the comma.
func (w quoteDecider) comma(j int, at place, torn bool) quoteRole {
	limit := j + window
	if j = w.blank(j, limit); j >= limit {
		return closing
	}
	if j >= len(w.s) {
		return w.short(closing)
	}
	if w.s[j] == '\\' && !torn {
		if j = escapedBlank(w.s, j); j >= limit {
			return closing
		}
		if j+1 >= len(w.s) {
			return w.short(inner)
		}
	}
	c := w.s[j]
	switch {
	case isCloser(c):
		return closing
	case c == '/' || c == '#':
		return w.remark(j, torn, true)
	case c == '<':
		return w.endMark(j, torn)
	case at == asMember:
		if isQuote(c) || isWord(c) {
			return w.keyAhead(j, limit)
		}
		return inner
	case at == asArgument || at == asKeyed:
		return w.argument(j, limit, torn && at == asKeyed)
	case isQuote(c) || isOpener(c):
		return closing
	case isWord(c) || isNumber(c):
		return w.scalarAhead(j, limit)
	}
	return inner
}

// argument returns the role of a quote that is followed by a comma and, at offset j, by a possible argument. If keyed
// is true, only key=value and * count as arguments.
func (w quoteDecider) argument(j, limit int, keyed bool) quoteRole {
	c := w.s[j]
	if c == '*' {
		return closing
	}
	if isWord(c) {
		if v := w.keyAhead(j, limit); v != inner || keyed {
			return v
		}
	}
	switch {
	case keyed:
		return inner
	case isQuote(c) || isOpener(c):
		return closing
	case isWord(c) || isNumber(c):
		return w.scalarAhead(j, limit)
	}
	return inner
}

// keyAhead returns closing if offset j begins a key with a colon or equals sign, undecided if more text is needed, and
// otherwise inner. A key at the end of the text does not count.
func (w quoteDecider) keyAhead(j, limit int) quoteRole {
	if w.partial(j) {
		return undecided
	}
	m, quoted := opening(w.s, j, asKey)
	if quoted {
		j += m.size
	}
	for ; ; j++ {
		switch {
		case j >= limit:
			return inner
		case j >= len(w.s):
			return w.short(inner)
		}
		c := w.s[j]
		if quoted {
			if n := m.width(w.s, j); n > 0 {
				j += n
				break
			}
			if c == '\n' {
				return inner
			}
			if c == '\\' {
				j++
			}
			continue
		}
		if isWord(c) {
			continue
		}
		if c == '"' || c == '\'' { // the key lacks its opening quote
			j++
		}
		break
	}
	return w.colonAhead(j, limit)
}

func (w quoteDecider) colonAhead(j, limit int) quoteRole {
	j = w.blank(j, limit)
	switch {
	case j >= limit:
		return inner
	case j >= len(w.s):
		return w.short(inner)
	case w.s[j] == ':':
		return closing
	case w.s[j] == '=' && w.open.top() == paren:
		return closing
	}
	return inner
}

// scalarAhead returns closing if offset j begins a number or literal before a comma, a closing bracket or the end of
// the text. It returns undecided if more text is needed, and otherwise inner.
func (w quoteDecider) scalarAhead(j, limit int) quoteRole {
	start := j
	for j < len(w.s) && j < limit && (isWord(w.s[j]) || isNumber(w.s[j])) {
		j++
	}
	if j >= limit {
		return inner
	}
	word := w.s[start:j]
	if j < len(w.s) && !isNumber(word[0]) && literalOf(word) == nil {
		return inner
	}
	j = w.blank(j, limit)
	switch {
	case j >= limit:
		return inner
	case j >= len(w.s):
		return w.short(closing)
	}
	return when(w.s[j] == ',' || isCloser(w.s[j]))
}

// next returns the role of a quote that is followed by another quote at offset j. Either a comma is missing, or quoted
// text inside the string ends.
func (w quoteDecider) next(i, j int, at place, torn bool) quoteRole {
	if w.s[j] == smartLead && smartKind(w.s[j:]) == 0 {
		return inner
	}
	switch {
	case at == asMember && !w.code:
		return w.keyAhead(j, j+window)
	case torn:
		return inner
	case j > i:
		return closing
	case at != asElement || w.code:
		return inner
	case j+1 >= len(w.s):
		return w.short(closing)
	}
	return when(w.s[j+1] != ',' && !isCloser(w.s[j+1]))
}

// endMark returns the role of a quote that is followed by '<' at offset j: closing before a control token or a closing
// tag.
func (w quoteDecider) endMark(j int, torn bool) quoteRole {
	if torn {
		return inner
	}
	if len(w.s)-j < 4 && !w.final {
		return undecided
	}
	return when(isEndMark(w.s[j:]))
}

// remark returns the role of a quote that is followed by a possible comment at offset j. apart reports that white
// space or a comma is between them.
func (w quoteDecider) remark(j int, torn, apart bool) quoteRole {
	if torn {
		return inner
	}
	if w.s[j] == '#' {
		return when(apart)
	}
	if j+1 >= len(w.s) {
		return w.short(inner)
	}
	return when(w.s[j+1] == '*' || apart && w.s[j+1] == '/')
}

// brackets returns the role of a quote that is followed by closing brackets at offset j.
func (w quoteDecider) brackets(j int, torn bool) quoteRole {
	if !torn {
		if w.s[j] == ')' && !w.open.has(')') {
			return inner
		}
		return w.bracketsInQuotes(j)
	}
	limit := j + window
	for d := w.open.depth(); ; {
		if d = w.open.under(w.s[j], d); d < 0 {
			return inner
		}
		j++
		if d == 0 {
			return w.tail(j, limit)
		}
		j = w.blank(j, limit)
		switch {
		case j >= limit:
			return closing
		case j >= len(w.s):
			return w.short(closing)
		case isCloser(w.s[j]):
			continue
		case w.s[j] == ',':
			return w.comma(j+1, within(w.open.kinds[d-1]), torn)
		}
		return when(w.s[j] == '<' || w.s[j] == '`')
	}
}

// bracketsInQuotes returns the role of a quote that is followed by closing brackets at offset j, in a string without
// inner quotes so far. If another quote follows directly, the brackets are quoted text, unless that quote begins a key
// or ends the value.
func (w quoteDecider) bracketsInQuotes(j int) quoteRole {
	d, limit := w.open.depth(), j+window
	for ; j < len(w.s) && j < limit && isCloser(w.s[j]); j++ {
		if n := w.open.under(w.s[j], d); n >= 0 {
			d = n
		}
	}
	inList := d > 0 && w.open.kinds[d-1] == bracket
	switch {
	case j >= limit:
		return closing
	case d == 0 && !w.final: // the value probably ends here; do not wait for more text
		return closing
	case j >= len(w.s):
		return w.short(closing)
	case w.s[j] != '"' && w.s[j] != '\'', inList && w.s[j-1] == ']':
		return closing
	case d == 0 || inList:
		return w.tail(j, limit)
	}
	return w.keyAhead(j, limit)
}

// tail returns the role of a quote after which the outermost bracket closes before offset j. A later quote with
// closing brackets shows that the string continues up to there.
func (w quoteDecider) tail(j, limit int) quoteRole {
	for from := w.blank(j, limit); ; j++ {
		switch {
		case j >= limit:
			return closing
		case j >= len(w.s):
			return w.short(closing)
		}
		switch c := w.s[j]; c {
		case '<', '`', '{', '[', ';':
			return closing
		case '"', '\'':
			k := w.blank(j+1, limit)
			if k >= len(w.s) && k < limit && !w.final {
				return undecided
			}
			if k < len(w.s) && (isCloser(w.s[k]) || j == from && w.s[k] == ',') {
				return inner
			}
		}
	}
}
