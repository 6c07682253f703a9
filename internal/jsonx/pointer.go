package jsonx

import "strings"

var (
	tokenEscapes   = strings.NewReplacer("~", "~0", "/", "~1")
	tokenUnescapes = strings.NewReplacer("~1", "/", "~0", "~")
)

// EscapeToken returns a name as it stands in a JSON pointer (RFC 6901): '~' is written ~0 and '/' ~1.
func EscapeToken(name string) string { return tokenEscapes.Replace(name) }

// UnescapeToken returns the name that a token of a JSON pointer stands for. A '~' that begins no escape stays as it is.
func UnescapeToken(token string) string { return tokenUnescapes.Replace(token) }
