package access_test

import (
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
)

// Keys of two gateways spend one budget together, beside their own limits; a key that is not in it, as there is none, does as well.
func TestBudgetOfAllKeys(t *testing.T) {
	c := newClock()
	shared := access.NewMemoryCounters(c.Now)
	cfg := access.Config{Keys: []access.Key{{Name: "a", Hash: access.HashOf("a"), Verbs: access.Verbs()}, {Name: "b", Hash: access.HashOf("b")}}, Budget: access.Spend{USD: 10_000, Per: access.Day},
		Now: c.Now, Prices: testPrices, Counters: shared}
	one, two := newGate(t, cfg), newGate(t, cfg)
	ask := access.PlannedRequest{Name: "lab/m", Models: []callwright.ModelID{"lab/m"}, Input: 100, MaxOutput: 100}
	spend := func(caller *access.Caller) error {
		use, err := caller.Reserve(t.Context(), ask)
		if err == nil {
			use.Settle(t.Context(), used("lab/m", 1000, 1000), callwright.Usage{}) // 3000 USD
		}
		return err
	}
	expectError(t, spend(caller(t, one, "a")), "")
	expectError(t, spend(caller(t, two, "b")), "")
	expectError(t, spend(caller(t, one, "b")), "")
	expectError(t, spend(caller(t, two, "a")), "") // it counts ahead what the first request of a key may cost
	expectError(t, spend(caller(t, two, "b")), callwright.KindRateLimited, "the budget of all keys has less left", "10000 USD a day")
	expectError(t, spend(caller(t, one, "b")), callwright.KindRateLimited, "the budget of all keys")
	if got := caller(t, two, "a").Usage(t.Context()).Budget; len(got) != 1 || got[0].Used < 9000 || got[0].Limit != 10_000 {
		t.Errorf("got %+v", got)
	}
	if got := caller(t, two, "b").Usage(t.Context()).Budget; got != nil {
		t.Errorf("a key without the verb admin sees %+v", got)
	}
	unpriced := ask
	unpriced.Models = []callwright.ModelID{"new/m"}
	_, err := caller(t, one, "a").Reserve(t.Context(), unpriced)
	expectError(t, err, callwright.KindPermission,
		"the budget of all keys is limited to 10000 USD a day, but the price of new/m is not known")
	c.Add(24 * time.Hour)
	expectError(t, spend(caller(t, two, "a")), "")

	cfg.Budget = access.Spend{}
	use, err := one.Prepare(cfg)
	if err != nil {
		t.Fatal(err)
	}
	use()
	for range 5 {
		expectError(t, spend(caller(t, one, "a")), "")
	}
	if got := caller(t, one, "a").Usage(t.Context()).Budget; got != nil {
		t.Errorf("without a budget: %+v", got)
	}
	cfg.Keys, cfg.Budget = nil, access.Spend{USD: 1, Per: access.Day}
	expectError(t, spend(newGate(t, cfg).Anybody()), callwright.KindRateLimited, "the budget of all keys")
}
