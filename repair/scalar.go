package repair

import "strings"

// blank skips white space, escaped white space such as \n between values, and comments.
func (m *parser) blank() {
	for {
		m.i = skipSpace(m.s, m.i)
		if end := escapedBlank(m.s, m.i); end > m.i {
			m.edit(invalidEscape, m.i, end, " ")
			m.i = end
			continue
		}
		end := commentEnd(m.s, m.i)
		if end == m.i {
			return
		}
		m.edit(comment, m.i, end, "")
		m.i = end
	}
}

// commentEnd returns the end of the comment at s[i], or i if there is none. The end of a line comment is before its
// newline.
func commentEnd(s string, i int) int {
	if i >= len(s) || s[i] != '/' && s[i] != '#' {
		return i
	}
	rest := s[i:]
	var n int
	switch {
	case strings.HasPrefix(rest, "/*"):
		if n = strings.Index(rest[2:], "*/"); n >= 0 {
			return i + 2 + n + 2
		}
		return len(s)
	case rest[0] == '#' || strings.HasPrefix(rest, "//"):
		if n = strings.IndexByte(rest, '\n'); n >= 0 {
			return i + n
		}
		return len(s)
	}
	return i
}

func (m *parser) number() step {
	start := m.i
	m.i = numberEnd(m.s, start)
	m.cut = m.i == len(m.s) && m.open.depth() > 0
	raw := m.s[start:m.i]
	text, ok := number(raw)
	switch {
	case ok:
	case m.cut:
		return m.fail(ErrTruncated)
	case raw == "-Infinity" || raw == "+Infinity":
		m.edit(jsLiteral, start, m.i, "null")
		return after
	default:
		return m.fail(ErrUnreadable)
	}
	if text != raw {
		m.edit(numberForm, start, m.i, text)
	}
	return after
}

func (m *parser) word() step {
	start := m.i
	for m.i < len(m.s) && isWord(m.s[m.i]) {
		m.i++
	}
	raw := m.s[start:m.i]
	l := literalOf(raw)
	if l == nil {
		if m.i == len(m.s) && cutLiteral(raw) && m.open.depth() > 0 {
			return m.fail(ErrTruncated)
		}
		return m.fail(ErrUnreadable)
	}
	if l.json != raw {
		m.edit(l.rule, start, m.i, l.json)
	}
	return after
}
