package yaml

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// split splits text into lines with their indentation. Only spaces count as indentation.
func split(text string) []line {
	var out []line
	for raw := range strings.Lines(text) {
		raw = strings.TrimSuffix(strings.TrimSuffix(raw, "\n"), "\r")
		body := strings.TrimLeft(raw, " ")
		out = append(out, line{indent: len(raw) - len(body), text: strings.TrimRight(body, " \t"), raw: raw})
	}
	return out
}

// skip skips empty lines and comments.
func (r *reader) skip() {
	for r.at < len(r.lines) && (r.lines[r.at].text == "" || r.lines[r.at].text[0] == '#') {
		r.at++
	}
}

// next returns the next line with content. ok is false at the end.
func (r *reader) next() (line, bool) {
	r.skip()
	if r.at == len(r.lines) {
		return line{}, false
	}
	return r.lines[r.at], true
}

// mapping parses the members at one indentation.
func (r *reader) mapping(indent int) (members []Member, ok bool) {
	if r.depth++; r.depth > maxDepth {
		return nil, false
	}
	defer func() { r.depth-- }()
	seen := map[string]bool{}
	for {
		l, more := r.next()
		if !more || l.indent < indent {
			return members, len(members) > 0
		}
		key, rest, isKey := cutKey(l.text)
		if l.indent > indent || !isKey || seen[key] {
			return nil, false
		}
		seen[key] = true
		m, ok := r.value(rest, indent)
		if !ok {
			return nil, false
		}
		m.Key = key
		members = append(members, m)
	}
}

// cutKey splits a line into its key and the text after the colon. ok is false if the line does not begin with a key.
func cutKey(text string) (key, rest string, ok bool) {
	if text == "" {
		return "", "", false
	}
	if q := text[0]; q == '"' || q == '\'' {
		inner, n, closed := readQuoted(text)
		if !closed || n >= len(text) || text[n] != ':' || n+1 < len(text) && text[n+1] != ' ' {
			return "", "", false
		}
		return inner, strings.TrimLeft(text[n+1:], " \t"), true
	}
	n := strings.IndexByte(text, ':')
	if n <= 0 || n+1 < len(text) && text[n+1] != ' ' && text[n+1] != '\t' || strings.ContainsAny(text[:n], "{}[]#&*!|>'\"%@`<") {
		return "", "", false
	}
	return strings.TrimRight(text[:n], " \t"), strings.TrimLeft(text[n+1:], " \t"), true
}

// value parses the value after a key or dash on the current line, with more deeply indented lines. It returns false for
// an invalid value, an anchor or a type tag.
func (r *reader) value(rest string, indent int) (Member, bool) {
	r.at++
	if rest == "" || rest[0] == '#' {
		return r.below(indent)
	}
	switch rest[0] {
	case '|', '>':
		if text, ok := r.block(rest, indent); ok {
			return Member{Text: text, Kind: Quoted}, true
		}
		return Member{}, false
	case '"', '\'':
		if m, ok := r.quotes(rest, indent); ok {
			return m, true
		}
	case '[', '{':
		if m, ok := r.flow(rest, indent); ok {
			return m, true
		}
	case '&', '*':
		if len(rest) > 1 && rest[1] != ' ' && strings.IndexByte(rest, ' ') < 0 && !strings.HasSuffix(rest, string(rest[0])) {
			return Member{}, false // an anchor
		}
	case '!':
		if strings.HasPrefix(rest, "!!") {
			return Member{}, false
		}
	}
	text, ok := r.plain(rest, indent)
	return Member{Text: text}, ok
}

// below parses the value on the lines below its key: a sequence, a mapping or text. Without one the value is empty.
func (r *reader) below(indent int) (Member, bool) {
	l, more := r.next()
	isList := more && (l.text == "-" || strings.HasPrefix(l.text, "- "))
	switch {
	case !more, l.indent < indent, l.indent == indent && !isList:
		return Member{}, true
	case isList:
		list, ok := r.list(l.indent)
		return Member{Text: string(list), Kind: Node}, ok
	}
	at := r.at
	if members, ok := r.mapping(l.indent); ok {
		return Member{Text: string(appendMembers(nil, members)), Kind: Node}, true
	}
	r.at = at
	if _, _, isKey := cutKey(l.text); isKey {
		return Member{}, false
	}
	return r.value(l.text, indent)
}

// list parses the items of a sequence at one indentation.
func (r *reader) list(indent int) (list []byte, ok bool) {
	if r.depth++; r.depth > maxDepth {
		return nil, false
	}
	defer func() { r.depth-- }()
	list = []byte{'['}
	for n := 0; ; n++ {
		l, more := r.next()
		if !more || l.indent < indent || l.indent == indent && l.text != "-" && !strings.HasPrefix(l.text, "- ") {
			return append(list, ']'), n > 0
		}
		if l.indent > indent {
			return nil, false
		}
		if n > 0 {
			list = append(list, ',')
		}
		if list, ok = r.item(list, l, indent); !ok {
			return nil, false
		}
	}
}

// item parses one item. If it begins with a key or another dash, the lines below align with that.
func (r *reader) item(list []byte, l line, indent int) ([]byte, bool) {
	rest := strings.TrimLeft(l.text[1:], " ")
	column := indent + len(l.text) - len(rest)
	_, _, isKey := cutKey(rest)
	if isDash := rest == "-" || strings.HasPrefix(rest, "- "); isDash || isKey {
		r.lines[r.at] = line{indent: column, text: rest, raw: strings.Repeat(" ", column) + rest}
		if isDash {
			inner, ok := r.list(column)
			return append(list, inner...), ok
		}
		at := r.at
		if members, ok := r.mapping(column); ok {
			return appendMembers(list, members), true
		}
		r.at = at
	}
	m, ok := r.value(rest, indent)
	return appendValue(list, m), ok
}

// plain parses unquoted text that continues on more deeply indented lines. It fails if one of these lines is a key.
func (r *reader) plain(rest string, indent int) (string, bool) {
	text := trimComment(rest)
	if text != rest {
		return text, true
	}
	var b strings.Builder
	b.WriteString(text)
	from := r.at
	r.fold(&b, indent)
	for _, l := range r.lines[from:r.at] {
		if _, _, isKey := cutKey(l.text); isKey {
			return "", false
		}
	}
	return b.String(), true
}

// fold appends the following, more deeply indented lines, with a space for a newline and a newline for an empty line.
func (r *reader) fold(b *strings.Builder, indent int) {
	for r.at < len(r.lines) {
		empty := 0
		for r.at+empty < len(r.lines) && r.lines[r.at+empty].text == "" {
			empty++
		}
		if r.at+empty == len(r.lines) || r.lines[r.at+empty].indent <= indent {
			return
		}
		r.at += empty
		if empty == 0 {
			b.WriteByte(' ')
		}
		for ; empty > 0; empty-- {
			b.WriteByte('\n')
		}
		b.WriteString(r.lines[r.at].text)
		r.at++
	}
}

// trimComment removes a comment after text.
func trimComment(text string) string {
	if n := strings.Index(text, " #"); n >= 0 {
		return strings.TrimRight(text[:n], " \t")
	}
	return text
}

func appendMembers(b []byte, members []Member) []byte {
	b = append(b, '{')
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsonx.AppendQuote(b, m.Key), ':')
		b = appendValue(b, m)
	}
	return append(b, '}')
}

func appendValue(b []byte, m Member) []byte {
	switch m.Kind {
	case Node:
		return append(b, m.Text...)
	case Plain:
		return appendPlain(b, m.Text)
	}
	return jsonx.AppendQuote(b, m.Text)
}

// appendPlain appends unquoted text as the JSON value that it is in YAML.
func appendPlain(b []byte, text string) []byte {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return append(b, "null"...)
	case "True", "TRUE":
		return append(b, "true"...)
	case "False", "FALSE":
		return append(b, "false"...)
	}
	if k := jsonx.KindOf([]byte(text)); k > jsonx.Invalid && k < jsonx.Text && jsonx.Valid([]byte(text)) == nil {
		return append(b, text...)
	}
	return jsonx.AppendQuote(b, text)
}

// OpensBlock reports whether line ends with the header of a block scalar.
func OpensBlock(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	n := strings.LastIndexByte(line, ' ')
	return n > 0 && n+1 < len(line) && (line[n-1] == ':' || line[n-1] == '-') && (line[n+1] == '|' || line[n+1] == '>') && len(line)-n <= 4
}
