package report_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

// printedComparison is a comparison in its forms.
func printedComparison(t *testing.T, c *report.Comparison) []txtar.File {
	t.Helper()
	return []txtar.File{
		{Name: "text of 100", Data: []byte(text(t, func(b *bytes.Buffer) error { return c.WriteText(b, 100) }))},
		{Name: "text of 40", Data: []byte(text(t, func(b *bytes.Buffer) error { return c.WriteText(b, 40) }))},
		{Name: "comparison.json", Data: []byte(asJSON(t, c))},
	}
}

// What a comparison of two runs says: of these, one model became worse, one is new, one is gone.
func TestDiff(t *testing.T) {
	before, after := draw(1, shape{models: 4, scenarios: 3, trials: 12, fail: 0.05}), draw(2, shape{models: 5, scenarios: 3, trials: 12, fail: 0.05})
	before = slices.DeleteFunc(before, func(r eval.Result) bool { return r.Model == "maker0/model-0" })
	for i := range after {
		if r := &after[i]; r.Model == "maker2/model-2" && r.Trial%2 == 0 {
			r.Outcome = eval.Failed
		}
	}
	after = slices.DeleteFunc(after, func(r eval.Result) bool {
		return r.Model == "maker1/model-1" || r.Model == "maker3/model-3" && r.Scenario == "scenario_00"
	})
	c := report.Diff(report.Summarize(header(before), before, nil), report.Summarize(header(after), after, nil))
	c.A.Name, c.B.Name = "before", "after"
	openGolden(t, "diff").expect(t, printedComparison(t, c))
}

// What a comparison within one run says: healing helps, most of all one model.
func TestCompare(t *testing.T) {
	results := draw(3, shape{models: 3, scenarios: 3, trials: 12, fail: 0.02, policies: []string{"heal", "off"}})
	for i := range results {
		if r := &results[i]; r.Policy == "off" && r.Outcome == eval.OK && (r.Trial%4 == 0 || r.Model == "maker1/model-1" && r.Trial%2 == 0) {
			r.Outcome = eval.Failed
		}
	}
	c, err := report.Compare(header(results), results[2:], report.PolicyAxis, "off", "heal")
	if err != nil {
		t.Fatal(err)
	}
	openGolden(t, "compare").expect(t, printedComparison(t, c))
}

// An axis and its values have to be those of the run.
func TestCompareErrors(t *testing.T) {
	results := draw(3, shape{models: 1, scenarios: 1, trials: 2, policies: []string{"heal", "off"}})
	for _, c := range []struct {
		axis report.Axis
		a, b string
	}{{"scenario", "a", "b"}, {"", "heal", "off"}, {"policy", "heal", "heal"}, {"policy", "heal", "strict"}, {"policy", "strict", "heal"}, {"mode", "native", "text"}} {
		if _, err := report.Compare(header(results), results, c.axis, c.a, c.b); callwright.KindOf(err) != callwright.KindInvalid {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

// allChanges are those of all tables, and the total.
func allChanges(c *report.Comparison) []report.Change {
	out := []report.Change{c.Total}
	for _, t := range c.Tables {
		out = append(out, t.Rows...)
	}
	return out
}

// A run does not differ from itself.
func TestNoDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, seed := drawShape(t)
		results := draw(seed, s)
		sum := report.Summarize(header(results), results, nil)
		c := report.Diff(sum, sum)
		for _, row := range allChanges(c) {
			if row.P != 1 || row.Adjusted != 1 || row.MoreThanChance || row.Difference != 0 {
				t.Fatalf("%+v", row)
			}
		}
		if c.Shared != nil {
			t.Fatalf("%+v", c.Shared)
		}
		for _, table := range c.Tables {
			if len(table.OnlyA)+len(table.OnlyB) > 0 {
				t.Fatalf("%+v", table)
			}
		}
	})
}

// checkMirror: b against a says of every row what a against b does, the other way round.
func checkMirror(t *rapid.T, ab, ba *report.Comparison) {
	rows, mirrored := allChanges(ab), allChanges(ba)
	if len(rows) != len(mirrored) {
		t.Fatalf("%d rows and %d", len(rows), len(mirrored))
	}
	for i, row := range rows {
		m := mirrored[i]
		m.A, m.B, m.Difference = m.B, m.A, -m.Difference
		m.Usage.A, m.Usage.B, m.Times.A, m.Times.B = m.Usage.B, m.Usage.A, m.Times.B, m.Times.A
		if m.Pairs != nil {
			m.Pairs.OnlyA, m.Pairs.OnlyB = m.Pairs.OnlyB, m.Pairs.OnlyA
		}
		if d := cmp.Diff(row, m); d != "" {
			t.Fatal(d)
		}
		if !(0 <= row.P && row.P <= row.Adjusted && row.Adjusted <= 1) || row.MoreThanChance != (row.Adjusted < report.Chance) {
			t.Fatalf("%+v", row)
		}
	}
	for i := range ab.Tables {
		if a, b := ab.Tables[i], ba.Tables[i]; !slices.Equal(a.OnlyA, b.OnlyB) || !slices.Equal(a.OnlyB, b.OnlyA) {
			t.Fatalf("%+v and %+v", a, b)
		}
	}
}

func TestDiffLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, seed := drawShape(t)
		q, other := drawShape(t)
		one, two := draw(seed, s), draw(other, q)
		a, b := report.Summarize(header(one), one, nil), report.Summarize(header(two), two, nil)
		c := report.Diff(a, b)
		checkMirror(t, c, report.Diff(b, a))
		for i, rows := range [][2][]report.Row{{a.Models, b.Models}, {a.Scenarios, b.Scenarios}} {
			if got := c.Tables[i]; len(got.Rows)+len(got.OnlyA) != len(rows[0]) || len(got.Rows)+len(got.OnlyB) != len(rows[1]) {
				t.Fatalf("%d rows, %d and %d alone, of %d and %d", len(got.Rows), len(got.OnlyA), len(got.OnlyB), len(rows[0]), len(rows[1]))
			}
		}
	})
}

// Every cell is in a pair that counts, in one that does not, or has no partner.
func TestCompareLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, seed := drawShape(t)
		s.models, s.policies = max(1, s.models), []string{"heal", "off", "strict"}
		results := draw(seed, s)
		rng := rand.New(rand.NewPCG(seed, 3))
		results = slices.DeleteFunc(results, func(eval.Result) bool { return rng.IntN(10) == 0 })
		ab, err := report.Compare(header(results), results, report.PolicyAxis, "heal", "off")
		if err != nil {
			t.Skip("a policy has no trial")
		}
		ba, err := report.Compare(header(results), results, report.PolicyAxis, "off", "heal")
		if err != nil {
			t.Fatal(err)
		}
		checkMirror(t, ab, ba)
		cells := 0
		for i := range results {
			if results[i].Policy != "strict" {
				cells++
			}
		}
		p := ab.Total.Pairs
		pairs := p.Both + p.OnlyA + p.OnlyB + p.Neither
		if cells != 2*pairs+2*ab.Uncounted+len(ab.Unpaired) {
			t.Fatalf("%d cells, %d pairs that count, %d that do not, %d alone", cells, pairs, ab.Uncounted, len(ab.Unpaired))
		}
		if ab.Total.A.OK != p.Both+p.OnlyA || ab.Total.B.OK != p.Both+p.OnlyB || ab.Total.A.N != pairs || ab.Total.B.N != pairs {
			t.Fatalf("%+v of %+v", p, ab.Total)
		}
	})
}

// Rows that cannot differ make no difference to the others.
func TestRowsThatCannotDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, seed := drawShape(t)
		one, two := draw(seed, s), draw(seed+1, s)
		diff := func() []report.Change {
			return report.Diff(report.Summarize(header(one), one, nil), report.Summarize(header(two), two, nil)).Tables[0].Rows
		}
		want := diff()
		perfect := []callwright.ModelID{"zz/1", "zz/2", "zz/3"}
		for _, name := range perfect {
			r := eval.Result{Cell: eval.Cell{Model: name}, Outcome: eval.OK}
			one, two = append(one, r), append(two, r)
		}
		got := diff()
		if d := cmp.Diff(want, got[:len(want)]); d != "" || len(got) != len(want)+len(perfect) {
			t.Fatalf("%d rows: %s", len(got), d)
		}
		for _, row := range got[len(want):] {
			if row.P != 1 || row.Adjusted != 1 || row.MoreThanChance {
				t.Fatalf("%+v", row)
			}
		}
	})
}
