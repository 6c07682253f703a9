package literal

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/arith"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// List converts a flat list with unquoted elements, such as [dusk, dawn] or [1, 2*3], to JSON. Constant expressions
// are evaluated and words become strings. rule is the repair rule. ok is false for any other text.
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

// elementEnd returns the end of the first element: a comma outside quotes, or the end of t.
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
