package markup

import "strings"

// Canonical spells a special token's inside with plain characters: models and servers write its bars and joints in
// several look-alike ways.
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

// TokenName is the canonical name of a special token's inside; <|name> is another token than <|name|>.
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
