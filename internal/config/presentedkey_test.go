package config_test

import (
	"testing"

	"github.com/callwright/callwright/internal/access"
)

// A program on the gateway's machine presents the first key that the configuration has as a text.
func TestPresentedKey(t *testing.T) {
	env := func(name string) (string, bool) {
		if name == "SET" {
			return "from the environment", true
		}
		return "", false
	}
	hashed := access.HashOf("other").String()
	for text, want := range map[string]string{
		"{}":                          "",
		"keys: [plain, second]":       "plain",
		"keys: ['" + hashed + "']":    "",
		"keys: ['env:SET']":           "from the environment",
		"keys: ['env:UNSET', second]": "second",
		"keys: ['" + hashed + "', {name: a, key: second}]": "second",
	} {
		if got := parse(t, text).PresentedKey(env); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
