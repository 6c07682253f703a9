package literal

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/internal/backslash"
)

// maxTrailer is the maximum size of a bracket after a call, because an unclosed one would be searched for after every
// call.
const maxTrailer = 512

// SkipTrailer skips indexes and member accesses on a call's result, as in f(x)[0]['k'].m(). It returns the end.
func SkipTrailer(t string, i int) int {
	for i+1 < len(t) {
		switch {
		case t[i] == '[' || t[i] == '(':
			k := Tracker{}
			end, why := k.Run(t[:min(len(t), i+maxTrailer)], i, "")
			if why != Closed {
				return i
			}
			i = end
		case t[i] == '.' && chars.IsNameByte(t[i+1]):
			i++
			for i < len(t) && chars.IsNameByte(t[i]) {
				i++
			}
		default:
			return i
		}
	}
	return i
}

// QuotedCalls parses the string at the beginning of t. Inner quotes may be unescaped: the string ends at a quote
// before a comma or closing bracket. n is its size, -1 if there is no such end. looked is the number of bytes scanned.
func QuotedCalls(t string) (text string, n, looked int) {
	k := Tracker{}
	k.Step('[')
	end := len(t)
	for i := 0; i < len(t); i++ {
		k.Step(t[i])
		if i > 0 && k.Quote == 0 {
			end = i
			break
		}
	}
	raw := strings.TrimRight(t[:end], " \t\r\n)}]")
	if len(raw) < 2 || raw[len(raw)-1] != raw[0] {
		return "", -1, end
	}
	raw = raw[1 : len(raw)-1]
	if strings.IndexByte(raw, '\\') >= 0 {
		raw = backslash.Unwrap(raw, `"'\`, `"'\`)
	}
	return raw, end, end
}

// IsCall reports whether t begins with a name and a parenthesis.
func IsCall(t string) bool {
	i := 0
	for i < len(t) && chars.IsNameByte(t[i]) {
		i++
	}
	return i > 0 && i < len(t) && t[i] == '('
}

// HoldsCall reports whether text has a declared name before a parenthesis, outside strings.
func HoldsCall(text string, declared func(name string) bool) bool {
	from := 0 // start of the current word
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'':
			if n := strings.IndexByte(text[i+1:], c); n >= 0 {
				i += n + 1
			}
			from = i + 1
		case c == '(' && i-from <= chars.MaxName:
			if declared(text[from:i]) {
				return true
			}
			from = i + 1
		case !chars.IsNameByte(c):
			from = i + 1
		}
	}
	return false
}

// WholeString parses (key='text'), the only argument of a call, as a string up to the last quote. end is the end of
// the call. ok is false for other text.
func WholeString(text string) (value string, end int, ok bool) {
	last := strings.LastIndexByte(text, ')')
	if last < 0 {
		return "", 0, false
	}
	_, value, ok = strings.Cut(text[1:last], "=")
	value = strings.TrimSpace(value)
	if !ok || len(value) < 2 || value[0] != value[len(value)-1] || value[0] != '"' && value[0] != '\'' {
		return "", 0, false
	}
	return value[1 : len(value)-1], last + 1, true
}
