package toolname_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/callwright/callwright/dialect/internal/toolname"
	"pgregory.net/rapid"
)

// A withheld name is resolved however its words are written, and behind any namespace.
func TestWithheld(t *testing.T) {
	names := toolname.New([]string{"state_get", "git__commit"}, "facts_commit", "ws:wipe")
	rapid.Check(t, func(t *rapid.T) {
		words := []string{"facts", "commit"}
		separator := rapid.SampledFrom([]string{"", "_", "-", ".", " ", "__", ":", "/", `\_`}).Draw(t, "separator")
		shape := rapid.SampledFrom([]func(string) string{strings.ToLower, strings.ToUpper, title}).Draw(t, "case")
		written := shape(words[0]) + separator + shape(words[1])
		if before := rapid.StringMatching(`([a-zA-Z0-9]{1,8}(_|-|\.|:|/|__)){0,3}`).Draw(t, "namespace"); before != "" {
			written = before + written
		}
		for _, s := range []string{written, written + "()", written + ":0", "`" + written + "`"} {
			if got, rule, ok := names.Resolve(s); !ok || got != "facts_commit" || rule == "" && s != got {
				t.Fatalf("%q: %q by %q", s, got, rule)
			}
		}
		if got, ok := names.Plain(written); !ok || got != "facts_commit" {
			t.Fatalf("%q stands for %q", written, got)
		}
		for i := range written {
			if isName(written[:i+1]) && !names.Begins(written[:i+1]) {
				t.Fatalf("%q begins no name", written[:i+1])
			}
		}
	})
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// isName reports whether a text has the characters of names alone.
func isName(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_-.:/", c)
	}) < 0
}

// Other names are resolved as they would be without one that is withheld, and what only ends like it is none.
func TestOthersBesideWithheld(t *testing.T) {
	without, names := toolname.New(declared), toolname.New(declared, "facts_commit")
	for _, written := range append([]string{"artifacts_commit", "commit", "facts", "facts_commits", "facts_committed", "refacts_commit", "", "_", strings.Repeat("x_", 2000) + "facts_commit"}, declared...) {
		want, by, known := without.Resolve(written)
		got, rule, ok := names.Resolve(written)
		if got != want || rule != by || ok != known {
			t.Errorf("%.40q: %q by %q, want %q by %q", written, got, rule, want, by)
		}
	}
}

// Nothing panics, and of what a withheld name is resolved from its letters are the last.
func FuzzWithheld(f *testing.F) {
	f.Add("Workspace::factsCommit()")
	f.Add("facts\u200bcommit")
	f.Fuzz(func(t *testing.T, written string) {
		names := toolname.New([]string{"state_get"}, "facts_commit")
		got, _, ok := names.Resolve(written)
		letters := strings.Map(func(c rune) rune {
			if unicode.IsLetter(c) {
				return unicode.ToLower(c)
			}
			return -1
		}, written)
		if ok && got == "facts_commit" && !strings.Contains(letters, "factscommit") {
			t.Errorf("%q: %q", written, got)
		}
	})
}
