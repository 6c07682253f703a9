package dialect_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/callwright/callwright/dialect"
)

// What silences a call that is only shown leaves the same call in peace where it is made: whole, and cut anywhere.
func TestActed(t *testing.T) {
	a, err := txtar.ParseFile("testdata/acted.txtar")
	if err != nil {
		t.Fatal(err)
	}
	declared, err := os.ReadFile("testdata/silent/tools.txt")
	if err != nil {
		t.Fatal(err)
	}
	tools := toolLines(t, string(declared))
	for _, f := range a.Files {
		tool, _, _ := strings.Cut(f.Name, " ")
		c := silentCase{name: f.Name, text: strings.TrimSuffix(string(f.Data), "\n"), o: dialect.Options{Tools: tools}}
		calls, said := c.scan(c.text)
		if !slices.Equal(calls, []string{tool}) {
			t.Errorf("%s: calls %v in:\n%s", c.name, calls, c.text)
		}
		for i := 1; i < len(c.text); i++ {
			if cut, saidCut := c.scan(c.text[:i], c.text[i:]); !slices.Equal(cut, calls) || saidCut != said {
				t.Errorf("%s, cut at %d: calls %v and %q, whole: %v and %q", c.name, i, cut, saidCut, calls, said)
				break
			}
		}
	}
}
