package swallowed

import (
	"slices"
	"strings"
)

// prefix precedes each tag in the format of MiniMax M3.
const prefix = "]<]minimax[>["

// maxTag is the maximum length in bytes of a tag, and of a name between two tags.
const maxTag = 512

// Names of tags by their function in a call. callEnds are suffixes, so that dots_function_call matches.
var (
	valueTags = []string{"parameter", "param", "argument", "arg"}
	keyEnds   = []string{"arg_key", "param_key"}
	valueEnds = []string{"arg_value", "param_value"}
	// a colon and letters may follow, as in arg_key:6124c78e
	suffixed = []string{"arg_key", "param_key", "arg_value", "param_value", "arg_type"}
	callTags = []string{"invoke", "function", "call", "tool", "parameters", "arguments"}
	callEnds = []string{"function_call", "function_calls", "tool_call", "tool_calls", "toolcall", "toolcalls", "functioncall",
		"functioncalls"}
)

// marksIn returns the markers in a text, in order. A tag that is unknown to the call formats is included if its name
// is a parameter.
func marksIn(text string, isParam func(name string) bool) []mark {
	var out []mark
	// number of open elements by parameter name; "" for elements of the format, such as <parameter>
	open := map[string]int{}
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

// of returns the key of marksIn's open map for a marker: "" for closers of the format, otherwise the parameter name.
func (m *mark) of() string {
	if m.role == closes {
		return ""
	}
	return m.name
}

// A scanner reads the markers of a text.
type scanner struct {
	text    string
	isParam func(name string) bool
}

// A tag is a tag or a special token in a text. word is the name of the tag without namespace, rest its attributes.
type tag struct {
	word, rest string
	named      bool // the tag has a namespace
	closing    bool
	token      string // name of a special token, as in <|sep|>; "" for tags
	end        int
}

// tagAt returns the tag or special token at offset at. ok is false if there is none.
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

// cutBarWord splits text such as "|DSML|parameter" into the word between the bars and the text after them.
func cutBarWord(body string) (word, rest string, ok bool) {
	for _, bar := range [...]string{"|", "｜"} {
		if after, is := strings.CutPrefix(body, bar); is {
			word, rest, ok = strings.Cut(after, bar)
			return strings.TrimSpace(word), strings.TrimSpace(rest), ok
		}
	}
	return "", "", false
}

// cutNamespace removes a namespace such as "antml:" from the name of a tag. ok is false if there is none.
func cutNamespace(body string) (rest string, ok bool) {
	n := nameEnd(body)
	if n == 0 || n == len(body) || slices.Contains(suffixed, body[:n]) || body[n] != ':' && !(body[n] == '|' && body[:n] == "ifm") {
		return "", false
	}
	rest = body[n+1:]
	return rest, nameEnd(rest) > 0
}

// nameEnd returns the length in bytes of the name at the start of s, 0 if there is none.
func nameEnd(s string) int {
	for i := range len(s) {
		c := s[i]
		if !(c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || i > 0 && (c == '-' || c == '.' || '0' <= c && c <= '9')) {
			return i
		}
	}
	return len(s)
}

// mark returns the marker at offset at. ok is false if there is none.
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

// closing sets the role of the marker for a closing tag. It returns false if the tag belongs to no call format and no
// parameter.
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

// isCallEnd reports whether word is the tag name of a call or of a list of calls.
func isCallEnd(word string) bool {
	return slices.ContainsFunc(callEnds, func(end string) bool { return strings.HasSuffix(word, end) })
}

// attribute returns the value of the attribute name or key, which must be the first of a tag. The value is the name of
// a parameter.
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

// between returns the text from offset from to the next tag or special token, and this tag.
func (s *scanner) between(from int) (text string, next tag, ok bool) {
	rest := s.text[from:min(len(s.text), from+maxTag)]
	n := strings.IndexByte(rest, '<')
	if n < 0 {
		return "", tag{}, false
	}
	next, ok = s.tagAt(from + n)
	return strings.TrimSpace(rest[:n]), next, ok
}

// pair reads an opener that consists of several tags, <arg_key>NAME</arg_key><arg_value>. An <arg_type> element may
// precede <arg_value>.
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

// token returns the marker of a special token. word is its name, such as tool_arg:start or open.
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
