package literal

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// readJoinedStrings parses adjacent strings, with or without plus signs, or one string in backquotes, at t[i:] as one
// value. ok is false if they are incomplete or other text follows.
func readJoinedStrings(t string, i int) (text string, end int, ok bool) {
	var b strings.Builder
	n := 0
	for end = i; ; n++ {
		piece, after := stringAt(t, end)
		if after == 0 {
			return "", 0, false
		}
		b.WriteString(piece)
		next := chars.SpaceEnd(t, after)
		if next >= len(t) || strings.IndexByte(",}])", t[next]) >= 0 {
			return b.String(), after, n > 0 || t[i] == '`'
		}
		if end = next; t[next] == '+' {
			end = chars.SpaceEnd(t, next+1)
		} else if next == after && delimiterAt(t[next:]) == 0 {
			return "", 0, false
		}
	}
}

// stringAt parses the string at t[i:] in quotes or delimiters. end is 0 if there is no complete one.
func stringAt(t string, i int) (text string, end int) {
	if i >= len(t) {
		return "", 0
	}
	if size := delimiterAt(t[i:]); size > 0 {
		at, n := NextDelimiter(t[i+size:])
		if at < 0 {
			return "", 0
		}
		return t[i+size : i+size+at], i + size + at + n
	}
	q := t[i]
	if q != '"' && q != '\'' && q != '`' {
		return "", 0
	}
	for end = i + 1; end < len(t) && t[end] != q; end++ {
		if t[end] == '\\' {
			end++
		}
	}
	if end >= len(t) {
		return "", 0
	}
	read, err := repair.JSON(t[i : end+1])
	text, ok := jsonx.String(read.JSON)
	if err != nil || !ok || read.Rest != "" {
		return t[i+1 : end], end + 1
	}
	return text, end + 1
}
