package repair

import "strings"

// A quoteRole is the role of a quote inside a string: a part of its text, or its end.
type quoteRole uint8

const (
	inner     quoteRole = iota // it belongs to the text
	closing                    // it ends the string
	undecided                  // more text is needed to tell
)

// window is how many bytes after a quote are looked at to decide about it. It keeps the work linear.
const window = 256

// A closer decides whether quotes end their strings, by the text behind them. It looks at most window bytes ahead:
// reading is linear, and the same text gives the same decisions whether it came whole or in pieces.
type closer struct {
	s     string
	final bool // s is the end of the text: nothing more will come
	code  bool // it is Python, where strings side by side are one
	open  *frames
}

// ends decides about a quote; i is the place after it. torn reports that the string had inner quotes already: it is not
// escaped properly, and more evidence is required.
func (w closer) ends(i int, at place, torn bool) quoteRole {
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

// line decides about a quote after which a new line begins at j with something else than a string: a comma may be
// missing.
func (w closer) line(j int, at place, torn bool) quoteRole {
	c := w.s[j]
	switch {
	case at == asMember && isWord(c):
		return w.keyAhead(j, j+window)
	case at == asElement && !torn:
		return when(isOpener(c) || isNumber(c) || isWord(c))
	}
	return inner
}

// decideJoin decides about a quote in Python after which another string or an operator stands at j: strings side by
// side are one.
func (w closer) decideJoin(j int) quoteRole {
	c := w.s[j]
	if c == '+' || c == '%' || isQuote(c) || stringPrefix(w.s, j) > 0 {
		return closing
	}
	if len(w.s)-j <= 2 && !w.final && strings.Trim(w.s[j:], prefixLetters) == "" {
		return undecided
	}
	return inner
}

// goesOn decides about a quote that ends a string at i and after which an expression goes on at j: a plus and another
// whole string, another string, or a star and a number, up to the end of the member. Such a value is none of JSON.
func (w closer) goesOn(i, j int) quoteRole {
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

// blank passes white space, but no further than limit.
func (w closer) blank(j, limit int) int { return skipSpace(w.s[:min(limit, len(w.s))], j) }

// partial reports whether a quote of three bytes, or a fence, may have come in part at j.
func (w closer) partial(j int) bool {
	return (w.s[j] == smartLead || w.s[j] == '`') && len(w.s)-j < 3 && !w.final
}

// short is the decision when the text ends before there is evidence.
func (w closer) short(atEnd quoteRole) quoteRole {
	if w.final {
		return atEnd
	}
	return undecided
}

// escapedBlank decides about a quote that is followed by a backslash at j: white space between values may have come as
// escapes.
func (w closer) escapedBlank(j int, at place) quoteRole {
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

// comma decides about a quote that is followed by a comma; j is after it.
func (w closer) comma(j int, at place, torn bool) quoteRole {
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

// argument decides about a quote after which an argument may begin at j, after a comma.
func (w closer) argument(j, limit int, keyed bool) quoteRole {
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

// keyAhead looks for a key with a colon (or an equals sign) after it, at j. A key that the text ends in is none.
func (w closer) keyAhead(j, limit int) quoteRole {
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
		if c == '"' || c == '\'' { // its opening quote is missing
			j++
		}
		break
	}
	return w.colonAhead(j, limit)
}

func (w closer) colonAhead(j, limit int) quoteRole {
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

// scalarAhead looks for a number or a literal with a comma or a closing bracket after it, at j.
func (w closer) scalarAhead(j, limit int) quoteRole {
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

// next decides about a quote that is followed by another one at j: a missing comma, or the end of inner text.
func (w closer) next(i, j int, at place, torn bool) quoteRole {
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

// endMark decides about a quote that is followed by '<' at j: closing before a control token or a closing tag.
func (w closer) endMark(j int, torn bool) quoteRole {
	if torn {
		return inner
	}
	if len(w.s)-j < 4 && !w.final {
		return undecided
	}
	return when(isEndMark(w.s[j:]))
}

// remark decides about a quote before a possible comment at j; apart says that white space or a comma stands between
// them.
func (w closer) remark(j int, torn, apart bool) quoteRole {
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

// brackets decides about a quote that is followed by closing brackets at j.
func (w closer) brackets(j int, torn bool) quoteRole {
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

// bracketsInQuotes decides about a quote that is followed by closing brackets at j, in a string without inner quotes so
// far: another quote directly after them says that they stand in quotes, unless it begins a key, or nothing more of the
// value follows.
func (w closer) bracketsInQuotes(j int) quoteRole {
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
	case d == 0 && !w.final: // the value ends here as far as anybody knows, and nobody waits for more
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

// tail decides about a quote after which the outermost bracket seems to close before j: a later quote with closing
// brackets after it says that all this was still text.
func (w closer) tail(j, limit int) quoteRole {
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
