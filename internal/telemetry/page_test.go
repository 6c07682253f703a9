package telemetry_test

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

var figure = regexp.MustCompile(`callwright_[a-z_]+`)

// figuresIn lists the names of figures in files.
func figuresIn(t *testing.T, files ...string) []string {
	t.Helper()
	var out []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, figure.FindAllString(string(text), -1)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// The page for operators names every figure, and none that there is not.
func TestPage(t *testing.T) {
	there := figuresIn(t, "metrics.go", "requests.go", "attempts.go", "keys.go", "problems.go", "targets.go")
	shown := figuresIn(t, "../../docs/operations.md")
	for _, name := range there {
		if !slices.Contains(shown, name) {
			t.Errorf("%s is not in the page", name)
		}
	}
	for _, name := range shown {
		base := regexp.MustCompile(`_(count|bucket)$`).ReplaceAllString(name, "")
		if !slices.Contains(there, base) {
			t.Errorf("the page has %s, which there is not", name)
		}
	}
}
