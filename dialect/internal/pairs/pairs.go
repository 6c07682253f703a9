// Package pairs parses arguments of the form key=value, separated by white space or commas.
package pairs

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	tri "github.com/callwright/callwright/dialect/internal/tristate"
)

// A Pair is one argument. Text is the unquoted value.
type Pair struct {
	Key, Text string
	IsQuoted  bool
}

// Read parses a text that consists only of pairs. A value is one word or a quoted string with backslash escapes. ok is
// false for other texts and for repeated keys.
func Read(text string) (list []Pair, ok bool) {
	given := map[string]bool{}
	for rest := strings.TrimSpace(text); rest != ""; {
		n := KeyEnd(rest, 0)
		if n == 0 {
			return nil, false
		}
		p := Pair{Key: rest[:n]}
		if p, rest, ok = value(p, rest[n+1:]); !ok || given[p.Key] {
			return nil, false
		}
		given[p.Key] = true
		list = append(list, p)
		next := strings.TrimLeft(rest, " \t\r\n,")
		if next == rest && rest != "" {
			return nil, false
		}
		rest = next
	}
	return list, len(list) > 0
}

// KeyEnd returns the end of the key at text[i:], before its equals sign. It returns i if there is none.
func KeyEnd(text string, i int) int {
	end := i
	for end < len(text) && end-i < chars.MaxName &&
		(chars.IsLetter(text[end]) || text[end] == '_' || text[end] == '-' || end > i && '0' <= text[end] && text[end] <= '9') {
		end++
	}
	if end == i || end == len(text) || text[end] != '=' {
		return i
	}
	return end
}

// value returns p with the value at the beginning of text, and the text after it. ok is false for an invalid value.
func value(p Pair, text string) (out Pair, rest string, ok bool) {
	if text == "" {
		return p, "", false
	}
	q := text[0]
	if q != '"' && q != '\'' {
		end := strings.IndexAny(text, " \t\r\n,")
		if end < 0 {
			end = len(text)
		}
		p.Text = text[:end]
		return p, text[end:], p.Text != "" && !strings.ContainsAny(p.Text, "\"'=<>{}[]()")
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == q:
			p.Text, p.IsQuoted = b.String(), true
			return p, text[i+1:], true
		case c == '\\' && i+1 < len(text) && strings.IndexByte(`\"'nt`, text[i+1]) >= 0:
			i++
			b.WriteByte(unescaped[text[i]])
		default:
			b.WriteByte(c)
		}
	}
	return p, "", false
}

// unescaped maps the byte after a backslash to its meaning.
var unescaped = [256]byte{'\\': '\\', '"': '"', '\'': '\'', 'n': '\n', 't': '\t'}

// ReadBracketedCall parses a call in brackets with quoted pairs, [Calling tool="name" key="value"], or with only a
// name, [Calling tool: name] or [Tool call: name]. ok is false for other text.
func ReadBracketedCall(text string) (name string, list []Pair, ok bool) {
	inside, opened := strings.CutPrefix(text, "[")
	inside, closed := strings.CutSuffix(inside, "]")
	if !opened || !closed {
		return "", nil, false
	}
	if rest, ok := cutFold(inside, calling); ok && KeyEnd(rest, 0) > 0 {
		list, ok = Read(rest)
		if !ok || list[0].Key != "tool" {
			return "", nil, false
		}
		for _, p := range list {
			ok = ok && p.IsQuoted
		}
		return list[0].Text, list[1:], ok
	}
	for _, head := range heads {
		if rest, ok := cutFold(inside, head); ok {
			name = strings.TrimLeft(rest, " \t")
			return name, nil, name != "" && chars.WordEnd(name, 0) == len(name)
		}
	}
	return "", nil, false
}

const calling = "calling "

// heads are the texts before a name without pairs.
var heads = []string{"calling tool:", "tool call:"}

// Begins reports whether text, after an opening bracket, begins a call for ReadBracketedCall.
func Begins(text string, ended bool) tri.State {
	found := tri.State(tri.No)
	for _, head := range [...]string{calling + "tool=", heads[0], heads[1]} {
		if len(text) < len(head) {
			found |= tri.MaybeIf(!ended && strings.EqualFold(head[:len(text)], text))
			continue
		}
		rest, ok := cutFold(text, head)
		if !ok {
			continue
		}
		at := chars.SpaceEnd(rest, 0)
		end := chars.WordEnd(rest, at)
		switch {
		case head[len(head)-1] == '=':
			return tri.Yes
		case end == len(rest):
			return tri.Unless(ended)
		}
		return tri.YesIf(end > at && rest[end] == ']')
	}
	return found
}

// cutFold is a case-insensitive strings.CutPrefix.
func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
