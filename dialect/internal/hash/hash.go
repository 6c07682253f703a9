// Package hash parses calls in the notation {tool => "name", args => { --key "value" }}.
package hash

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Read parses a complete call. args is a JSON object. ok is false for any other text.
func Read(text string) (name string, args []byte, ok bool) {
	rest, ok := cut(text, "{", "tool", "=>")
	if !ok || rest == "" || rest[0] != '"' {
		return "", nil, false
	}
	n := strings.IndexByte(rest[1:], '"')
	if n < 0 {
		return "", nil, false
	}
	name = rest[1 : n+1]
	if rest, ok = cut(rest[n+2:], ",", "args", "=>", "{"); !ok {
		return "", nil, false
	}
	args = []byte{'{'}
	for strings.HasPrefix(rest, "--") {
		if len(args) > 1 {
			args = append(args, ',')
		}
		if args, rest, ok = flag(args, rest[2:]); !ok {
			return "", nil, false
		}
	}
	rest, ok = cut(rest, "}", "}")
	return name, append(args, '}'), ok && rest == ""
}

// cut removes parts, with white space between them, from the beginning of text. ok is false if a part is missing.
func cut(text string, parts ...string) (rest string, ok bool) {
	rest = strings.TrimSpace(text)
	for _, p := range parts {
		if rest, ok = strings.CutPrefix(rest, p); !ok {
			return "", false
		}
		rest = strings.TrimLeft(rest, " \t\r\n")
	}
	return rest, true
}

// flag parses an argument after its "--": a key and a value. The value is a quoted string, or the rest of the line as
// JSON or plain text. A missing value is true. flag appends the argument to b as a JSON member. rest is the text after
// the argument. ok is false for other text.
func flag(b []byte, text string) (out []byte, rest string, ok bool) {
	n := strings.IndexAny(text, " \t\r\n=}")
	if n <= 0 {
		return b, "", false
	}
	b = append(jsonx.AppendQuote(b, text[:n]), ':')
	text = strings.TrimLeft(text[n:], " \t=")
	if text == "" {
		return b, "", false
	}
	if text[0] == '"' {
		for i := 1; i < len(text); i++ {
			switch {
			case text[i] == '\\':
				i++
			case text[i] == '"' && endsValue(text[i+1:]):
				return appendString(b, text[:i+1]), strings.TrimLeft(text[i+1:], " \t\r\n,"), true
			}
		}
		return b, "", false
	}
	end := strings.IndexByte(text, '\n')
	if end < 0 {
		end = strings.IndexByte(text, '}')
	}
	if end < 0 {
		return b, "", false
	}
	value := []byte(strings.TrimRight(text[:end], " \t\r,"))
	if len(value) == 0 {
		return append(b, "true"...), strings.TrimLeft(text[end:], " \t\r\n"), true
	}
	if jsonx.Valid(value) == nil {
		b = append(b, value...)
	} else {
		b = jsonx.AppendQuote(b, string(value))
	}
	return b, strings.TrimLeft(text[end:], " \t\r\n"), true
}

// appendString appends a quoted string as JSON. Its inner quotes may be unescaped.
func appendString(b []byte, text string) []byte {
	if jsonx.Valid([]byte(text)) == nil {
		return append(b, text...)
	}
	return jsonx.AppendQuote(b, text[1:len(text)-1])
}

// endsValue reports whether text continues with the next argument or with the end of the arguments.
func endsValue(text string) bool {
	trimmed := strings.TrimLeft(text, " \t,")
	if trimmed == "" || trimmed[0] != '\r' && trimmed[0] != '\n' && trimmed[0] != '}' && !strings.HasPrefix(trimmed, "--") {
		return false
	}
	trimmed = strings.TrimLeft(trimmed, " \t\r\n")
	return strings.HasPrefix(trimmed, "--") || strings.HasPrefix(trimmed, "}")
}
