package markup

import "strings"

// Canonical returns the inside of a special token with ASCII characters, because models write bars and joints with
// several similar characters.
func Canonical(s string) string {
	if isPlain(s) {
		return strings.Trim(s, "|")
	}
	var b strings.Builder
	for _, r := range s {
		switch r {
		case '｜', '‖':
			r = '|'
		case '▁':
			r = '_'
		case ' ':
			continue
		}
		b.WriteRune(r)
	}
	return strings.Trim(b.String(), "|")
}

// TokenName returns the canonical name of a special token. inside is its text without angle brackets. The name for
// <|name> differs from that for <|name|>.
func TokenName(inside string) string {
	name := Canonical(inside)
	if inside != "" && inside[len(inside)-1] < 0x80 && !strings.HasSuffix(inside, "|") {
		name += ">"
	}
	return name
}

func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 || s[i] == ' ' {
			return false
		}
	}
	return true
}
