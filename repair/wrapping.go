package repair

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// whole parses the value in m.s and the text around it.
func (m *parser) whole() (Result, error) {
	m.commaAt = -1
	m.before()
	for {
		if m.i >= len(m.s) {
			return Result{}, ErrUnreadable
		}
		if err := m.run(m.i, m.first()); err != nil {
			return Result{}, err
		}
		m.flush()
		m.blankAfter()
		if !isEmptyObject(m.out) || m.i >= len(m.s) || m.s[m.i] != '{' {
			break
		}
		m.note(concatenated, m.i, string(m.out), "")
	}
	json := m.out
	rest, err := m.trailing()
	if err != nil {
		return Result{}, err
	}
	return Result{JSON: json, Rest: rest, Unclosed: m.unclosed}, nil
}

func isEmptyObject(v []byte) bool {
	v = jsonx.Trim(v)
	return len(v) >= 2 && v[0] == '{' && len(jsonx.Trim(v[1:len(v)-1])) == 0
}

// skip removes s[m.i:end] before or after the value.
func (m *parser) skip(r ruleID, end int) {
	m.note(r, m.i, m.s[m.i:end], "")
	m.i = end
}

// before skips a byte order mark, code block delimiters, control tokens and comments before the value.
func (m *parser) before() {
	for {
		m.i = skipSpace(m.s, m.i)
		rest := m.s[m.i:]
		switch {
		case strings.HasPrefix(rest, "\uFEFF"):
			m.skip(leadingText, m.i+3)
		case strings.HasPrefix(rest, "```"):
			m.skip(codeFence, m.i+fenceHead(rest))
		case controlToken(rest) > 0:
			m.skip(specialToken, m.i+controlToken(rest))
		case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "/*"):
			m.skip(comment, commentEnd(m.s, m.i))
		default:
			return
		}
	}
}

// fenceHead returns the length of the opening delimiter of a Markdown code block: backquotes and language name, such
// as ```json.
func fenceHead(s string) int {
	i := 0
	for i < len(s) && s[i] == '`' {
		i++
	}
	for i < len(s) && isWord(s[i]) {
		i++
	}
	return i
}

// first skips text before the first bracket of the value. It returns the state for parsing the value.
func (m *parser) first() step {
	c := m.s[m.i]
	switch {
	case c == '{' || c == '[' || c == '\\' || c == '&':
		return value
	case isQuote(c):
		if m.keyFirst() {
			return insertOpener
		}
		if _, ok := opening(m.s, m.i, atTop); ok {
			return value
		}
	case isWord(c) || isNumber(c):
		end := m.i
		for end < len(m.s) && (isWord(m.s[end]) || m.s[end] == '+') {
			end++
		}
		if end < len(m.s) && m.s[end] == '"' && m.keyFirst() {
			return insertOpener
		}
		if onlyTokens(m.s[end:]) {
			return value
		}
	}
	at := strings.IndexByte(m.s[m.i:], '{')
	if at < 0 {
		at = strings.IndexByte(m.s[m.i:], '[')
	}
	if at < 0 {
		return value
	}
	m.skip(leadingText, m.i+at)
	return value
}

// keyFirst reports whether the text at the current offset begins with a key and a colon, so that the opening brace is
// missing.
func (m *parser) keyFirst() bool {
	if mk, ok := opening(m.s, m.i, asKey); ok {
		at := skipSpace(m.s, m.i+mk.size)
		if at < len(m.s) && isOpener(m.s[at]) {
			return false // a string that contains an object
		}
	}
	w := quoteDecider{s: m.s, final: false, open: &m.open}
	return w.keyAhead(m.i, m.i+window) == closing
}

// insertOpener parses an object without its opening brace.
func insertOpener(m *parser) step {
	m.edit(missingOpener, m.i, m.i, "{")
	m.open.push(brace)
	return key
}

// blankAfter skips white space, code block delimiters, control tokens and comments after the value.
func (m *parser) blankAfter() {
	for {
		m.i = skipSpace(m.s, m.i)
		rest := m.s[m.i:]
		switch {
		case strings.HasPrefix(rest, "```"):
			m.skip(codeFence, m.i+len("```"))
		case controlToken(rest) > 0:
			m.skip(specialToken, m.i+controlToken(rest))
		case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "/*"):
			m.skip(comment, commentEnd(m.s, m.i))
		default:
			return
		}
	}
}

// trailing parses the text after the value and returns the part that is not skipped. It returns an error if that text
// seems to continue the value.
func (m *parser) trailing() (rest string, err error) {
	for m.blankAfter(); m.i < len(m.s) && (m.s[m.i] == '}' || m.s[m.i] == ']'); m.blankAfter() {
		m.skip(extraCloser, m.i+1)
	}
	rest = strings.TrimRight(m.s[m.i:], " \t\r\n")
	if rest == "" {
		return "", nil
	}
	switch rest[0] {
	case ',':
		next := strings.TrimSpace(rest[1:])
		switch {
		case next == "":
			m.skip(trailingComma, len(m.s))
			return "", nil
		case next[0] != '{' && next[0] != '[':
			return "", ErrUnreadable
		}
		m.note(trailingValue, m.i, rest, "")
	case ':', '"', '\\', '.', '=':
		return "", ErrUnreadable
	case '{', '[':
		m.note(trailingValue, m.i, rest, "")
	default:
		m.note(trailingText, m.i, rest, "")
	}
	return rest, nil
}

// onlyTokens reports whether s has only control tokens, code block delimiters and white space.
func onlyTokens(s string) bool {
	for {
		s = s[skipSpace(s, 0):]
		switch n := controlToken(s); {
		case s == "":
			return true
		case n > 0:
			s = s[n:]
		case strings.HasPrefix(s, "```"):
			s = s[len("```"):]
		default:
			return false
		}
	}
}
