package jsonx

import "strings"

var (
	tokenEscapes   = strings.NewReplacer("~", "~0", "/", "~1")
	tokenUnescapes = strings.NewReplacer("~1", "/", "~0", "~")
)

// EscapeToken escapes a name for a JSON Pointer (RFC 6901): '~' becomes ~0 and '/' becomes ~1.
func EscapeToken(name string) string { return tokenEscapes.Replace(name) }

// UnescapeToken unescapes a token of a JSON Pointer. A '~' that does not begin an escape is kept.
func UnescapeToken(token string) string { return tokenUnescapes.Replace(token) }
