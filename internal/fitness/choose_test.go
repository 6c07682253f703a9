package fitness_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/fitness"
	"github.com/callwright/callwright/internal/modestat"
	"pgregory.net/rapid"
)

func tokens(n int) func(callwright.ModelID) int {
	return func(callwright.ModelID) int { return n }
}

func price(perToken float64) func(input, output int) (float64, bool) {
	return func(input, output int) (float64, bool) { return float64(input+output) * perToken, true }
}

// member returns a member of which only a few things are said.
func member(id callwright.ModelID, change func(m *fitness.Member)) fitness.Member {
	m := fitness.Member{ID: id}
	change(&m)
	return m
}

func plain(*fitness.Member) {}

// Each thing that decides about a member, with the order that comes of it and the reason.
func TestChoose(t *testing.T) {
	small := func(m *fitness.Member) { m.Caps.MaxContext = 1000 }
	for _, c := range []struct {
		about   string
		ask     fitness.Requirements
		members []fitness.Member
		by      fitness.Prefer
		want    string // the order
		why     string
	}{
		{"the context", fitness.Requirements{Tokens: tokens(1001)}, []fitness.Member{member("a/x", small), member("b/y", plain)}, fitness.Order, "b/y",
			"order: the first member of the group that can answer; left out: a/x (its context has 1000 tokens, the request about 1001)"},
		{"the context with the output", fitness.Requirements{Tokens: tokens(900), Output: 200}, []fitness.Member{member("a/x", small), member("b/y", plain)}, fitness.Order, "b/y",
			"a/x (its context has 1000 tokens, the request about 900 and 200 of output)"},
		{"the context with the output that the model has", fitness.Requirements{Tokens: tokens(900), Output: 200}, []fitness.Member{member("a/x", func(m *fitness.Member) { m.Caps.MaxContext, m.Caps.MaxOutput = 1000, 100 })},
			fitness.Order, "a/x", "order: the first member of the group that can answer"},
		{"the number of tools", fitness.Requirements{Tokens: tokens(1), Tools: 9}, []fitness.Member{member("a/x", func(m *fitness.Member) { m.Caps.MaxTools = 8 }), member("b/y", plain)}, fitness.Order, "b/y",
			"a/x (it accepts 8 of the 9 tools)"},
		{"the number of tools in words", fitness.Requirements{Tokens: tokens(1), Tools: 9}, []fitness.Member{member("a/x", func(m *fitness.Member) { m.Caps.MaxTools, m.Modes = 8, []caps.Mode{caps.Text} })},
			fitness.Order, "a/x", "order: the first member of the group that can answer"},
		{"the modes", fitness.Requirements{Tokens: tokens(1), Tools: 1}, []fitness.Member{member("a/x", func(m *fitness.Member) { m.Caps.Tools, m.Modes = caps.No, []caps.Mode{caps.Native} }), member("b/y", plain)},
			fitness.Order, "b/y", "a/x (it supports tools in none of the configured modes)"},
		{"the modes without tools", fitness.Requirements{Tokens: tokens(1)}, []fitness.Member{member("a/x", func(m *fitness.Member) { m.Caps.Tools, m.Modes = caps.No, []caps.Mode{caps.Native} })},
			fitness.Order, "a/x", "order: the first member of the group that can answer"},
		{"images", fitness.Requirements{Tokens: tokens(1), Images: true}, []fitness.Member{member("a/x", func(m *fitness.Member) { m.Caps.Images = caps.No }), member("b/y", plain)}, fitness.Order, "b/y",
			"a/x (it accepts no images)"},
		{"a provider without a key", fitness.Requirements{Tokens: tokens(1)}, []fitness.Member{member("a/x", func(m *fitness.Member) { m.Unusable = "it cannot be used: A_KEY is not set" }), member("b/y", plain)},
			fitness.Order, "b/y", "a/x (it cannot be used: A_KEY is not set)"},
		{"a breaker", fitness.Requirements{Tokens: tokens(1)}, []fitness.Member{member("a/x", func(m *fitness.Member) { m.Away, m.Left = "its circuit breaker is open", 1500*time.Millisecond }), member("b/y", plain)},
			fitness.Order, "b/y", "a/x (its circuit breaker is open, 2 s left)"},
		{"the success rate", fitness.Requirements{Tokens: tokens(1)}, []fitness.Member{member("a/x", func(m *fitness.Member) { m.Record = fitness.Record{Right: 10, Wrong: 30} }),
			member("b/y", func(m *fitness.Member) { m.Record = fitness.Record{Right: 39, Wrong: 1} })}, fitness.Health, "b/y a/x",
			"health: b/y 98 % of 40 answers correct in the last 3 h, a/x 25 % of 40 answers correct in the last 3 h"},
		{"a success rate that is hardly better", fitness.Requirements{Tokens: tokens(1)}, []fitness.Member{member("a/x", func(m *fitness.Member) { m.Record = fitness.Record{Right: 38, Wrong: 2} }),
			member("b/y", func(m *fitness.Member) { m.Record = fitness.Record{Right: 39, Wrong: 1} })}, fitness.Health, "a/x b/y", "health: a/x 95 % of 40 answers"},
		{"a success rate of earlier days", fitness.Requirements{Tokens: tokens(1)}, []fitness.Member{member("a/x", func(m *fitness.Member) { m.Before = modestat.Table{Rows: []modestat.Row{{Mode: "native", Failed: 40}}} }),
			member("b/y", plain)}, fitness.Health, "b/y a/x", "health: b/y not measured, a/x 0 % of 40 answers correct in the last days"},
		{"the price", fitness.Requirements{Tokens: tokens(1000), Output: 1000}, []fitness.Member{member("u/z", plain), member("a/x", func(m *fitness.Member) { m.USD = price(0.00002) }),
			member("b/y", func(m *fitness.Member) { m.USD = price(0.00001) })}, fitness.Cost, "b/y a/x u/z", "cost: b/y 0.020000 USD, a/x 0.040000 USD, u/z unknown price"},
		{"the latency", fitness.Requirements{Tokens: tokens(1)}, []fitness.Member{member("a/x", func(m *fitness.Member) { m.Record = fitness.Record{Right: 2, Took: 4 * time.Second} }),
			member("b/y", func(m *fitness.Member) { m.Record = fitness.Record{Right: 2, Took: time.Second} })}, fitness.Latency, "b/y a/x", "latency: b/y 0.50 s, a/x 2.00 s"},
		{"a latency that is hardly better", fitness.Requirements{Tokens: tokens(1)}, []fitness.Member{member("a/x", func(m *fitness.Member) { m.Record = fitness.Record{Right: 1, Took: time.Second} }),
			member("b/y", func(m *fitness.Member) { m.Record = fitness.Record{Right: 1, Took: 900 * time.Millisecond} })}, fitness.Latency, "a/x b/y", "latency: a/x 1.00 s, b/y 0.90 s"},
		{"a latency that is not known", fitness.Requirements{Tokens: tokens(1)}, []fitness.Member{member("a/x", func(m *fitness.Member) { m.Record = fitness.Record{Right: 1, Took: time.Second} }), member("b/y", plain)},
			fitness.Latency, "b/y a/x", "latency: b/y not measured, a/x 1.00 s"},
		{"nobody is left now", fitness.Requirements{Tokens: tokens(2000)}, []fitness.Member{member("a/x", small), member("b/y", func(m *fitness.Member) { m.Away = "limited" })}, fitness.Order, "b/y",
			"b/y (limited); no member is left, so excluded members are tried"},
		{"nobody is left at all", fitness.Requirements{Tokens: tokens(2000)}, []fitness.Member{member("a/x", small), member("b/y", small)}, fitness.Order, "a/x b/y", "no member is left, so excluded members are tried"},
	} {
		got := fitness.Choose(&c.ask, c.members, c.by)
		var names []string
		for _, i := range got.Order {
			names = append(names, string(c.members[i].ID))
		}
		if order := strings.Join(names, " "); order != c.want || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: got %s by %q, want %s by %q", c.about, order, got.Why, c.want, c.why)
		}
	}
}

// The first member fits whenever one does, no member comes twice, and those that are left out do not fit.
func TestFirstFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ask := fitness.Requirements{Tokens: tokens(rapid.IntRange(1, 3000).Draw(t, "tokens")), Output: rapid.IntRange(0, 500).Draw(t, "output"), Tools: rapid.IntRange(0, 20).Draw(t, "tools"), Images: rapid.Bool().Draw(t, "images")}
		truth := rapid.SampledFrom([]caps.Truth{caps.Unknown, caps.Yes, caps.No})
		var members []fitness.Member
		var fits []bool
		for i := range rapid.IntRange(1, 6).Draw(t, "members") {
			m := fitness.Member{ID: callwright.ModelID(rune('a'+i)) + "/m", Record: fitness.Record{Right: rapid.IntRange(0, 30).Draw(t, "right"), Wrong: rapid.IntRange(0, 30).Draw(t, "wrong")}}
			m.Record.Took = time.Duration(m.Record.Right) * time.Duration(rapid.IntRange(1, 5000).Draw(t, "ms")) * time.Millisecond
			m.Caps.MaxContext, m.Caps.MaxTools, m.Caps.Images = rapid.SampledFrom([]int{0, 1000, 2000}).Draw(t, "context"), rapid.SampledFrom([]int{0, 8}).Draw(t, "most"), truth.Draw(t, "images")
			m.Away = rapid.SampledFrom([]string{"", "limited"}).Draw(t, "away")
			if rapid.Bool().Draw(t, "priced") {
				m.USD = price(rapid.Float64Range(0, 1).Draw(t, "price"))
			}
			members = append(members, m)
			fits = append(fits, m.Away == "" && (m.Caps.MaxContext == 0 || ask.Tokens(m.ID)+ask.Output <= m.Caps.MaxContext) &&
				(ask.Tools == 0 || m.Caps.MaxTools == 0 || ask.Tools <= m.Caps.MaxTools) && (!ask.Images || m.Caps.Images != caps.No))
		}
		by := rapid.SampledFrom(fitness.Preferences()).Draw(t, "by")
		got := fitness.Choose(&ask, members, fitness.Prefer(by))
		seen := map[int]bool{}
		for _, i := range got.Order {
			if seen[i] {
				t.Fatalf("%d comes twice: %v", i, got.Order)
			}
			seen[i] = true
		}
		if len(got.Order) == 0 || got.Why == "" {
			t.Fatalf("nobody is chosen, or without a reason: %+v", got)
		}
		if !slices.Contains(fits, true) {
			return
		}
		for i, fit := range fits {
			if fit != seen[i] {
				t.Fatalf("member %d fits: %v, is asked: %v (%s)", i, fit, seen[i], got.Why)
			}
		}
	})
}
