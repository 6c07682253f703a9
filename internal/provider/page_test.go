package provider_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/provider"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the list of providers into its page")

const (
	page = "../../docs/providers.md"

	// generated stands between what people write on the page and what the table says.
	generated = "<!-- below: written by go test ./internal/provider -run TestPage -update -->\n"
)

// The page on providers lists what the table says.
func TestPage(t *testing.T) {
	now := read(t, page)
	intro, _, ok := strings.Cut(now, generated)
	if !ok {
		t.Fatalf("%s lacks the line %s", page, generated)
	}
	want := intro + generated + listing(provider.Rows(), provider.Quirks())
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, now); d != "" {
		t.Errorf("%s is stale; go test ./internal/provider -run TestPage -update writes it. Want (-) got (+):\n%s", page, d)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// listing has a line for every provider and every quirk.
func listing(rows []provider.Row, quirks []provider.Quirk) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## The table\n\n%d providers. Parts of an address in braces, such as `{region}`, come from `auth` or the environment:\n\n| name | wire | address | key | what |\n|---|---|---|---|---|\n", len(rows))
	for _, r := range rows {
		base, key := "set by `base_url`", "none"
		if address := r.Base + r.Template; address != "" {
			base = "`" + address + "`"
		}
		if r.Key != "" {
			key = "`" + r.Key + "`"
		}
		what := r.Note
		for _, q := range r.Quirks {
			what += "; quirk `" + q.Name + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.Name, r.Wire, base, key, what)
	}
	b.WriteString("\nQuirks:\n\n| quirk | what |\n|---|---|\n")
	for _, q := range quirks {
		fmt.Fprintf(&b, "| `%s` | %s |\n", q.Name, q.Doc)
	}
	return b.String()
}

// The rows that the page shows are those of the tables.
func TestPageShowsRealRows(t *testing.T) {
	code := read(t, "rows.go") + read(t, "quirks.go") + read(t, "../../caps/table_providers.go")
	blocks := strings.Split(read(t, page), "```go\n")[1:]
	if len(blocks) < 3 {
		t.Fatalf("%d blocks of code", len(blocks))
	}
	for _, b := range blocks {
		shown, _, _ := strings.Cut(b, "```")
		if !strings.Contains(code, shown) {
			t.Errorf("no table has\n%s", shown)
		}
	}
}

// The provider that the page shows is reached as its row says.
func TestPageProviderAnswers(t *testing.T) {
	s := &script{replies: []reply{good}}
	m, err := openModel("cerebras/gpt-oss-120b", withTransport(s),
		withEnv(func(name string) (string, bool) { return testKey, name == "CEREBRAS_API_KEY" }))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Generate(context.Background(), ask()); err != nil {
		t.Fatal(err)
	}
	if url := s.last.URL.String(); url != "https://api.cerebras.ai/v1/chat/completions" || s.last.Header.Get("Authorization") != "Bearer "+testKey {
		t.Errorf("asked %s with %q", url, s.last.Header.Get("Authorization"))
	}
}
