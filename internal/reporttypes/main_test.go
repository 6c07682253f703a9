package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The files are those that would be written now.
func TestFresh(t *testing.T) {
	for name, want := range generate() {
		got, err := os.ReadFile(filepath.Join("..", "..", "docs", "types", name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s is not what go run ./internal/reporttypes writes:\n%s", name, diff)
		}
		if !strings.Contains(want, "Report") || !strings.Contains(want, "untouched") {
			t.Errorf("%s has no report", name)
		}
	}
}
