package probe_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the list of checks into its page")

const (
	docsPage = "../../docs/probe.md"

	// generated stands between what people write on the page and what the table says.
	generated = "<!-- below: written by go test ./internal/probe -run TestPage -update -->\n"
)

// card is that of a simulated model.
func card(t *testing.T, script simulate.Script) *probe.Card {
	t.Helper()
	m, _ := serve(t, callwright.WireOpenAI, "one", script)
	c, err := probe.Run(t.Context(), m, probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The page lists the checks, of which there are enough.
func TestPage(t *testing.T) {
	raw, err := os.ReadFile(docsPage)
	if err != nil {
		t.Fatal(err)
	}
	intro, _, ok := strings.Cut(string(raw), generated)
	if !ok {
		t.Fatalf("%s lacks the line %s", docsPage, generated)
	}
	checks := card(t, simulate.Weather()).Checks
	var b strings.Builder
	fmt.Fprintf(&b, "\n## The checks\n\n%d checks, at most %d requests:\n\n| check | passes when |\n|---|---|\n", len(checks), probe.MaxRequests())
	seen := map[string]bool{}
	for _, c := range checks {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.Name, c.About)
		if seen[c.Name] {
			t.Errorf("two checks are called %s", c.Name)
		}
		seen[c.Name] = true
	}
	if len(checks) < 25 {
		t.Errorf("%d checks", len(checks))
	}
	want := intro + generated + b.String()
	if *update {
		if err := os.WriteFile(docsPage, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, string(raw)); d != "" {
		t.Errorf("%s is stale; go test ./internal/probe -run TestPage -update writes it. Want (-) got (+):\n%s", docsPage, d)
	}
}

// A report is one file without scripts, in which a model's words stay words.
func TestHTML(t *testing.T) {
	c := card(t, func(req simulate.Seen) simulate.Turn {
		if len(req.Tools) == 0 && req.Format == nil {
			return simulate.Turn{Text: `<script>alert("x")</script>`}
		}
		return simulate.Weather()(req)
	})
	var b bytes.Buffer
	if err := c.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if strings.Contains(text, "<script") || !strings.Contains(text, "&lt;script&gt;") {
		t.Error("a model's words are markup")
	}
	if m := regexp.MustCompile(`(?i)(src|href|url)\s*[=(]`).FindString(text); m != "" {
		t.Errorf("the page needs something beside it: %s", m)
	}
	for _, check := range c.Checks {
		if !strings.Contains(text, "<b>"+check.Name+"</b>") {
			t.Errorf("%s is missing", check.Name)
		}
	}
}
