package repair

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A parser is a one-pass parser of a malformed JSON value. It copies valid text in runs and applies changes as edits.
type parser struct {
	s    string
	open frames
	out  []byte
	done int // s[:done] has been copied to out, changed or removed
	i    int // the current offset in s
	journal

	commaAt  int  // index in out of a comma that may be trailing, -1 if none
	comma    int  // offset of that comma in s
	fresh    bool // no token since the innermost opening bracket
	cut      bool // the last scalar ends at the end of the text, so it may be truncated
	unclosed int  // number of brackets that were added at the end
	err      error
}

// A step is a state of the parser. It parses from the current offset and returns the next state, nil at the end of the
// value or after an error.
type step func(*parser) step

func (m *parser) run(from int, first step) error {
	m.i, m.done, m.commaAt = from, from, -1
	m.out = m.out[:0]
	m.open.reset()
	for st := first; st != nil; {
		st = st(m)
	}
	return m.err
}

func (m *parser) fail(err error) step {
	m.err = err
	return nil
}

// edit replaces s[start:end] by now and notes the change. The range must follow all earlier edits.
func (m *parser) edit(r ruleID, start, end int, now string) {
	m.note(r, start, m.s[start:end], now)
	m.swap(start, end, now)
}

// swap replaces s[start:end] by now without noting the change.
func (m *parser) swap(start, end int, now string) {
	m.out = append(m.out, m.s[m.done:start]...)
	m.out = append(m.out, now...)
	m.done = end
}

// flush copies everything before the current offset to out.
func (m *parser) flush() { m.swap(m.i, m.i, "") }

// value parses a value. In an array it also repairs an extra or wrong separator.
func value(m *parser) step {
	m.blank()
	if m.i >= len(m.s) {
		return m.fail(ErrTruncated)
	}
	c := m.s[m.i]
	switch {
	case c == '{' || c == '[':
		return m.opener(c)
	case isCloser(c) && m.open.top() == bracket && (m.fresh || m.commaAt >= 0):
		return m.parseClosingBracket(c)
	case c == '<' && m.commaAt >= 0 && m.open.top() == bracket:
		return m.endMark()
	case isNumber(c):
		return m.number()
	case isWord(c):
		return m.word()
	case c == '\\' || c == '&':
		return m.fail(errWrapped)
	}
	return m.text(within(m.open.top()), after)
}

func (m *parser) opener(c byte) step {
	if m.open.depth() >= jsonx.MaxDepth {
		return m.fail(ErrDepth)
	}
	m.open.push(c)
	m.i++
	m.fresh, m.commaAt, m.cut = true, -1, false
	if c == '{' {
		return key
	}
	return value
}

// key parses a key up to its colon, or repairs other text in its place.
func key(m *parser) step {
	m.blank()
	if m.i >= len(m.s) {
		return m.fail(ErrTruncated)
	}
	switch c := m.s[m.i]; {
	case isCloser(c):
		return m.parseClosingBracket(c)
	case c == ',':
		m.edit(trailingComma, m.i, m.i+1, "")
		m.i++
		return key
	case c == '{' && m.fresh:
		return m.removeDoubledBrace()
	case c == '<' && m.commaAt >= 0:
		return m.endMark()
	case c == '\\' || c == '&':
		return m.fail(errWrapped)
	case isWord(c):
		return m.bareKey()
	}
	return m.text(asKey, colon)
}

// removeDoubledBrace removes a doubled opening brace.
func (m *parser) removeDoubledBrace() step {
	if m.open.depth() >= jsonx.MaxDepth {
		return m.fail(ErrDepth)
	}
	m.edit(extraOpener, m.i, m.i+1, "")
	m.open.push(doubledBrace)
	m.i++
	return key
}

// bareKey parses a key that is unquoted or lacks its opening quote.
func (m *parser) bareKey() step {
	start := m.i
	for m.i < len(m.s) && isWord(m.s[m.i]) {
		m.i++
	}
	end := m.i
	if m.i < len(m.s) && (m.s[m.i] == '"' || m.s[m.i] == '\'') {
		m.i++
	}
	next := skipSpace(m.s, m.i)
	switch {
	case next >= len(m.s):
		return m.fail(ErrTruncated)
	case m.s[next] != ':':
		return m.fail(ErrUnreadable)
	}
	name := jsonx.AppendQuote(nil, m.s[start:end])
	m.edit(unquotedKey, start, m.i, string(name))
	return colon
}

func colon(m *parser) step {
	m.blank()
	if m.i >= len(m.s) {
		return m.fail(ErrTruncated)
	}
	if m.s[m.i] != ':' {
		return m.fail(ErrUnreadable)
	}
	m.i++
	m.fresh, m.commaAt = false, -1
	return value
}

// after parses the separator or closing bracket after a value.
func after(m *parser) step {
	m.fresh, m.commaAt = false, -1
	if m.open.depth() == 0 {
		return nil
	}
	end := m.i
	m.blank()
	if m.i >= len(m.s) {
		if m.cut {
			return m.fail(ErrTruncated)
		}
		return m.closeAll()
	}
	m.cut = false
	switch c := m.s[m.i]; {
	case c == ',':
		m.comma = m.i
		m.i++
		m.flush()
		m.commaAt = len(m.out) - 1
		if m.open.top() == bracket {
			return value
		}
		return key
	case isCloser(c):
		return m.parseClosingBracket(c)
	case c == '<' || c == '`' && isTripleQuote(m.s, m.i):
		return m.endMark()
	case m.startsNext(c, end):
		m.edit(missingComma, m.i, m.i, ",")
		if m.open.top() == bracket {
			return value
		}
		return key
	}
	return m.fail(ErrUnreadable)
}

// startsNext reports whether c begins a member or an element without a preceding comma. end is the end of the previous
// value. It returns false for adjacent brackets such as {}{}, between which text may be missing.
func (m *parser) startsNext(c byte, end int) bool {
	if m.open.top() != bracket {
		return isQuote(c) || isWord(c)
	}
	if c == '{' || c == '[' {
		return m.i > end
	}
	return isQuote(c) || isWord(c) || isNumber(c)
}

// parseClosingBracket parses a closing bracket. It inserts missing inner closing brackets before it, and removes a
// bracket that closes nothing.
func (m *parser) parseClosingBracket(c byte) step {
	if !m.open.has(c) {
		m.edit(extraCloser, m.i, m.i+1, "")
		m.i++
		if m.commaAt >= 0 || m.fresh {
			return m.fail(ErrUnreadable)
		}
		return after
	}
	if m.fresh && slot(m.open.top()) != slot(opens(c)) {
		return m.fail(ErrUnreadable)
	}
	m.dropComma()
	for slot(m.open.top()) != slot(opens(c)) {
		if kind := m.open.pop(); kind != doubledBrace {
			m.edit(missingCloser, m.i, m.i, string(rune(closes(kind))))
		}
	}
	if m.open.pop() == doubledBrace {
		m.edit(extraOpener, m.i, m.i+1, "")
		m.i++
		return afterGhost
	}
	m.i++
	return after
}

// afterGhost parses the text after the closing brace of a doubled opening brace. Only the closing brace of the other
// opening brace, a control token, a code block delimiter or the end of the text may follow.
func afterGhost(m *parser) step {
	m.fresh, m.commaAt = false, -1
	m.blank()
	switch {
	case m.i >= len(m.s):
		return m.closeAll()
	case m.s[m.i] == '<' || m.s[m.i] == '`':
		return m.endMark()
	case m.s[m.i] == '}':
		return m.parseClosingBracket('}')
	}
	return m.fail(ErrUnreadable)
}

// dropComma removes a trailing comma from the output.
func (m *parser) dropComma() {
	if m.commaAt < 0 {
		return
	}
	m.note(trailingComma, m.comma, ",", "")
	m.out = append(m.out[:m.commaAt], m.out[m.commaAt+1:]...)
	m.commaAt = -1
}

// endMark handles a control token, a closing tag or the end of a code block where closing brackets are missing. It
// closes the value, because the model considered the value complete.
func (m *parser) endMark() step {
	rest := m.s[m.i:]
	if controlToken(rest) == 0 && !strings.HasPrefix(rest, "```") {
		return m.fail(ErrUnreadable)
	}
	if !onlyTokens(rest) {
		return m.fail(ErrUnreadable)
	}
	m.dropComma()
	return m.closeAll()
}

// closeAll adds closing brackets for all open brackets.
func (m *parser) closeAll() step {
	closers := make([]byte, 0, m.open.depth())
	for m.open.depth() > 0 {
		if kind := m.open.pop(); kind != doubledBrace {
			closers = append(closers, closes(kind))
		}
	}
	m.unclosed = len(closers)
	m.edit(missingCloser, m.i, m.i, string(closers))
	return nil
}
