package modestat_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/modestat"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var modes = []string{"native", "json_schema", "json_object", "text"}

func rows(t *rapid.T) []modestat.Row {
	var out []modestat.Row
	for _, mode := range modes {
		if !rapid.Bool().Draw(t, mode) {
			continue
		}
		count := rapid.Map(rapid.IntRange(0, 6400), func(n int) float64 { return float64(n) / 100 })
		whole := rapid.Map(rapid.IntRange(0, 90_000), func(n int) float64 { return float64(n) })
		out = append(out, modestat.Row{Mode: mode, Clean: count.Draw(t, "clean"), Helped: count.Draw(t, "helped"), Failed: count.Draw(t, "failed"),
			Tokens: whole.Draw(t, "tokens"), Millis: whole.Draw(t, "ms"), Day: rapid.IntRange(0, 40_000).Draw(t, "day")})
	}
	return out
}

func table(t *rapid.T) modestat.Table {
	out := modestat.Table{Rows: rows(t), Lead: rapid.SampledFrom(append(modes, "")).Draw(t, "lead")}
	if rapid.Bool().Draw(t, "changed") {
		out.Before, out.Since = rapid.SampledFrom(append(modes, "")).Draw(t, "before"), time.UnixMilli(rapid.Int64Range(1, 1<<45).Draw(t, "since"))
	}
	return out
}

// A table that was written is read as it was.
func TestParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := table(t)
		got, err := modestat.Parse(want.String())
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Fatalf("%v (-want +got)\n%s", err, d)
		}
	})
}

// A text that is read is written so that it is read as the same, and nothing that is read gives a share that is none.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "native=20+3-15/310t/1200ms@20785 text=36+1-3 lead=text before=native since=1795881600000", "native=1+0-0 native=1+0-0", "text=1e9+0-0",
		"native=-1+0-0", "native=1+0", "native=1+0-0/5", "native=NaN+0-0", "voice=1+0-0", "lead=voice", "since=0", "text=1+0-0@0", "text=999999999999999+0-0", "text=.+0-0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := modestat.Parse(s)
		if err != nil {
			return
		}
		again, err := modestat.Parse(got.String())
		if d := cmp.Diff(got.String(), again.String()); err != nil || d != "" {
			t.Errorf("%q: %v (-want +got)\n%s", s, err, d)
		}
		for _, r := range got.Rows {
			if s := r.Success(); math.IsNaN(s) || s < 0 || s > 1 {
				t.Errorf("%+v: success %v", r, s)
			}
		}
	})
}

// What is wrong is named.
func TestParseErrors(t *testing.T) {
	for s, want := range map[string]string{
		"native=1":                    `expected native=CLEAN+HELPED-FAILED, got "native=1"`,
		"text=1+2-3/4x":               `expected text=CLEAN+HELPED-FAILED, got "text=1+2-3/4x"`,
		"text=1+2-3 text=1+2-3":       `got "text=1+2-3"`,
		"text=1+2-3 lead=x":           `got "lead=x"`,
		"text=1+2-3 since=x":          `expected since=MILLISECONDS, got "since=x"`,
		"native=1e3+0-0":              `got "native=1e3+0-0"`,
		"json_schema=1+2-3@yesterday": `got "json_schema=1+2-3@yesterday"`,
	} {
		if _, err := modestat.Parse(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", s, err, want)
		}
	}
}

// Order has each mode of the list once, leaves the list alone, and changes nothing where nothing was measured.
func TestOrderKeepsModes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := table(t)
		list := rapid.SliceOfNDistinct(rapid.SampledFrom(modes), 1, 4, rapid.ID[string]).Draw(t, "list")
		before := slices.Clone(list)
		got := tab.Order(list)
		if !slices.Equal(before, list) {
			t.Fatalf("the list became %v", list)
		}
		if a, b := slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(list)); !slices.Equal(a, b) {
			t.Fatalf("%v of %v", got, list)
		}
		unknown := modestat.Table{}
		if got := unknown.Order(list); !slices.Equal(got, list) {
			t.Fatalf("without measurements %v became %v", list, got)
		}
	})
}

// A mode is never behind another one that does not do clearly better: it has fewer right answers of no more answers.
func TestOrderIsByMerit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := float64(rapid.IntRange(4, 64).Draw(t, "answers"))
		a, b := rapid.Float64Range(0, n).Draw(t, "right a"), rapid.Float64Range(0, n).Draw(t, "right b")
		tab := modestat.Table{Rows: []modestat.Row{{Mode: "native", Clean: a, Failed: n - a}, {Mode: "text", Clean: b, Failed: n - b}}}
		if b <= a && tab.Order([]string{"native", "text"})[0] != "native" {
			t.Fatalf("native has %v of %v, text has %v", a, n, b)
		}
		if tab.Lead = "text"; a <= b && tab.Order([]string{"native", "text"})[0] != "text" {
			t.Fatalf("the lead has %v of %v, native has %v", b, n, a)
		}
	})
}

// The rule of the order, by example.
func TestOrder(t *testing.T) {
	for _, c := range []struct{ table, modes, want string }{
		{"", "native json_schema text", "native json_schema text"},
		{"native=24+0-16 text=36+0-4", "native text", "text native"},
		{"native=34+0-6 text=37+0-3", "native text", "native text"},                       // within the uncertainty
		{"native=34+0-6 text=37+0-3 lead=text", "native text", "text native"},             // the same, and text leads
		{"native=0+0-3", "native json_schema text", "native json_schema text"},            // too few
		{"native=0+0-4", "native json_schema text", "json_schema text native"},            // those that are not measured keep their order
		{"native=0+0-8 text=8+0-0", "native json_schema text", "text json_schema native"}, // the best known first
		{"native=40+0-0 text=40+0-0", "text native", "text native"},                       // a server that does not read native calls
		{"native=3+0-5 text=6+0-2", "native text", "text native"},                         // a probe of eight questions
		{"native=4+0-4 text=6+0-2", "native text", "native text"},
		{"json_schema=8+0-0 lead=json_schema", "native text", "native text"}, // the lead cannot be asked for
		{"native=0+0-64 json_schema=0+0-64 text=0+0-64", "native json_schema text", "native json_schema text"},
	} {
		tab, err := modestat.Parse(c.table)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(tab.Order(strings.Fields(c.modes)), " "); got != c.want {
			t.Errorf("%s: %s became %s, want %s", c.table, c.modes, got, c.want)
		}
	}
}

// Older answers count less and less, however they are put together.
func TestDecay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := modestat.Row{Mode: "text", Clean: rapid.Float64Range(0, modestat.Window).Draw(t, "clean"), Tokens: 100}
		left := rapid.IntRange(300, 400).Draw(t, "failures")
		for left > 0 {
			n := min(left, rapid.IntRange(1, 100).Draw(t, "at once"))
			r.Add(modestat.Row{Failed: float64(n), Tokens: 300})
			left -= n
			if r.Answers() > 2*modestat.Window {
				t.Fatalf("%v answers", r.Answers())
			}
		}
		if r.Success() > 0.02 || math.Abs(r.Tokens-300) > 10 {
			t.Fatalf("after 300 failures: %+v", r)
		}
	})
}

// A mode that was not asked for long is not known any more, and does not lead.
func TestAge(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	tab := modestat.Table{Lead: "text", Rows: []modestat.Row{{Mode: "native", Failed: 9, Day: modestat.Day(now.Add(-8 * 24 * time.Hour))}, {Mode: "text", Clean: 9, Day: modestat.Day(now)}}}
	young := modestat.Table{Lead: "text", Rows: slices.Clone(tab.Rows)}
	young.Age(now.Add(-3 * 24 * time.Hour))
	if len(young.Rows) != 2 || young.Lead != "text" {
		t.Errorf("after five days: %+v", young)
	}
	tab.Age(now)
	if len(tab.Rows) != 1 || tab.Order([]string{"native", "text"})[0] != "native" {
		t.Errorf("after eight days: %+v", tab)
	}
}
