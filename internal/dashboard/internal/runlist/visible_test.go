package runlist_test

import (
	"testing"

	"github.com/callwright/callwright/internal/dashboard/internal/runlist"
)

// What hides or reorders characters is written as a number; what people read stays.
func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"rm -rf /tmp\n\t# Köln 東京 🚄": "rm -rf /tmp\n\t# Köln 東京 🚄",
		"a\u202ecod.exe":             `a\u202ecod.exe`,
		"a\u2066b\u2069\u200b":       `a\u2066b\u2069\u200b`,
		"a\x00\x1b[2K\r":             `a\u0000\u001b[2K\u000d`,
		"a\u00a0b\U000e0041":         `a\u00a0b\U000e0041`,
		"e\u0301":                    "e\u0301",
		"":                           "",
	} {
		if got := runlist.Visible(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
