package swallowed

import (
	"slices"
	"strings"
)

// prefix stands before each tag in the format of MiniMax M3.
const prefix = "]<]minimax[>["

// maxTag bounds a tag, and the name between two.
const maxTag = 512

// The words of tags, by their parts in a call. A word of a call may have another before it, as in dots_function_call.
var (
	valueTags = []string{"parameter", "param", "argument", "arg"}
	keyEnds   = []string{"arg_key", "param_key"}
	valueEnds = []string{"arg_value", "param_value"}
	suffixed  = []string{"arg_key", "param_key", "arg_value", "param_value", "arg_type"} // a colon and letters may stand behind them
	callTags  = []string{"invoke", "function", "call", "tool", "parameters", "arguments"}
	callEnds  = []string{"function_call", "function_calls", "tool_call", "tool_calls", "toolcall", "toolcalls", "functioncall",
		"functioncalls"}
)

// marksIn are the marks of a text in order. Of the tags that are named after no part of a call, those of parameters are
// among them.
func marksIn(text string, isParam func(name string) bool) []mark {
	var out []mark
	open := map[string]int{} // how many elements are open, by the parameters that they are named after; "" for those of the format
	s := scanner{text: text, isParam: isParam}
	for at := 0; ; {
		n := strings.IndexByte(text[at:], '<')
		if n < 0 {
			return out
		}
		at += n
		m, ok := s.mark(at)
		if !ok {
			at++
			continue
		}
		switch m.role {
		case opens:
			open[""]++
		case element:
			open[m.name]++
		case closes, closesOwn:
			m.orphan = open[m.of()] == 0
			open[m.of()] = max(open[m.of()]-1, 0)
		}
		out = append(out, m)
		at = m.end
	}
}

// of is the parameter whose elements a closer closes, "" for all of the format's own.
func (m *mark) of() string {
	if m.role == closes {
		return ""
	}
	return m.name
}

// A scanner reads the marks of a text.
type scanner struct {
	text    string
	isParam func(name string) bool
}

// A tag is a tag of a text: a word with a namespace before it and attributes behind it, or a special token.
type tag struct {
	word, rest string
	named      bool // it has a namespace
	closing    bool
	token      string // the word of a special token
	end        int
}

// tagAt is the tag that begins at a place.
func (s *scanner) tagAt(at int) (t tag, ok bool) {
	if at >= len(s.text) || s.text[at] != '<' {
		return t, false
	}
	body := s.text[at+1 : min(len(s.text), at+maxTag)]
	n := strings.IndexAny(body, "<>")
	if n < 1 || body[n] == '<' {
		return t, false
	}
	t.end = at + 1 + n + 1
	body = body[:n]
	if body, t.closing = strings.CutPrefix(body, "/"); body == "" {
		return t, false
	}
	if ns, rest, ok := cutBarWord(body); ok && rest == "" {
		t.token = ns
		return t, true
	} else if ok {
		body, t.named = rest, true
	} else if rest, ok := cutNamespace(body); ok {
		body, t.named = rest, true
	}
	n = nameEnd(body)
	t.word, t.rest = body[:n], strings.TrimSpace(body[n:])
	return t, n > 0
}

// cutBarWord splits a word between two bars from the text behind them.
func cutBarWord(body string) (word, rest string, ok bool) {
	for _, bar := range [...]string{"|", "｜"} {
		if after, is := strings.CutPrefix(body, bar); is {
			word, rest, ok = strings.Cut(after, bar)
			return strings.TrimSpace(word), strings.TrimSpace(rest), ok
		}
	}
	return "", "", false
}

// cutNamespace is a word behind its namespace.
func cutNamespace(body string) (rest string, ok bool) {
	n := nameEnd(body)
	if n == 0 || n == len(body) || slices.Contains(suffixed, body[:n]) || body[n] != ':' && !(body[n] == '|' && body[:n] == "ifm") {
		return "", false
	}
	rest = body[n+1:]
	return rest, nameEnd(rest) > 0
}

// nameEnd is the length of the name with which a text begins.
func nameEnd(s string) int {
	for i := range len(s) {
		c := s[i]
		if !(c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || i > 0 && (c == '-' || c == '.' || '0' <= c && c <= '9')) {
			return i
		}
	}
	return len(s)
}

// mark is the mark that begins at a place.
func (s *scanner) mark(at int) (m mark, ok bool) {
	t, ok := s.tagAt(at)
	if !ok {
		return m, false
	}
	m = mark{start: len(strings.TrimSuffix(s.text[:at], prefix)), end: t.end}
	switch {
	case t.token != "":
		return s.token(m, t.token)
	case t.closing:
		return s.closing(m, t)
	case slices.Contains(keyEnds, t.word):
		return s.pair(m)
	case slices.Contains(valueTags, t.word) && t.rest != "":
		m.role = opens
		m.name, m.lines = strings.CutPrefix(t.rest, "=")
		if m.name = strings.Trim(m.name, ` "'`); !m.lines {
			m.name, ok = attribute(t.rest)
		}
		return m, ok && m.name != ""
	case t.rest == "" && isCallEnd(t.word), slices.Contains(callTags, t.word) &&
		(strings.HasPrefix(t.rest, "=") || strings.HasPrefix(t.rest, "name")):
		m.role = begins
		return m, true
	case !t.named && s.isParam(t.word):
		m.role, m.name, m.plain = element, t.word, t.rest == ""
		return m, true
	}
	return m, false
}

// closing is the mark of a closing tag.
func (s *scanner) closing(m mark, t tag) (mark, bool) {
	own := !t.named && t.rest == "" && s.isParam(t.word)
	switch {
	case slices.Contains(valueEnds, t.word), slices.Contains(valueTags, t.word) && t.rest == "" && !own:
		m.role = closes
	case own:
		m.role, m.name = closesOwn, t.word
	case t.rest == "" && (isCallEnd(t.word) || slices.Contains(callTags, t.word)):
		m.role = ends
	default:
		return m, false
	}
	return m, true
}

// isCallEnd reports whether a word is that of a call or of a list of calls.
func isCallEnd(word string) bool {
	return slices.ContainsFunc(callEnds, func(end string) bool { return strings.HasSuffix(word, end) })
}

// attribute is the value of the first attribute of a tag, which is the name of a parameter.
func attribute(rest string) (value string, ok bool) {
	key, value, ok := strings.Cut(rest, "=")
	if key = strings.TrimSpace(key); !ok || key != "name" && key != "key" {
		return "", false
	}
	if value = strings.TrimSpace(value); value != "" && (value[0] == '"' || value[0] == '\'') {
		value, _, ok = strings.Cut(value[1:], value[:1])
		return value, ok
	}
	value, _, _ = strings.Cut(value, " ")
	return value, true
}

// between is the text from a place up to the next tag, which tagAt reads.
func (s *scanner) between(from int) (text string, next tag, ok bool) {
	rest := s.text[from:min(len(s.text), from+maxTag)]
	n := strings.IndexByte(rest, '<')
	if n < 0 {
		return "", tag{}, false
	}
	next, ok = s.tagAt(from + n)
	return strings.TrimSpace(rest[:n]), next, ok
}

// pair is the opener that is a key between its tags and the opening tag of the value, with a type between them at
// times.
func (s *scanner) pair(m mark) (mark, bool) {
	name, t, ok := s.between(m.end)
	if !ok || !t.closing || !slices.Contains(keyEnds, t.word) {
		return m, false
	}
	space, t, ok := s.between(t.end)
	if ok && space == "" && t.word == "arg_type" && !t.closing {
		if _, t, ok = s.between(t.end); ok && t.word == "arg_type" {
			space, t, ok = s.between(t.end)
		}
	}
	m.role, m.name, m.end = opens, name, t.end
	return m, ok && space == "" && !t.closing && slices.Contains(valueEnds, t.word)
}

// token is the mark of a special token.
func (s *scanner) token(m mark, word string) (mark, bool) {
	switch word {
	case "tool_arg:start":
		name, t, ok := s.between(m.end)
		m.role, m.name, m.end = opens, name, t.end
		return m, ok && t.token == "tool_arg:value"
	case "tool_arg:end":
		m.role = closes
	case "tool_call:start":
		m.role = begins
	case "open", "close":
		head, t, ok := s.between(m.end)
		argument, isArgument := strings.CutPrefix(head, "argument")
		switch {
		case !ok || t.token != "sep":
			return m, false
		case word == "open" && isArgument:
			m.role = opens
			m.name, ok = attribute(strings.TrimSpace(argument))
		case word == "open":
			m.role = begins
		case isArgument:
			m.role = closes
		default:
			m.role = ends
		}
		m.end = t.end
		return m, ok
	default:
		m.role = ends
	}
	return m, true
}
