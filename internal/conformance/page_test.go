package conformance_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/conformance"
)

var update = flag.Bool("update", false, "write the list of checks into its page")

const (
	docsPage = "../../docs/conformance.md"

	// generated stands between the text of the page and what the table says.
	generated = "<!-- below: written by go test ./internal/conformance -run TestPage -update -->\n"
)

// The page lists the checks of all APIs.
func TestPage(t *testing.T) {
	raw, err := os.ReadFile(docsPage)
	if err != nil {
		t.Fatal(err)
	}
	intro, _, ok := strings.Cut(string(raw), generated)
	if !ok {
		t.Fatalf("%s lacks the line %s", docsPage, generated)
	}
	apis := map[string][]string{} // by check
	var rows []conformance.Check
	for _, api := range conformance.APIs() {
		for _, c := range conformance.Table(api) {
			if apis[c.Name] == nil {
				rows = append(rows, c)
			}
			apis[c.Name] = append(apis[c.Name], api)
		}
	}
	areas := conformance.Areas()
	slices.SortStableFunc(rows, func(a, b conformance.Check) int { return slices.Index(areas, a.Area) - slices.Index(areas, b.Area) })
	var b strings.Builder
	b.WriteString("\n## The checks\n\n")
	for _, api := range conformance.APIs() {
		fmt.Fprintf(&b, "- %s (`--api %s`): %d checks, at most %d requests\n", conformance.Title(api), api, len(conformance.Table(api)),
			conformance.MaxRequests(conformance.Options{API: api}))
	}
	b.WriteString("\n| area | check | kind | passes when | APIs |\n|---|---|---|---|---|\n")
	for _, c := range rows {
		on := "all"
		if len(apis[c.Name]) < len(conformance.APIs()) {
			on = strings.Join(apis[c.Name], ", ")
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", c.Area, c.Name, c.Kind, c.About, on)
	}
	want := intro + generated + b.String()
	if *update {
		if err := os.WriteFile(docsPage, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if want != string(raw) {
		t.Errorf("%s is not what the table says: go test ./internal/conformance -run TestPage -update", docsPage)
	}
}
