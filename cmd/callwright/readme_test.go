package main

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/demo"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/terminalsvg"
)

var update = flag.Bool("update", false, "write the demo's output into the README and its pages")

const (
	readme    = "../../README.md"
	readmeOne = "hermes-prose_before" // the case that the README shows whole
)

// TestREADMEShowsRealOutput holds the README's picture of the demo against what the demo prints.
func TestREADMEShowsRealOutput(t *testing.T) {
	raw, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	_, card := runDemo(t, map[string]string{"COLUMNS": "110"}, "--only", readmeOne)
	card, _, _ = strings.Cut(card, "\n\n1 misbehaviour")
	page := between(t, string(raw), "<!-- one case -->\n```\n", "\n```\n<!-- end -->", card)
	writeOrCompare(t, readme, raw, page)
}

// TestFixesPageShowsRealOutput compares the table of docs/fixes.md with the output of the demo.
func TestFixesPageShowsRealOutput(t *testing.T) {
	const file = "../../docs/fixes.md"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	writeOrCompare(t, file, raw, between(t, string(raw), "<!-- all cases -->\n", "<!-- end -->", demoTable(t)))
}

// TestRecordingShowsRealOutput compares the animated picture of the README with the output of three cases.
func TestRecordingShowsRealOutput(t *testing.T) {
	const file, command = "../../docs/demo.svg", "callwright demo"
	var shown strings.Builder
	for _, name := range []string{readmeOne, "json_damage-python", "midstream-cut"} {
		_, card := runDemo(t, map[string]string{"COLUMNS": "110"}, "--only", name)
		card, _, _ = strings.Cut(card, "\n\n1 misbehaviour")
		shown.WriteString(card + "\n\n")
	}
	raw, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	writeOrCompare(t, file, raw, string(terminalsvg.Draw(command, shown.String())))
}

// writeOrCompare fails where a file is not as the demo makes it, or writes it with -update.
func writeOrCompare(t *testing.T, file string, was []byte, want string) {
	t.Helper()
	if want == string(was) {
		return
	}
	if !*update {
		t.Fatalf("%s is stale: run the tests of this package with -update", file)
	}
	if err := os.WriteFile(file, []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDemoPageListsCases holds the list of cases in the page on the demo against the table of cases.
func TestDemoPageListsCases(t *testing.T) {
	const file = "../../docs/demo.md"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| case, fault | what happens | class | earlier name |\n|---|---|---|---|\n")
	for _, c := range demo.Cases() {
		class, earlier := "", ""
		if c.Class() != "" {
			class = c.Class() + " " + outcome.Words(c.Class())
		}
		if c.Earlier != "" {
			earlier = "`" + c.Earlier + "`"
		}
		b.WriteString("| `" + c.Name + "` | " + c.About + " | " + class + " | " + earlier + " |\n")
	}
	writeOrCompare(t, file, raw, between(t, string(raw), "<!-- cases -->\n", "<!-- end -->", b.String()))
}

// between puts text between two marks of a page.
func between(t *testing.T, page, from, to, text string) string {
	t.Helper()
	head, rest, ok := strings.Cut(page, from)
	_, tail, found := strings.Cut(rest, to)
	if !ok || !found {
		t.Fatalf("the page lacks %q ... %q", from, to)
	}
	return head + from + text + to + tail
}

// demoTable returns a row for each case of the demo.
func demoTable(t *testing.T) string {
	t.Helper()
	_, out := runDemo(t, nil, "--json")
	var got struct{ Cases []demo.Result }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| case | what happens | what the client received | what was done |\n|---|---|---|---|\n")
	for _, c := range got.Cases {
		b.WriteString("| `" + c.Name + "` | " + c.About + " | " + received(&c) + " | " + rulesOf(&c) + " |\n")
	}
	return b.String()
}

func received(c *demo.Result) string {
	var parts []string
	for _, turn := range c.Received.Turns {
		for _, call := range turn.Calls {
			parts = append(parts, "`"+call.Name+" "+call.Arguments+"`")
		}
	}
	switch {
	case c.Received.Error != nil:
		parts = append(parts, "error `"+c.Received.Error.Code+"`")
	case len(parts) == 0:
		parts = append(parts, "the text, no call")
	}
	return strings.Join(parts, ", ")
}

func rulesOf(c *demo.Result) string {
	var rules []string
	for _, n := range c.Notes {
		if !slices.Contains(rules, n.Rule) {
			rules = append(rules, n.Rule)
		}
	}
	if len(rules) == 0 {
		return "nothing: untouched"
	}
	return "`" + strings.Join(rules, "`, `") + "`"
}
