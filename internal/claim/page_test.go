package claim_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/claim"
	"github.com/callwright/callwright/internal/stats"
)

var update = flag.Bool("update", false, "write the figures of docs/claims.md anew")

// The table of docs/claims.md has the figures of the labelled turns.
func TestPage(t *testing.T) {
	sets := []struct {
		name string
		has  func(*labelled) bool
	}{
		{"held out", func(l *labelled) bool { return l.Held && l.Source.Changed == "" }},
		{"held out, `changed`", func(l *labelled) bool { return l.Held && l.Source.Changed != "" }},
		{"for the rules", func(l *labelled) bool { return !l.Held && l.Source.Changed == "" }},
		{"for the rules, `changed`", func(l *labelled) bool { return !l.Held && l.Source.Changed != "" }},
		{"all", func(*labelled) bool { return true }},
	}
	tallies := make([]tally, len(sets))
	for _, l := range readLabelled(t) {
		found := claim.Find(l.Text, l.turn)
		for i := range sets {
			if sets[i].has(&l) {
				tallies[i].add(l.Claim, len(found) > 0)
			}
		}
	}
	rows := ""
	for i, s := range sets {
		n := tallies[i]
		rows += fmt.Sprintf("| %s | %d | %d | %d | %s | %s |\n", s.name, n.turns, n.claims, n.found, share(n.right, n.found), share(n.right, n.claims))
	}
	const path, head = "../../docs/claims.md", "| turns | number | with a claim | findings | precision | recall |\n|---|---|---|---|---|---|\n"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), head)
	_, after, ends := strings.Cut(rest, "\n\n")
	if strings.HasPrefix(rest, "\n") { // no rows yet
		after, ends = rest[1:], true
	}
	if !ok || !ends {
		t.Fatal("the page has no table")
	}
	want := before + head + rows + "\n" + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(page) != want {
		t.Errorf("the figures are\n%s\ngo test ./internal/claim -run TestPage -update writes them", rows)
	}
}

// share writes a part of a whole in percent, with its interval.
func share(part, whole int) string {
	low, high := stats.Wilson(part, whole)
	return fmt.Sprintf("%.1f %% (%.0f to %.0f)", 100*stats.Ratio(part, whole), 100*low, 100*high)
}
