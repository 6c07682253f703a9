package jsonx_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"pgregory.net/rapid"
)

// A name stands in a pointer without a slash, and is read from it again.
func TestPointerTokens(t *testing.T) {
	for name, want := range map[string]string{"": "", "a/b": "a~1b", "m~n": "m~0n", "~1": "~01", "é": "é"} {
		if got := jsonx.EscapeToken(name); got != want {
			t.Errorf("%q: expected %q, got %q", name, want, got)
		}
	}
	if got := jsonx.UnescapeToken("a~2~"); got != "a~2~" {
		t.Errorf("got %q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.SampledFrom([]rune("~/01aé"))).Draw(t, "name")
		token := jsonx.EscapeToken(name)
		if got := jsonx.UnescapeToken(token); got != name || strings.Contains(token, "/") {
			t.Fatalf("%q is %q, and read as %q", name, token, got)
		}
	})
}
