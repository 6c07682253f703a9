package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what is expected in testdata anew")

// A golden file has what goes into a report and what is expected to come out.
type golden struct {
	path    string
	archive *txtar.Archive
	in      int // how many of its files are input
}

// openGolden reads a file of testdata, whose first files, all that have one of these names, are input.
func openGolden(t *testing.T, name string, input ...string) *golden {
	t.Helper()
	g := &golden{path: filepath.Join("testdata", name+".txtar")}
	a, err := txtar.ParseFile(g.path)
	if err != nil {
		t.Fatal(err)
	}
	g.archive = a
	for g.in < len(a.Files) && slices.Contains(input, a.Files[g.in].Name) {
		g.in++
	}
	return g
}

func (g *golden) file(name string) string {
	for _, f := range g.archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// results reads a file of results.
func (g *golden) results(t *testing.T, name string) []eval.Result {
	t.Helper()
	var out []eval.Result
	for line := range strings.Lines(g.file(name)) {
		var r eval.Result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// expect compares what came with the rest of the file, or writes it.
func (g *golden) expect(t *testing.T, got []txtar.File) {
	t.Helper()
	want := g.archive.Files[g.in:]
	if *update {
		g.archive.Files = append(g.archive.Files[:g.in:g.in], got...)
		if err := os.WriteFile(g.path, txtar.Format(g.archive), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	show := func(files []txtar.File) string { return string(txtar.Format(&txtar.Archive{Files: files})) }
	if d := cmp.Diff(show(want), show(got)); d != "" {
		t.Errorf("%s: want (-) got (+):\n%s", g.path, d)
	}
}

// text prints at a width.
func text(t *testing.T, write func(*bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// asJSON is a value as indented JSON.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

// What a summary says, as JSON and for people.
func TestSummary(t *testing.T) {
	for _, name := range []string{"mixed", "empty"} {
		g := openGolden(t, name, "tools", "presets", "results.jsonl")
		results := g.results(t, "results.jsonl")
		s := report.Summarize(header(results), results, strings.Fields(g.file("tools")))
		for line := range strings.Lines(g.file("presets")) {
			model, settings, _ := strings.Cut(strings.TrimSpace(line), " ")
			s.Presets = append(s.Presets, report.Preset{Model: callwright.ModelID(model), Settings: strings.Split(settings, "; ")})
		}
		var out []txtar.File
		for _, width := range []int{100, 40} {
			out = append(out, txtar.File{Name: fmt.Sprintf("text of %d", width),
				Data: []byte(text(t, func(b *bytes.Buffer) error { return s.WriteText(b, width) }))})
		}
		html := text(t, func(b *bytes.Buffer) error { return report.HTML(b, s, results, "../state") })
		_, body, _ := strings.Cut(html, "<main>")
		g.expect(t, append(out, txtar.File{Name: "page", Data: []byte(body)}, txtar.File{Name: "summary.json", Data: []byte(asJSON(t, s))}))
	}
}
