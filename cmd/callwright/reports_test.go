package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
)

const reportsPage = "../../docs/reports.md"

// TestReportsPageListsTheRules holds the page's lists of rules and of faults against the tables.
func TestReportsPageListsTheRules(t *testing.T) {
	raw, err := os.ReadFile(reportsPage)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| rule | fault | risk | meaning |\n|---|---|---|---|\n")
	for _, r := range callwright.Rules() {
		b.WriteString("| `" + r.ID + "` | " + r.Fault + " | " + string(r.Risk) + " | " + r.Doc + " |\n")
	}
	page := between(t, string(raw), "<!-- rules -->\n", "<!-- end -->", b.String())
	page = between(t, page, "<!-- faults -->\n", "<!-- end -->", faultTable())
	if page == string(raw) {
		return
	}
	if !*update {
		t.Fatal("docs/reports.md is stale: run the tests of this package with -update")
	}
	if err := os.WriteFile(reportsPage, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
}

// faultTable returns a row for each class of failure.
func faultTable() string {
	var b strings.Builder
	b.WriteString("| class | failure | package and handling | notes |\n|---|---|---|---|\n")
	for _, f := range faults {
		where := f.mend
		if f.where != "" {
			where = "`" + f.where + "`: " + f.mend
		}
		b.WriteString("| " + f.class + " | " + f.happens + " | " + where + " | " + notesOf(f.class) + " |\n")
	}
	return b.String()
}

// notesOf names the rules that usually have a class, and how many formats do.
func notesOf(class string) string {
	var out []string
	for _, r := range callwright.Rules() {
		if r.Fault == class {
			out = append(out, "`"+r.ID+"`")
		}
	}
	const most = 4
	var formats []string
	for _, f := range dialect.Formats() {
		if f.Fault == class {
			formats = append(formats, "`dialect."+f.Name+"`")
		}
	}
	if n := len(formats); n > most {
		formats = []string{fmt.Sprintf("those of %d [formats](dialects.md)", n)}
	}
	return strings.Join(append(out, formats...), ", ")
}

// Every class is in the table once, in order, and every class that a rule or a format names is one of them.
func TestFaults(t *testing.T) {
	var classes []string
	for i, f := range faults {
		if want := fmt.Sprintf("F%02d", i+1); f.class != want {
			t.Errorf("row %d is %s, want %s", i, f.class, want)
		}
		if !strings.HasSuffix(f.happens, ".") || f.mend == "" {
			t.Errorf("%s: expected a sentence, and what is done", f.class)
		}
		if files, _ := filepath.Glob(filepath.Join("../..", f.where, "*.go")); len(files) == 0 {
			t.Errorf("%s: there is no package %s", f.class, f.where)
		}
		classes = append(classes, f.class)
	}
	for _, r := range callwright.Rules() {
		if r.Fault != "" && !slices.Contains(classes, r.Fault) {
			t.Errorf("rule %s has the class %s", r.ID, r.Fault)
		}
	}
	for _, f := range dialect.Formats() {
		if !slices.Contains(classes, f.Fault) {
			t.Errorf("format %s has the class %s", f.Name, f.Fault)
		}
	}
}
