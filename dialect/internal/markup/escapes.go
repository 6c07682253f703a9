package markup

import (
	"html"
	"strings"
)

// isEscaped reports whether a text has no line end and no double quote but escaped ones.
func isEscaped(t string) bool {
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '\\':
			i++
		case '\n', '"':
			return false
		}
	}
	return true
}

var unescaper = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\"`, `"`, `\\`, `\`)

// Unescaped is a call whose markup is escaped as it was meant. ok is false where the escapes are the text of its values.
func Unescaped(t string) (plain string, ok bool) {
	if t[0] != '<' {
		return html.UnescapeString(t), true
	}
	return unescaper.Replace(t), isEscaped(t)
}
