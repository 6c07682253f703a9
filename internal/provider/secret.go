package provider

import (
	"fmt"
	"log/slog"

	"github.com/callwright/callwright/internal/redact"
)

// A Secret is a credential that prints as "[redacted]" in every way a value can be printed, inside other values too.
// Only Reveal gives its text. The zero Secret is empty.
type Secret struct {
	// text is behind a pointer so that printing a value that holds the Secret in an unexported member shows an address.
	text *string
}

// NewSecret returns a Secret that holds text: the credential itself, or "env:NAME" for the environment variable that
// has it.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{&text}
}

// Reveal returns the text.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Empty reports whether there is no text.
func (s Secret) Empty() bool { return s.text == nil }

// String returns "[redacted]", or "" for the empty Secret.
func (s Secret) String() string {
	if s.Empty() {
		return ""
	}
	return redact.Mark
}

// Format prints the result of String, whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

// MarshalText returns the result of String, so that JSON and YAML do not show the text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalJSON returns the result of String as a JSON string.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + s.String() + `"`), nil }

// UnmarshalText takes the text as it stands, so that configurations can hold a Secret.
func (s *Secret) UnmarshalText(text []byte) error {
	*s = NewSecret(string(text))
	return nil
}

// LogValue returns the result of String.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
