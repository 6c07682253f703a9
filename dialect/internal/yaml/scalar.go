package yaml

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
)

// block parses a literal (|) or folded (>) block scalar after its header.
func (r *reader) block(header string, indent int) (string, bool) {
	folded, chomp, depth := header[0] == '>', byte(0), 0
	for _, c := range []byte(trimComment(header)[1:]) {
		switch {
		case c == '-' || c == '+':
			chomp = c
		case '1' <= c && c <= '9':
			depth = indent + int(c-'0')
		default:
			return "", false
		}
	}
	from := r.at
	for r.at < len(r.lines) && (r.lines[r.at].text == "" || r.lines[r.at].indent > indent) {
		if depth == 0 && r.lines[r.at].text != "" {
			depth = r.lines[r.at].indent
		}
		r.at++
	}
	lines := make([]string, 0, r.at-from)
	for _, l := range r.lines[from:r.at] {
		lines = append(lines, l.raw[min(depth, len(l.raw), l.indent):])
	}
	last := len(lines)
	for last > 0 && strings.TrimSpace(lines[last-1]) == "" {
		last--
	}
	text := strings.Join(lines[:last], "\n")
	if folded {
		text = fold(lines[:last])
	}
	switch {
	case chomp == '+':
		return text + strings.Repeat("\n", len(lines)-last+min(last, 1)), true
	case chomp == 0 && last > 0:
		text += "\n"
	}
	return text, true
}

// fold joins the lines of a folded block with spaces, except at empty lines and more deeply indented lines.
func fold(lines []string) string {
	var b strings.Builder
	empty, full := 0, ""
	for i, l := range lines {
		if l == "" {
			empty++
			continue
		}
		switch {
		case full == "" && i == empty:
			b.WriteString(strings.Repeat("\n", empty))
		case isDeep(l) || isDeep(full):
			b.WriteString(strings.Repeat("\n", empty+1))
		case empty > 0:
			b.WriteString(strings.Repeat("\n", empty))
		default:
			b.WriteByte(' ')
		}
		b.WriteString(l)
		empty, full = 0, l
	}
	return b.String()
}

func isDeep(l string) bool { return l != "" && (l[0] == ' ' || l[0] == '\t') }

// quotes parses a quoted string, which may continue on more deeply indented lines. It returns false, without moving the
// reader, if other text follows the string.
func (r *reader) quotes(rest string, indent int) (Member, bool) {
	at := r.at
	var b strings.Builder
	b.WriteString(rest)
	if _, _, closed := readQuoted(rest); !closed {
		r.fold(&b, indent)
	}
	text := b.String()
	if inner, n, closed := readQuoted(text); closed {
		if after := strings.TrimSpace(text[n:]); after == "" || after[0] == '#' {
			return Member{Text: inner, Kind: Quoted}, true
		}
	}
	r.at = at
	return Member{}, false
}

// readQuoted parses the quoted string at the beginning of t. n is its size.
func readQuoted(t string) (inner string, n int, closed bool) {
	q := t[0]
	var b strings.Builder
	for i := 1; i < len(t); i++ {
		switch c := t[i]; {
		case c == q && q == '\'' && i+1 < len(t) && t[i+1] == '\'':
			b.WriteByte('\'')
			i++
		case c == q:
			return b.String(), i + 1, true
		case c == '\\' && q == '"' && i+1 < len(t):
			i += escape(&b, t[i+1:])
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, false
}

// escapes has pairs of an escape character and its meaning.
const escapes = "0\x00a\ab\bt\tn\nv\vf\fr\re\x1b  \"\"//\\\\"

// escape decodes an escape sequence after a backslash and returns its length.
func escape(b *strings.Builder, t string) int {
	size := 0
	switch t[0] {
	case 'x':
		size = 2
	case 'u':
		size = 4
	case 'U':
		size = 8
	}
	if size > 0 && len(t) > size {
		if t[0] == 'u' {
			if n := surrogates(b, t); n > 0 {
				return n
			}
		}
		if v, err := strconv.ParseUint(t[1:1+size], 16, 32); err == nil {
			b.WriteRune(rune(v))
			return 1 + size
		}
	}
	for i := 0; i < len(escapes); i += 2 {
		if escapes[i] == t[0] {
			b.WriteByte(escapes[i+1])
			return 1
		}
	}
	b.WriteByte('\\') // an invalid escape: the backslash is text
	_, n := utf8.DecodeRuneInString(t)
	b.WriteString(t[:n])
	return n
}

// surrogates decodes two \u escapes of a UTF-16 surrogate pair and returns their length, 0 if there is none.
func surrogates(b *strings.Builder, t string) int {
	if len(t) < 11 || t[5] != '\\' || t[6] != 'u' {
		return 0
	}
	s, ok := jsonx.String([]byte(`"\` + t[:11] + `"`))
	if !ok || utf8.RuneCountInString(s) != 1 {
		return 0
	}
	b.WriteString(s)
	return 11
}
