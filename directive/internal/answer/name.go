package answer

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// The member names of a document and of a directive.
const (
	TextMember       = "assistant_text"
	DirectivesMember = "directives"
	TypeMember       = "type"
	PayloadMember    = "payload"
)

// Plain returns the declared member name that key means in another case or with other separators, such as
// assistant_text for "assistantText". It returns any other key unchanged.
func Plain(key string) string {
	switch key {
	case TextMember, DirectivesMember, TypeMember, PayloadMember:
		return key
	}
	switch folded := strings.Map(fold, key); folded {
	case "assistanttext":
		return TextMember
	case DirectivesMember, TypeMember, PayloadMember:
		return folded
	}
	return key
}

// Pointer returns the JSON pointer to a member of the document.
func Pointer(name string) string { return "/" + jsonx.EscapeToken(name) }

// fold returns c in lower case, or -1 for a separator.
func fold(c rune) rune {
	switch {
	case c == '_' || c == '-' || c == ' ':
		return -1
	case c >= 'A' && c <= 'Z':
		return c | 0x20
	}
	return c
}

// notOfKey reports whether c cannot be part of an unquoted member name.
func notOfKey(c rune) bool {
	return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '_' && c != '-' && c != '.'
}
