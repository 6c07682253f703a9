// Package literal reads values that are no JSON, and follows a value of any kind to its end.
package literal

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// maxDepth bounds how deep objects and lists are nested.
const maxDepth = 8

// A reader reads {key:value,...}, where keys and strings need no quotes, and writes it as JSON. It is used when
// the text is no JSON that can be mended.
type reader struct {
	t        string
	i        int
	types    Types
	name     string // of the argument at hand
	depth    int
	out      []byte
	fixes    []repair.Fix
	unclosed [256]bool // quotes that nothing after closes
}

// Types gives the types of a parameter, and whether it is declared. It is nil where no parameters are known.
type Types func(param string) (types []string, declared bool)

// Read reads the arguments of a call in the literals of its format.
func Read(text string, t Types) (json string, fixes []repair.Fix, ok bool) {
	r := reader{t: text, types: t}
	if text == "" || text[0] != '{' && text[0] != '(' || !r.object() {
		return "", nil, false
	}
	return string(r.out), r.fixes, true
}

// fix notes a rule by which the text was read.
func (r *reader) fix(rule, was string) {
	r.fixes = append(r.fixes, repair.Fix{Rule: rule, Offset: r.i, Was: was})
}

func (r *reader) space() {
	for r.i < len(r.t) && chars.IsSpace(r.t[r.i]) {
		r.i++
	}
}

// object reads members up to the closing bracket, or to the end of the text for the outermost.
func (r *reader) object() bool {
	r.i++
	r.depth++
	r.out = append(r.out, '{')
	for n := 0; ; n++ {
		for r.space(); r.i < len(r.t) && r.t[r.i] == ','; r.space() {
			r.i++
		}
		if r.i >= len(r.t) || r.t[r.i] == '}' || r.t[r.i] == ')' {
			break
		}
		key, ok := r.key()
		if !ok || r.depth > maxDepth {
			return false
		}
		if n > 0 {
			r.out = append(r.out, ',')
		}
		r.out = append(jsonx.AppendQuote(r.out, key), ':')
		if r.depth == 1 {
			r.name = key
		}
		if !r.value() {
			return false
		}
	}
	whole := r.i < len(r.t)
	if !whole {
		r.fix("missing_closer", "")
	}
	r.i++
	r.depth--
	r.out = append(r.out, '}')
	return whole || r.depth == 0
}

// key reads a member's name and the separator before the value.
func (r *reader) key() (string, bool) {
	n := strings.IndexAny(r.t[r.i:], ":=")
	if n <= 0 || n > chars.MaxName {
		return "", false
	}
	key := strings.TrimSpace(r.t[r.i : r.i+n])
	for _, d := range Delimiters {
		key = strings.ReplaceAll(key, d, "")
	}
	key = strings.Trim(key, `"'`)
	r.i += n + 1
	return key, key != "" && !strings.ContainsAny(key, "{}[]\n")
}

func (r *reader) value() bool {
	from := r.i
	r.space()
	if r.i >= len(r.t) {
		return false
	}
	if text, end, ok := readJoinedStrings(r.t, r.i); ok {
		r.fix("python_literal", r.t[r.i:end])
		r.out = jsonx.AppendQuote(r.out, text)
		r.i = end
		return true
	}
	if size := delimiterAt(r.t[r.i:]); size > 0 {
		r.i += size
		return r.readDelimited()
	}
	switch c := r.t[r.i]; c {
	case '{':
		return r.object()
	case '[':
		return r.list()
	case '"', '\'':
		if !r.unclosed[c] && r.readQuoted(c) {
			return true
		}
		r.unclosed[c] = true
	}
	r.i = from
	return r.raw()
}

// list reads elements up to the closing bracket. Another closing bracket in its place ends the reading.
func (r *reader) list() bool {
	r.i++
	r.depth++
	r.out = append(r.out, '[')
	for n := 0; ; n++ {
		for r.space(); r.i < len(r.t) && r.t[r.i] == ','; r.space() {
			r.i++
		}
		if r.i >= len(r.t) || r.depth > maxDepth || r.t[r.i] == '}' || r.t[r.i] == ')' {
			return false
		}
		if r.t[r.i] == ']' {
			break
		}
		if n > 0 {
			r.out = append(r.out, ',')
		}
		if at := r.i; !r.value() || r.i == at {
			return false
		}
	}
	r.i++
	r.depth--
	r.out = append(r.out, ']')
	return true
}

// readDelimited reads a string after its first delimiter. Where the last one is missing, the string ends before the
// next argument, or before the closing brackets.
func (r *reader) readDelimited() bool {
	rest := r.t[r.i:]
	end, size := NextDelimiter(rest)
	if end >= 0 {
		if cut := r.nextKey(rest[:end]); cut >= 0 && strings.HasSuffix(strings.TrimSpace(rest[:end]), ":") {
			end, size = cut, 0
		}
	} else {
		end, size = len(strings.TrimRight(rest, "}]) \t\r\n")), 0
		r.fix("missing_closer", "")
	}
	r.out = jsonx.AppendQuote(r.out, rest[:end])
	r.i += end + size
	return true
}

// readQuoted reads a string in other quotes, which end it where a value can end. A delimiter that follows them is
// passed.
func (r *reader) readQuoted(q byte) bool {
	for k := r.i + 1; k < len(r.t); k++ {
		if r.t[k] == '\\' && q == '"' {
			k++
			continue
		}
		if r.t[k] != q {
			continue
		}
		after := k + 1
		after += delimiterAt(r.t[after:])
		next := chars.SpaceEnd(r.t, after)
		if next < len(r.t) && strings.IndexByte(",}])", r.t[next]) < 0 {
			continue
		}
		inner := r.t[r.i+1 : k]
		if q == '"' {
			inner = r.unescapeText(inner)
		}
		r.out = jsonx.AppendQuote(r.out, inner)
		if q == '\'' {
			r.fix("single_quotes", r.t[r.i:after])
		}
		r.i = after
		return true
	}
	return false
}

// unescapeText is the text of the inside of a string in double quotes, which may have escapes that JSON does not know.
func (r *reader) unescapeText(inner string) string {
	if strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	quoted := `"` + inner + `"`
	if s, ok := jsonx.String([]byte(quoted)); ok && jsonx.Valid([]byte(quoted)) == nil {
		return s
	}
	read, err := repair.JSON(quoted)
	text, ok := jsonx.String(read.JSON)
	if err != nil || !ok || read.Rest != "" {
		return inner
	}
	for _, f := range read.Fixes {
		f.Offset += r.i
		r.fixes = append(r.fixes, f)
	}
	return text
}

// raw reads a value without quotes: a number, a literal, or the text up to the next argument or the end.
func (r *reader) raw() bool {
	rest := r.t[r.i:]
	end := strings.IndexAny(rest, ",}])")
	if r.depth == 1 {
		if end = r.nextKey(rest); end < 0 {
			end = len(strings.TrimRight(rest, "}) \t\r\n"))
		}
	}
	if end < 0 {
		end = len(rest)
	}
	text := rest[:end]
	r.i += end
	for _, d := range Delimiters {
		text = strings.TrimSuffix(text, d)
	}
	if strings.IndexByte(text, '\n') < 0 {
		text = strings.TrimSpace(text)
	}
	if jsonx.IsNullWord(text) && !r.isText("null") {
		r.out = append(r.out, "null"...)
		return true
	}
	if markup.IsScalar(text) && !r.isText(text) {
		r.out = append(r.out, text...)
		return true
	}
	r.out = jsonx.AppendQuote(r.out, text)
	return true
}

// isText reports whether the literal that was read is text all the same: the parameter takes strings and nothing like
// it.
func (r *reader) isText(literal string) bool {
	if r.types == nil || r.depth > 1 {
		return false
	}
	types, _ := r.types(r.name)
	if !slices.Contains(types, "string") {
		return false
	}
	kind := jsonx.KindOf([]byte(literal)).String()
	return !slices.Contains(types, kind) && !(kind == "number" && slices.Contains(types, "integer"))
}

// nextKey finds the comma before the next argument: a declared parameter at the top, any name deeper in; -1 for none.
func (r *reader) nextKey(rest string) int {
	for k := 0; k < len(rest); k++ {
		n := strings.IndexByte(rest[k:], ',')
		if n < 0 {
			return -1
		}
		k += n
		from := chars.SpaceEnd(rest, k+1)
		to := from
		for to < len(rest) && chars.IsNameByte(rest[to]) && rest[to] != ':' {
			to++
		}
		sign := chars.SpaceEnd(rest, to)
		if to == from || sign >= len(rest) || rest[sign] != ':' && rest[sign] != '=' {
			if r.isKey(rest[from:]) {
				return k
			}
			continue
		}
		if r.depth > 1 || r.types == nil {
			return k
		}
		if _, declared := r.types(rest[from:to]); declared {
			return k
		}
	}
	return -1
}

// isKey reports whether a text begins with the name of a declared parameter that holds more than the bytes of a name,
// such as a space, and a sign. It may be quoted.
func (r *reader) isKey(text string) bool {
	n := strings.IndexAny(text[:min(len(text), chars.MaxName)], ":=,\n")
	if r.depth > 1 || r.types == nil || n <= 0 || text[n] != ':' && text[n] != '=' {
		return false
	}
	_, declared := r.types(strings.Trim(strings.TrimSpace(text[:n]), `"'`))
	return declared
}
