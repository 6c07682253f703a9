// Package literal parses non-JSON literals, and finds the ends of bracketed values in any notation.
package literal

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// maxDepth is the maximum nesting of objects and lists.
const maxDepth = 8

// A reader parses {key:value,...} with unquoted keys and strings and writes JSON. It is used if the text cannot be
// repaired as JSON.
type reader struct {
	t        string
	i        int
	types    Types
	name     string // name of the current argument
	depth    int
	out      []byte
	fixes    []repair.Fix
	unclosed [256]bool // quote characters without a later closing quote
}

// Types returns the types of a parameter and whether it is declared. A nil Types means that no parameters are known.
type Types func(param string) (types []string, declared bool)

// Read parses the arguments of a call, in braces or parentheses, and returns them as JSON. ok is false for other text.
func Read(text string, t Types) (json string, fixes []repair.Fix, ok bool) {
	r := reader{t: text, types: t}
	if text == "" || text[0] != '{' && text[0] != '(' || !r.object() {
		return "", nil, false
	}
	return string(r.out), r.fixes, true
}

// fix records the repair rule by which text was parsed.
func (r *reader) fix(rule, was string) {
	r.fixes = append(r.fixes, repair.Fix{Rule: rule, Offset: r.i, Was: was})
}

func (r *reader) space() {
	for r.i < len(r.t) && chars.IsSpace(r.t[r.i]) {
		r.i++
	}
}

// object parses members up to the closing bracket. The outermost object may end with the text.
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

// key parses a member name and its separator ':' or '='. It returns false if there is none.
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

// list parses elements up to the closing bracket. Any other closing bracket is an error.
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

// readDelimited parses a string after its opening delimiter. If the closing delimiter is missing, the string ends
// before the next argument or the closing brackets.
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

// readQuoted parses a string in quotes. A quote closes the string if the following text can follow a value. It skips a
// delimiter after the quote.
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

// unescapeText decodes the contents of a double-quoted string, including invalid escapes.
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

// raw parses an unquoted value: a number, a literal, or text up to the next argument or the end.
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

// isText reports whether an unquoted literal is a string, because the parameter accepts strings but not the literal's
// type.
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

// nextKey returns the offset of the comma before the next argument, -1 if there is none. At the top level the argument
// must be declared.
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

// isKey reports whether text begins with a declared parameter name that has unusual characters such as a space,
// followed by ':' or '='.
func (r *reader) isKey(text string) bool {
	n := strings.IndexAny(text[:min(len(text), chars.MaxName)], ":=,\n")
	if r.depth > 1 || r.types == nil || n <= 0 || text[n] != ':' && text[n] != '=' {
		return false
	}
	_, declared := r.types(strings.Trim(strings.TrimSpace(text[:n]), `"'`))
	return declared
}
