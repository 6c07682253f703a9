package answer

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Names of the members of a document and of a directive.
const (
	TextMember       = "assistant_text"
	DirectivesMember = "directives"
	TypeMember       = "type"
	PayloadMember    = "payload"
)

// Plain returns the name of a member as it is declared: models write it in other case, and with other separators.
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

// Pointer returns the JSON pointer to a member of a document.
func Pointer(name string) string { return "/" + jsonx.EscapeToken(name) }

// fold leaves out separators and case.
func fold(c rune) rune {
	switch {
	case c == '_' || c == '-' || c == ' ':
		return -1
	case c >= 'A' && c <= 'Z':
		return c | 0x20
	}
	return c
}

// notOfKey reports whether a character cannot be part of a name without quotes.
func notOfKey(c rune) bool {
	return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '_' && c != '-' && c != '.'
}
