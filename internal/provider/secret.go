package provider

import (
	"fmt"
	"log/slog"

	"github.com/callwright/callwright/internal/redact"
)

// A Secret is a credential that prints as "[redacted]" in every format, also inside other values. Only Reveal returns
// its text. The zero Secret is empty.
type Secret struct {
	// text is a pointer, so that printing a value with an unexported Secret prints an address.
	text *string
}

// NewSecret returns a Secret with the text: the credential itself, "env:NAME" for an environment variable, or
// "file:PATH" for a file.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{&text}
}

// Reveal returns the text of the secret, "" for the empty Secret.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Empty reports whether the secret has no text.
func (s Secret) Empty() bool { return s.text == nil }

// String returns "[redacted]", or "" for the empty Secret.
func (s Secret) String() string {
	if s.Empty() {
		return ""
	}
	return redact.Mark
}

// Format prints the result of String for every verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

// MarshalText returns the result of String, so that encodings do not contain the text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalJSON returns the result of String as a JSON string.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + s.String() + `"`), nil }

// UnmarshalText sets the secret to the text.
func (s *Secret) UnmarshalText(text []byte) error {
	*s = NewSecret(string(text))
	return nil
}

// LogValue returns the result of String.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
