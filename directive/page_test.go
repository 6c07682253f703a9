package directive_test

import (
	"os"
	"strings"
	"testing"
)

// TestPage holds the program on the page, and what it prints, to the Example, which is run.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../docs/directives.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, block := range strings.Split(string(page), "\n```")[1:] {
		indent := map[string]string{"go": "\t", "text": "\t// "}
		mark, text, _ := strings.Cut(block, "\n")
		if indent[mark] == "" {
			continue
		}
		shown++
		var want strings.Builder
		for line := range strings.Lines(text + "\n") {
			want.WriteString(indent[mark] + line)
		}
		if !strings.Contains(string(source), want.String()) {
			t.Errorf("no example has\n%s", want.String())
		}
	}
	if shown != 2 {
		t.Errorf("the page has %d blocks of a program", shown)
	}
}
