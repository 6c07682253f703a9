package dialect

import (
	"slices"
	"strings"
)

// Bounds of what is held back for a mark.
const (
	maxToken = 96
	maxTag   = 640
)

// A lexer finds the marks of all formats in a text, and the tags that are named after declared tools.
type lexer struct {
	marks *index
	names *Names
}

// lex reports whether a mark stands at t[i:]. With ended there will be no more text.
func (l *lexer) lex(t string, i int, ended bool) (token, tristate) {
	switch {
	case t[i] == ']':
		return l.lexPrefixed(t[i:], ended)
	case t[i] != '<':
		return l.lexLiteral(t[i:], ended)
	case i+1 == len(t):
		return token{}, unless(ended)
	}
	if n := barAt(t, i+1); n != 0 {
		return l.lexToken(t[i:], n, ended)
	}
	return l.lexTag(t[i:], ended)
}

// unless is maybe while more text can come.
func unless(ended bool) tristate {
	if ended {
		return no
	}
	return maybe
}

func (l *lexer) lexLiteral(t string, ended bool) (token, tristate) {
	v := no
	for k := range l.marks.literals {
		lit := &l.marks.literals[k]
		if strings.HasPrefix(t, lit.text) {
			return lit.token(len(lit.text)), yes
		}
		if !ended && len(t) < len(lit.text) && strings.HasPrefix(lit.text, t) {
			v = maybe
		}
	}
	return token{}, v
}

// barAt is the length of the bar, or of its look-alike, at t[i:], with a space that may stand before it; -1 where one may
// be cut.
func barAt(t string, i int) int {
	if i < len(t) && t[i] == ' ' {
		if n := bar(t, i+1); n != 0 {
			return n + min(1, max(n, 0))
		}
		return 0
	}
	if i == len(t) {
		return 0
	}
	return bar(t, i)
}

// bar is barAt without the space; nothing may be a bar, too.
func bar(t string, i int) int {
	if i >= len(t) {
		return -1
	}
	if t[i] == '|' {
		return 1
	}
	for _, look := range [...]string{"｜", "‖"} {
		if strings.HasPrefix(t[i:], look) {
			return len(look)
		}
		if len(t)-i < len(look) && strings.HasPrefix(look, t[i:]) {
			return -1
		}
	}
	return 0
}

// lexToken reads <|name|>. bar is the length of the first bar.
func (l *lexer) lexToken(t string, bar int, ended bool) (token, tristate) {
	if bar < 0 {
		return token{}, unless(ended)
	}
	limit := min(len(t), maxToken)
	for i := 1 + bar; i < limit; i++ {
		switch t[i] {
		case '>':
			name := tokenName(t[1:i])
			if f, ok := l.marks.frames[name]; ok {
				if x, v := l.lexFrame(t, i+1, &f, ended); v != no {
					return x, v
				}
			}
			e, ok := l.marks.specials[name]
			if !ok {
				return l.lexTag(t, ended)
			}
			return e.token(i + 1), yes
		case '\n', '<', '"':
			return l.lexTag(t, ended)
		}
	}
	if ended || limit == maxToken || !hasPrefixed(l.marks.tokens, canonical(strings.ToValidUTF8(t[1:limit], ""))) {
		return l.lexTag(t, ended)
	}
	return token{}, maybe
}

func hasPrefixed(sorted []string, prefix string) bool {
	i, _ := slices.BinarySearch(sorted, prefix)
	return i < len(sorted) && strings.HasPrefix(sorted[i], prefix)
}

// namespaces stand before the name of a tag without changing its meaning.
var namespaces = []string{"antml:", "atem:", "steptml:", "ns:", "ifm|"}

// lexTag reads <name>, </name>, <name=value> and <name key="value">.
func (l *lexer) lexTag(t string, ended bool) (token, tristate) {
	x := token{}
	i := 1
	if i < len(t) && t[i] == '/' {
		x.close, i = true, 2
	}
	i, v := l.skipNamespace(t, i, ended)
	if v != yes {
		return x, v
	}
	from := i
	for i < len(t) && isTagByte(t[i]) && i-from < maxToken {
		i++
	}
	name := t[from:i]
	if i < len(t) && t[i] > ' ' && t[i] != '>' && t[i] != '=' && t[i] != '/' {
		i = l.suffixEnd(t, name, i)
	}
	if i == len(t) {
		if ended || !l.beginsTag(name) {
			return x, no
		}
		return x, maybe
	}
	if !l.knows(name, &x) {
		base, glued := strings.CutSuffix(name, "name")
		if !glued || t[i] != '=' || !l.knows(base, &x) || x.named {
			return x, no
		}
		i -= len("name") // <functionname="x">: the white space was lost
	}
	if x.role == Cite && x.close {
		return lexCitation(t, i, x, ended)
	}
	return l.lexAttributes(t, i, x, ended)
}

// skipNamespace passes what stands before a tag's name.
func (l *lexer) skipNamespace(t string, i int, ended bool) (int, tristate) {
	if n := barAt(t, i); n < 0 {
		return i, unless(ended)
	} else if n > 0 {
		return skipBarred(t, i, ended)
	}
	rest := t[i:]
	for _, p := range namespaces {
		if len(rest) >= len(p) && strings.EqualFold(rest[:len(p)], p) {
			return i + len(p), yes
		}
		if !ended && rest != "" && len(rest) < len(p) && strings.EqualFold(p[:len(rest)], rest) {
			return i, maybe
		}
	}
	return i, yes
}

// skipBarred passes a namespace between bars, as in <｜DSML｜invoke>.
func skipBarred(t string, i int, ended bool) (int, tristate) {
	limit := min(len(t), i+32)
	bars := 0
	for i < limit {
		switch n := barAt(t, i); {
		case n < 0:
			return i, unless(ended)
		case n > 0:
			bars++
			i += n
		case t[i] == ' ' || 'A' <= t[i] && t[i] <= 'Z':
			i++
		case bars >= 2 && isTagByte(t[i]):
			return i, yes
		default:
			return i, no
		}
	}
	if limit < len(t) {
		return i, no
	}
	return i, unless(ended)
}

func isTagByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' || c == ':' || c == '|'
}

func (l *lexer) beginsTag(name string) bool {
	name = unsuffixed(name)
	if hasPrefixed(l.marks.names, name) || l.names.begins(name) {
		return true
	}
	n := strings.LastIndexByte(name, 'n') // <functionname=
	if n < 0 || !strings.HasPrefix("name", name[n:]) {
		return false
	}
	_, known := l.marks.tags[name[:n]]
	return known
}

// unsuffixed removes the suffix that some checkpoints put behind every tag, as in <tool_call:suffix>.
func unsuffixed(name string) string {
	if i := strings.IndexByte(name, ':'); i > 0 && !strings.Contains(name[i+1:], "_") {
		return name[:i]
	}
	return name
}

// knows looks a tag's name up: among the formats' marks, then among the declared tools.
func (l *lexer) knows(name string, x *token) bool {
	if _, ok := l.marks.tags[name]; !ok {
		name = unsuffixed(name)
	}
	if e, ok := l.marks.tags[name]; ok {
		x.tag, x.role, x.format, x.close = e.tag, e.role, e.format, x.close || e.close
		return true
	}
	if l.names.has(name) {
		x.tag, x.role, x.format, x.attr, x.named = name, Wrap, "tool_tag", name, true
		return true
	}
	return false
}

// lexAttributes reads the rest of a tag from t[i:].
func (l *lexer) lexAttributes(t string, i int, x token, ended bool) (token, tristate) {
	switch t[i] {
	case '>':
		x.n = i + 1
		return x, yes
	case '=':
		return lexAssigned(t, i+1, x, ended)
	case ' ', '\t', '\n', '/', 'n', 0xc4:
	default:
		return x, no
	}
	if t[i-1] == ':' && !x.close {
		x.line = true
	}
	limit := min(len(t), maxTag)
	for i < limit {
		switch c := t[i]; {
		case c == '>':
			x.n = i + 1
			return x, yes
		case c == ' ' || c == '\t' || c == '\n':
			i++
		case strings.HasPrefix(t[i:], tokenizerSpace):
			i += len(tokenizerSpace)
		case c == 0xc4 && i+1 == limit:
			return x, unless(ended || limit == maxTag)
		case c == '/':
			x.alone = true
			i++
		case isTagByte(c):
			end := attribute(t[:limit], i, &x)
			switch {
			case end < 0:
				return x, unless(ended || limit == maxTag)
			case end == i && x.line:
				for i < limit && isTagByte(t[i]) {
					i++
				}
				continue
			case end == i:
				return x, no
			case t[end-1] == '>': // a token stands in place of the tag's end
				x.n = end
				return x, yes
			}
			i = end
		default:
			return x, no
		}
	}
	return x, unless(ended || limit == maxTag)
}

// attribute reads key="value" at t[i:] and returns its end; -1 where it is not yet whole, i where it is none.
func attribute(t string, i int, x *token) int {
	from := i
	for i < len(t) && isTagByte(t[i]) {
		i++
	}
	key := t[from:i]
	if i == len(t) {
		return -1
	}
	if t[i] != '=' {
		return from
	}
	if i++; i == len(t) {
		return -1
	}
	q := t[i]
	if q != '"' && q != '\'' {
		return from
	}
	n := strings.IndexByte(t[i+1:], q)
	if k := strings.Index(t[i+1:], "<|message|>"); k >= 0 && (n < 0 || k < n) && !closesTag(t[i+1+k+len("<|message|>"):], q) {
		x.attr = t[i+1 : i+1+k]
		return i + 1 + k + len("<|message|>")
	}
	if n < 0 {
		return -1
	}
	x.attribute(key, t[i+1:i+1+n])
	return i + n + 2
}

// closesTag reports whether a quote and the end of a tag stand at the beginning of t, or may yet.
func closesTag(t string, q byte) bool {
	return t == "" || t[0] == q && (len(t) == 1 || t[1] == '>' || isSpace(t[1]))
}

// attribute takes one attribute of the tag.
func (x *token) attribute(key, value string) {
	switch {
	case x.named:
		x.args = append(x.args, Arg{Key: key, Text: value})
	case key == "name", key == "tool", key == "tool_name", key == "key", key == "function":
		x.attr = value
	case key == "id", key == "call_id", key == "tool_call_id":
		x.id = value
	case key == "string":
		x.json = value == "false"
	case key == "type" && x.special:
		x.json = value != "string"
	case x.role == Wrap && key != "type" && key != "index":
		x.args = append(x.args, Arg{Key: key, Text: value})
	}
}

// lexAssigned reads the value of <function=value>. The closing bracket may be missing at the end of the line, or
// before a JSON body.
func lexAssigned(t string, i int, x token, ended bool) (token, tristate) {
	x.lines = true
	limit := min(len(t), maxTag)
	for j := i; j < limit; j++ {
		switch t[j] {
		case '>':
			x.attr, x.n = strings.Trim(t[i:j], " \"'"), j+1
			return x, yesIf(x.attr != "")
		case '\n', '{', '<':
			x.attr, x.n = strings.Trim(t[i:j], " \"'"), j
			return x, yesIf(x.attr != "")
		}
	}
	return x, unless(ended || limit == maxTag)
}

// atEnd is yes at the end of the text, and maybe while more can come.
func atEnd(ended bool) tristate {
	if ended {
		return yes
	}
	return maybe
}

// spaceEnd is where the white space at t[i:] ends, of which at most maxBlank bytes are looked at.
func spaceEnd(t string, i int) int {
	limit := min(len(t), i+maxBlank)
	for i < limit && isSpace(t[i]) {
		i++
	}
	return i
}

func yesIf(b bool) tristate {
	if b {
		return yes
	}
	return no
}

// closesCall decides whether the closing mark of a call stands at t[i:], behind other closing marks.
func (l *lexer) closesCall(t string, i int, ended bool) tristate {
	for limit := i + maxBlank; i < limit; {
		i = spaceEnd(t, i)
		if i == len(t) {
			return unless(ended)
		}
		if t[i] != '<' {
			return no
		}
		x, v := l.lex(t, i, ended)
		if v != yes || !x.close {
			return yesMaybe(v == maybe)
		}
		if x.role <= Section {
			return yes
		}
		i += x.n
	}
	return no
}
