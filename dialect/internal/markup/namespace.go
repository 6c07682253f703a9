package markup

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/tristate"
)

// namespaces are prefixes of tag names that do not change the meaning.
var namespaces = []string{"antml:", "atem:", "steptml:", "ns:", "ifm|", "DSML:", "mm:"}

// NamespaceEnd returns the end of a namespace at t[i:] before a tag name, or i if there is none. The state is Yes in
// both cases, Maybe if more text is needed, and No for bars that enclose no namespace.
func NamespaceEnd(t string, i int, ended bool) (int, tristate.State) {
	if n := chars.BarAt(t, i); n < 0 {
		return i, tristate.Unless(ended)
	} else if n > 0 {
		return barredEnd(t, i, ended)
	}
	rest := t[i:]
	for _, p := range namespaces {
		if len(rest) >= len(p) && strings.EqualFold(rest[:len(p)], p) {
			return i + len(p), tristate.Yes
		}
		if !ended && rest != "" && len(rest) < len(p) && strings.EqualFold(p[:len(rest)], rest) {
			return i, tristate.Maybe
		}
	}
	return i, tristate.Yes
}

// barredEnd returns the end of a namespace between bars at t[i:] before a tag name, as in <｜DSML｜invoke>. The state is
// No if other text follows the bars.
func barredEnd(t string, i int, ended bool) (int, tristate.State) {
	limit := min(len(t), i+maxNamespace)
	bars := 0
	for i < limit {
		switch n := chars.BarAt(t, i); {
		case n < 0:
			return i, tristate.Unless(ended)
		case n > 0:
			bars++
			i += n
		case t[i] == ' ' || 'A' <= t[i] && t[i] <= 'Z':
			i++
		case (bars >= 2 || bars == 1 && t[i-1] == ' ') && chars.IsTagByte(t[i]):
			return i, tristate.Yes
		default:
			return i, tristate.No
		}
	}
	return i, tristate.Unless(ended || limit < len(t))
}

// maxNamespace is the maximum length of a namespace with its bars in bytes.
const maxNamespace = 32

// BlockEnd reports whether t[i:], after a namespace between bars, is a name for a block of calls, such as "tool calls"
// or "toolcalls", and returns its end.
func BlockEnd(t string, i int, ended bool) (int, tristate.State) {
	end := i
	for end < len(t) && end-i < maxBlockName && (chars.IsLower(t[end]) || t[end] == ' ' || t[end] == '_') {
		end++
	}
	if end == len(t) {
		return end, tristate.Unless(ended)
	}
	return end, tristate.YesIf(strings.HasSuffix(t[i:end], "calls"))
}

// maxBlockName is the maximum length in bytes of the name for a block of calls.
const maxBlockName = 24

// IsBarred reports whether the tag t has a namespace between bars.
func IsBarred(t string) bool { return chars.BarAt(t, len("<")) > 0 || chars.BarAt(t, len("</")) > 0 }

// CitationEnd returns the end of the marker after a citation, whose source names begin at t[i:]. The state is No if the
// marker does not end on the line.
func CitationEnd(t string, i int, ended bool) (int, tristate.State) {
	for k := i; k < len(t) && k-i < chars.MaxTag; k++ {
		switch t[k] {
		case '>':
			return k + 1, tristate.Yes
		case '\n', '<':
			return 0, tristate.No
		}
	}
	return 0, tristate.Unless(ended || len(t)-i >= chars.MaxTag)
}

// FirstKey returns the first key of the object at the beginning of t. The state is No if the key is not quoted.
func FirstKey(t string, ended bool) (string, tristate.State) {
	i := chars.SpaceEnd(t, 1)
	if i == len(t) {
		return "", tristate.Unless(ended)
	}
	if t[i] != '"' {
		return "", tristate.No
	}
	end := chars.WordEnd(t, i+1)
	if end == len(t) {
		return "", tristate.Unless(ended)
	}
	return t[i+1 : end], tristate.Yes
}

// ClosesTag reports whether t begins with the quote q before '>' or white space, or may do so with more text.
func ClosesTag(t string, q byte) bool {
	return t == "" || t[0] == q && (len(t) == 1 || t[1] == '>' || chars.IsSpace(t[1]))
}
