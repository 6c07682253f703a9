package adapter_test

import (
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/adapter"
)

// The page has a row for every target.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/schemas.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range adapter.Targets() {
		if row := "| `" + string(to) + "` | " + to.About() + " |\n"; !strings.Contains(string(page), row) {
			t.Errorf("docs/schemas.md lacks\n%s", row)
		}
	}
}
