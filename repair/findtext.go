package repair

import "strings"

// quote processes a quote at s[i] outside a string, which may open a string. It returns the results of step.
func (f *Finder) quote(s string, i int, final bool) (int, bool) {
	if f.at == inKey { // a closing quote, if the key lacks its opening quote
		return f.strayQuote(s, i, final)
	}
	if !final {
		short := len(s) - i
		if s[i] == smartLead && short < 3 || short < 2 || short < 3 && s[i+1] == s[i] {
			return i, false
		}
	}
	at := within(f.open.top())
	into := inText
	if f.open.top() == brace && f.at != atValue && f.at != inWord {
		at, into = asKey, inKeyText
	}
	m, ok := opening(s, i, at)
	if !ok {
		f.word()
		return i + 1, true
	}
	f.mark, f.at, f.hasInnerQuotes, f.esc = m, into, false, ""
	return i + m.size, true
}

// strayQuote processes a quote after an unquoted word in key position. It is either the closing quote of the key, or
// the word is a prefix of a string, as in r"...". The results are those of step.
func (f *Finder) strayQuote(s string, i int, final bool) (int, bool) {
	limit := i + window
	j := skipSpace(s[:min(limit, len(s))], i+1)
	if j >= len(s) && j < limit && !final {
		return i, false
	}
	if j < len(s) && j < limit && s[j] == ':' {
		f.at = afterKey
		return i + 1, true
	}
	f.at = beforeKey
	return f.quote(s, i, final)
}

// text processes text inside a string up to its closing quote. It returns the results of step.
func (f *Finder) text(s string, i int, final bool) (int, bool) {
	if f.esc != "" {
		return f.escapedText(s, i, final)
	}
	w := quoteDecider{s: s, final: final, code: f.open.count[slot(paren)] > 0, open: &f.open}
	at := within(f.open.top())
	switch {
	case f.at == inKeyText:
		at = asKey
	case at == asArgument && f.eq:
		at = asKeyed
	}
	for ; i < len(s); i++ {
		c := s[i]
		if isPlain(c) {
			continue
		}
		if c == '\\' {
			if i+1 >= len(s) && !final {
				return i, false
			}
			i++
			continue
		}
		if (c == smartLead || f.mark.triple()) && len(s)-i < 3 && !final {
			return i, false
		}
		n := f.mark.width(s, i)
		if n == 0 {
			continue
		}
		v := closing
		if !f.mark.triple() {
			v = w.ends(i+n, at, f.hasInnerQuotes)
		}
		switch v {
		case undecided:
			return i, false
		case closing:
			f.endText()
			return i + n, true
		}
		f.hasInnerQuotes = true
	}
	return min(i, len(s)), true
}

func (f *Finder) endText() {
	f.gap, f.eq = false, false
	if f.at == inKeyText {
		f.at = afterKey
		return
	}
	f.at = afterValue
}

// escape processes an escaped quote (\" or an entity), or escaped white space such as \n, outside a string. It returns
// the results of step.
func (f *Finder) escape(s string, i int, final bool) (int, bool) {
	const longest = len("&quot;")
	if len(s)-i < longest && !final {
		return i, false
	}
	quote := `\"`
	if s[i] == '\\' {
		if end := escapedBlank(s, i); end > i {
			f.space()
			return end, true
		}
	} else {
		quote = quoteEntity(s[i:])
	}
	if quote == "" || !strings.HasPrefix(s[i:], quote) {
		f.word()
		return i + 1, true
	}
	into := inText
	if f.open.top() == brace && f.at != atValue {
		into = inKeyText
	}
	f.esc, f.at = quote, into
	return i + len(quote), true
}

// escapedText processes text inside a string whose quotes are escaped. It returns the results of step.
func (f *Finder) escapedText(s string, i int, final bool) (int, bool) {
	quote := f.esc
	for i < len(s) {
		n := strings.IndexByte(s[i:], quote[0])
		if n < 0 {
			return len(s), true
		}
		i += n
		if len(s)-i < max(len(quote), 4) && !final {
			return i, false
		}
		switch {
		case strings.HasPrefix(s[i:], quote):
			f.endText()
			return i + len(quote), true
		case strings.HasPrefix(s[i:], `\\\"`):
			i += 4
		case strings.HasPrefix(s[i:], `\\`):
			i += 2
		default:
			i++
		}
	}
	return len(s), true
}

func (f *Finder) comment(s string, i int, final bool) (int, bool) {
	if s[i] == '#' {
		f.back, f.at = f.at, inLine
		return i + 1, true
	}
	if i+1 >= len(s) && !final {
		return i, false
	}
	switch {
	case strings.HasPrefix(s[i:], "//"):
		f.back, f.at = f.at, inLine
	case strings.HasPrefix(s[i:], "/*"):
		f.back, f.at = f.at, inBlock
	default:
		f.word()
		return i + 1, true
	}
	return i + 2, true
}

func (f *Finder) block(s string, i int, final bool) (int, bool) {
	n := strings.Index(s[i:], "*/")
	switch {
	case n >= 0:
		f.at = f.back
		return i + n + 2, true
	case final || s[len(s)-1] != '*':
		return len(s), true
	case i < len(s)-1:
		return len(s) - 1, true
	}
	return i, false
}

// token ends the value if a control token or a closing tag begins at offset i. It returns the next offset, and false if
// more text is needed for the decision. final is true if no more text follows.
func (f *Finder) token(s string, i int, final bool) (int, bool) {
	if len(s)-i < 4 && !final {
		return i, false
	}
	if isEndMark(s[i:]) {
		f.over = true
		return i, true
	}
	f.word()
	return i + 1, true
}
