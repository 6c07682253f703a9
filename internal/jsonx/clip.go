package jsonx

import "unicode/utf8"

// Clip returns a prefix of s of at most n bytes that ends at a rune boundary.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// ValidObject reports whether doc is exactly one valid JSON object.
func ValidObject(doc []byte) bool { return KindOf(doc) == Object && Valid(doc) == nil }
