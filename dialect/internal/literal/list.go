package literal

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/arith"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// List reads a flat list in Python's way whose elements need no quotes, as JSON: [dusk, dawn], [1, 2*3]. A constant
// expression is its value, a word is a string. rule is the rule of package repair by which it was read. ok is false for
// anything else.
func List(text string) (json, rule string, ok bool) {
	inner, open := strings.CutPrefix(strings.TrimSpace(text), "[")
	inner, shut := strings.CutSuffix(inner, "]")
	if inner = strings.TrimSpace(inner); !open || !shut || inner == "" {
		return "", "", false
	}
	rule = "python_literal"
	out := []byte{'['}
	for len(inner) > 0 {
		end := elementEnd(inner)
		if len(out) > 1 {
			out = append(out, ',')
		}
		element := strings.TrimSpace(inner[:end])
		if v, computed := arith.Eval(element); computed {
			out, rule = append(out, v...), "number_form"
		} else if out, ok = appendElement(out, element); !ok {
			return "", "", false
		}
		inner = strings.TrimLeft(inner[min(end+1, len(inner)):], " \t\r\n")
	}
	return string(append(out, ']')), rule, true
}

// elementEnd is where the first element of a list ends: before a comma outside of quotes.
func elementEnd(t string) int {
	if q := t[0]; q == '"' || q == '\'' {
		if n := strings.IndexByte(t[1:], q); n >= 0 {
			if k := strings.IndexByte(t[n+1:], ','); k >= 0 {
				return n + 1 + k
			}
			return len(t)
		}
	}
	if n := strings.IndexByte(t, ','); n >= 0 {
		return n
	}
	return len(t)
}

func appendElement(out []byte, text string) ([]byte, bool) {
	if r, err := repair.Python(text); err == nil && r.Rest == "" {
		return append(out, r.JSON...), true
	}
	if text == "" || strings.ContainsAny(text, "\"'=+*\n") || markup.IsScalar(text) {
		return out, false
	}
	return jsonx.AppendQuote(out, text), true
}
