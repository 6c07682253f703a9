package control_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/reliable/internal/control"
)

// isControl is the definition of the package, on decoded text.
func isControl(r rune) bool { return r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0x7f }

// TestHas: Has finds exactly the control characters of the decoded string, in each notation of JSON.
func TestHas(t *testing.T) {
	pieces := rapid.SliceOf(rapid.SampledFrom([]string{"a", "é", `\\`, `\"`, `\/`, `\n`, `\t`, `\r`, `\b`, `\f`, `\u0000`, `\u001f`, `\u007f`, `\u0009`,
		`\u000A`, `\u0020`, `\u00e9`, "\x7f", "u0000", "bf"}))
	rapid.Check(t, func(t *rapid.T) {
		doc := `"` + strings.Join(pieces.Draw(t, "pieces"), "") + `"`
		var text string
		if err := json.Unmarshal([]byte(doc), &text); err != nil {
			t.Fatal(err)
		}
		if got, want := control.Has([]byte(doc)), strings.ContainsFunc(text, isControl); got != want {
			t.Errorf("%s: got %v, expected %v", doc, got, want)
		}
		out, changes := control.Clean([]byte(doc))
		if err := json.Unmarshal(out, &text); err != nil || strings.ContainsFunc(text, isControl) || len(changes) > 0 != control.Has([]byte(doc)) {
			t.Errorf("%s was cleaned to %s, changes %v, error %v", doc, out, changes, err)
		}
	})
}
