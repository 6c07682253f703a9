package remedystat_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/modestat"
	"github.com/callwright/callwright/internal/remedystat"
)

var names = []string{"marked", "choice", "schema", "cooler", "sample"}

// drawRow draws corrections of a pair.
func drawRow(t *rapid.T) remedystat.Row {
	return remedystat.Row{
		Failure: rapid.SampledFrom([]string{"arguments", "name", "loop"}).Draw(t, "failure"), Remedy: rapid.SampledFrom(names).Draw(t, "remedy"),
		Helped: float64(rapid.IntRange(0, 2).Draw(t, "helped")), Failed: float64(rapid.IntRange(0, 2).Draw(t, "failed")), Day: rapid.IntRange(1, 30000).Draw(t, "day"),
	}
}

// What is written is read again, in any order of what was added, and counts never grow beyond the window.
func TestTextComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table remedystat.Table
		for range rapid.IntRange(0, 60).Draw(t, "corrections") {
			table.Add(drawRow(t))
		}
		text := table.String()
		read, err := remedystat.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if again := read.String(); again != text {
			t.Fatalf("%q was read as %q", text, again)
		}
		for _, r := range read.Rows {
			if r.Corrections() > remedystat.Window+4 {
				t.Fatalf("%v corrections count: %+v", r.Corrections(), r)
			}
		}
	})
}

// An order has the same remedies, does not change the caller's list, and moves no remedy ahead of one with a higher share of success.
func TestOrderFollowsSuccess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table remedystat.Table
		for range rapid.IntRange(0, 40).Draw(t, "corrections") {
			table.Add(drawRow(t))
		}
		given := slices.Clone(names)
		got := table.Order("loop", given)
		if !slices.Equal(given, names) {
			t.Fatalf("the list has become %v", given)
		}
		sorted := slices.Clone(got)
		slices.Sort(sorted)
		want := slices.Clone(names)
		slices.Sort(want)
		if d := cmp.Diff(want, sorted); d != "" {
			t.Fatalf("(-want +got)\n%s", d)
		}
		for i := 1; i < len(got); i++ {
			a, b := table.Row("loop", got[i-1]), table.Row("loop", got[i])
			if mean(a) < mean(b) || mean(a) == mean(b) && slices.Index(names, got[i-1]) > slices.Index(names, got[i]) {
				t.Fatalf("%s stands before %s: %s", got[i-1], got[i], table.String())
			}
		}
	})
}

func mean(r remedystat.Row) float64 { return (r.Helped + 1) / (r.Helped + r.Failed + 2) }

// One success puts a remedy first, one failure last.
func TestOneCorrectionDecides(t *testing.T) {
	var table remedystat.Table
	table.Add(remedystat.Row{Failure: "name", Remedy: "schema", Helped: 1})
	table.Add(remedystat.Row{Failure: "name", Remedy: "marked", Failed: 1})
	if d := cmp.Diff([]string{"schema", "choice", "cooler", "sample", "marked"}, table.Order("name", names)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if d := cmp.Diff(names, table.Order("loop", names)); d != "" {
		t.Errorf("another failure is ordered too (-want +got)\n%s", d)
	}
}

// Lately counted corrections outweigh the many before them.
func TestCountsDecay(t *testing.T) {
	var table remedystat.Table
	for range 200 {
		table.Add(remedystat.Row{Failure: "name", Remedy: "schema", Helped: 1})
	}
	for range 40 {
		table.Add(remedystat.Row{Failure: "name", Remedy: "schema", Failed: 1})
	}
	if got := table.Order("name", []string{"schema", "choice"}); got[0] != "choice" {
		t.Errorf("40 failures on end do not move a remedy back: %s", table.String())
	}
}

func TestAge(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	var table remedystat.Table
	table.Add(remedystat.Row{Failure: "name", Remedy: "schema", Helped: 1, Day: modestat.Day(now.Add(-remedystat.MaxAge)) - 1})
	table.Add(remedystat.Row{Failure: "name", Remedy: "choice", Helped: 1, Day: modestat.Day(now.Add(-remedystat.MaxAge))})
	table.Age(now)
	if d := cmp.Diff("name/choice=1-0@20779", table.String()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"name", "name/=1-0", "/schema=1-0", "name/schema=1", "name/schema=1-x", "name/schema=-1-0", "name/schema=1-0@x", "name/schema=1-0@0",
		"name/schema=1-0 name/schema=1-0", "Name/schema=1-0", "name/schema=1e9-0", "name/schema=99999999999999-0", "name/schema=NaN-0"} {
		if table, err := remedystat.Parse(text); err == nil {
			t.Errorf("%q is read as %v", text, table)
		}
	}
}

// A table of more pairs than there can be stays bounded.
func TestRowsAreBounded(t *testing.T) {
	var table remedystat.Table
	for i := range 3 * remedystat.MaxRows {
		table.Add(remedystat.Row{Failure: "name", Remedy: "r" + string(rune('a'+i%26)) + string(rune('a'+i/26)), Helped: 1})
	}
	if len(table.Rows) != remedystat.MaxRows {
		t.Errorf("%d rows", len(table.Rows))
	}
	if _, err := remedystat.Parse(table.String()); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("arguments/choice=3-1@20785 loop/penalty=2-0@20785")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := remedystat.Parse(text)
		if err != nil {
			return
		}
		if _, err := remedystat.Parse(table.String()); err != nil {
			t.Errorf("%q is written as %q, which is refused: %v", text, table.String(), err)
		}
	})
}
