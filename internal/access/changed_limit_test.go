package access_test

import (
	"slices"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/testclock"
)

// A limit of a minute is not exhausted for a day after a clock that was a day ahead is corrected.
func TestClockSetBack(t *testing.T) {
	c := testclock.At(began.Add(24 * time.Hour))
	_, k := limitedGate(t, c, access.Limits{Requests: 1})
	if err := k.CountRequest(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Add(-24 * time.Hour)
	for range 3 {
		c.Add(2 * time.Minute)
		if err := k.CountRequest(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// spendOn reserves and settles a request of so many tokens, at a dollar each.
func spendOn(t *testing.T, k *access.Caller, n int) {
	t.Helper()
	use, err := k.Reserve(t.Context(), access.PlannedRequest{Models: []callwright.ModelID{"lab/m"}, Input: n})
	if err != nil {
		t.Fatal(err)
	}
	use.Settle(t.Context(), used("lab/m", n, 0), callwright.Usage{})
}

// A reservation is returned although the limit was removed, and set again, while the request ran.
func TestLimitRemovedDuringRequest(t *testing.T) {
	for _, ofKey := range []bool{true, false} {
		spend := access.Spend{USD: 100, Per: access.Day}
		config := func(s access.Spend) access.Config {
			cfg := access.Config{Keys: []access.Key{{Name: "ci", Hash: access.HashOf("secret")}}, Now: newClock().Now, Prices: testPrices}
			if cfg.Budget = s; ofKey {
				cfg.Budget, cfg.Keys[0].Limits.Spend = access.Spend{}, s
			}
			return cfg
		}
		g := newGate(t, config(spend))
		use, err := caller(t, g, "secret").Reserve(t.Context(), access.PlannedRequest{Models: []callwright.ModelID{"lab/m"}, Input: 30})
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range []access.Spend{{}, spend} {
			replace, err := g.Prepare(config(s))
			if err != nil {
				t.Fatal(err)
			}
			if replace(); i == 0 {
				use.Settle(t.Context(), used("lab/m", 1, 0), callwright.Usage{})
			}
		}
		spendOn(t, caller(t, g, "secret"), 90)
	}
}

// A raised limit is reported like a new one.
func TestCrossingsOfRaisedLimit(t *testing.T) {
	c, told := newClock(), &crossings{}
	config := func(usd float64) access.Config {
		return access.Config{Keys: []access.Key{{Name: "ci", Hash: access.HashOf("secret"), Limits: access.Limits{Spend: access.Spend{USD: usd, Per: access.Day}}}},
			Now: c.Now, Prices: testPrices, Crossed: told.add}
	}
	g := newGate(t, config(100))
	spendOn(t, caller(t, g, "secret"), 100)
	replace, err := g.Prepare(config(1000))
	if err != nil {
		t.Fatal(err)
	}
	replace()
	for _, n := range []int{650, 100} {
		c.Add(2 * time.Second)
		spendOn(t, caller(t, g, "secret"), n)
	}
	if got, want := told.take(), []string{"ci usd 100 day", "ci usd 80 day"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Two keys never share a count, whatever their names.
func TestNamesOfCounts(t *testing.T) {
	one := access.Limits{Requests: 1}
	g := newGate(t, access.Config{Now: newClock().Now, Keys: []access.Key{
		{Name: "ci", Hash: access.HashOf("a"), PerModel: []access.ModelLimits{{Models: "gpt-5", Limits: one}}},
		{Name: "ci for gpt-5", Hash: access.HashOf("b"), Limits: one}}})
	if err := caller(t, g, "b").CountRequest(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := caller(t, g, "a").Reserve(t.Context(), access.PlannedRequest{Name: "gpt-5", Input: 1}); err != nil {
		t.Error(err)
	}
}
