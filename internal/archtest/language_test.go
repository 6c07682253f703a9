package archtest_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/internal/archtest"
)

// TestLanguage is the rule of the module's language. With -v it prints the counts, and each function that is named by a participle.
func TestLanguage(t *testing.T) {
	broken, counts, err := rules.CheckLanguage(os.DirFS(root), archtest.Glossary)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range broken {
		t.Error(b)
	}
	t.Log(counts)
	for _, name := range counts.Participles {
		t.Log(name)
	}
}

// Each rule is broken by one file, and by nothing that only looks like it.
func TestCheckLanguage(t *testing.T) {
	glossary := archtest.Language{Words: map[string]string{"rung": "candidate"}, Phrases: map[string]string{"goes on": `"continues"`}, Verbs: []string{"embed"},
		CommentWidth: 40, LongLine: 60, MaxWhat: 100, MaxParticiple: 100, MaxLong: 10_000}
	strict := glossary
	strict.MaxWhat, strict.MaxParticiple, strict.MaxLong = 0, 0, 0
	wide := strings.Repeat("wide ", 12)
	for _, c := range []struct {
		about, text string
		rules       archtest.Language
		want        []string
	}{
		{"nothing wrong", "// Package a is small.\npackage a\n\n// readRow reads a row.\nfunc readRow() {}\n\n// embed embeds.\nfunc embed() {}\n\n// wrung is no rung.\nvar wrung, wrungs = 1, 2\n", strict, nil},
		{"a word of a function", "package a\n\nfunc nextRung() {}\n", strict, []string{`a/b.go:3:6: nextRung has the word "rung": use candidate`}},
		{"a word of a field", "package a\n\ntype t struct {\n\tRungAt int\n}\n", strict, []string{`a/b.go:4:2: RungAt has the word "rung": use candidate`}},
		{"a phrase over a line's end", "package a\n\n// f goes\n// on.\nfunc f() {}\n", strict, nil},
		{"a phrase", "package a\n\n// f goes\n// on and ends.\nfunc f() {}\n", strict, []string{`a/b.go:3:1: says "goes on": say "continues"`}},
		{"a wide comment", "package a\n\n// " + wide + "\nfunc f() {}\n", glossary, []string{"a/b.go:3:1: a comment of 63 characters, at most 40"}},
		{"a wide directive, address and example", "package a\n\n//go:generate " + wide + "\n// https://" + strings.Repeat("x", 60) + "\n//\n//\t" + wide + "\nfunc f() {}\n", glossary, nil},
		{"a clause", "package a\n\n// f is what it does.\nfunc f() {}\n", strict, []string{`doc comments with "what" in 100: 100.00, at most 0.00`}},
		{"a participle", "package a\n\nfunc written() {}\n\nfunc (t) Parsed() {}\n", strict, []string{"functions named by a participle: 2.00, at most 0.00"}},
		{"a long line", "package a\n\nvar x = \"" + wide + "\"\n", strict, []string{"long lines in 10,000: 3333.33, at most 0.00"}},
	} {
		got, _, err := small.CheckLanguage(fstest.MapFS{"a/b.go": {Data: []byte(c.text)}, "a/b_test.go": {Data: []byte("package a\n\nvar rung = 1\n")}}, c.rules)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: error %v (-want +got):\n%s", c.about, err, diff)
		}
	}
}
