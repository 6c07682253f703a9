package dialect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright/dialect"
)

// A plain text comes back as it is, whatever it says.
func TestPlainTextComesBack(t *testing.T) {
	words := slices.DeleteFunc(slices.Concat(allFragments, []string{"analysis", "analysisLook", "to=", "thought\n", "I'll look. "}), func(s string) bool { return !dialect.IsPlain(s) && !strings.HasPrefix(s, "analysis") })
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 14).Draw(t, "words"), "")
		if !dialect.IsPlain(text) {
			t.Skip()
		}
		o := dialect.Options{Tools: tools, Heuristic: rapid.Bool().Draw(t, "heuristic"), Hint: rapid.SampledFrom([]string{"", "hermes", "react"}).Draw(t, "hint")}
		var want []string
		if text != "" {
			want = []string{"text: " + text}
		}
		if d := cmp.Diff(want, joined(scan(o, text))); d != "" {
			t.Fatalf("%q:\n%s", text, d)
		}
	})
	for text, plain := range map[string]bool{"I look at the file: it's 5 > 3.": true, "Look [here].": false, "a ~ b": false, "\nanalysisFirst": false, "": true} {
		if dialect.IsPlain(text) != plain {
			t.Errorf("IsPlain(%q) is %t", text, !plain)
		}
	}
}
