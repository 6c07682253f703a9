package access_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
)

// crossings keeps what a gate tells.
type crossings struct {
	mu   sync.Mutex
	list []access.Crossing
}

func (c *crossings) add(x access.Crossing) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, x)
}

// take returns what was told since the last call, as text.
func (c *crossings) take() (out []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.list {
		out = append(out, fmt.Sprint(x.Key, x.Group, " ", x.Limit.What, x.Limit.Models, " ", x.Percent, " ", x.Period))
	}
	c.list = nil
	return out
}

// Of each limit the shares 80 and 100 percent are told of once in a window, by what requests came to and not by what they reserved.
func TestCrossings(t *testing.T) {
	type step struct {
		cost int           // of a request: so many tokens, at a dollar each
		less int           // than that it is taken for
		wait time.Duration // afterwards
		want []string
	}
	for name, c := range map[string]struct {
		limits access.Limits
		steps  []step
	}{
		"spend a day": {access.Limits{Spend: access.Spend{USD: 100, Per: access.Day}}, []step{
			{cost: 79}, {cost: 1, want: []string{"ci usd 80 day"}}, {cost: 5}, {cost: 15, less: 10, want: []string{"ci usd 100 day"}}, {cost: 0, wait: 24 * time.Hour},
			{cost: 100, want: []string{"ci usd 100 day"}},
		}},
		"tokens": {access.Limits{Tokens: 100}, []step{
			{cost: 50}, {cost: 31, want: []string{"ci tokens 80 minute"}}, {cost: 1, wait: 3 * time.Minute}, {cost: 10}, {cost: 75, want: []string{"ci tokens 80 minute"}},
		}},
		"requests": {access.Limits{Requests: 5}, []step{
			{}, {}, {}, {want: []string{"ci requests 80 minute"}}, {want: []string{"ci requests 100 minute"}}, {},
		}},
		"none": {access.Limits{}, []step{{cost: 1000}}},
	} {
		t.Run(name, func(t *testing.T) {
			clock, told := newClock(), &crossings{}
			g := newGate(t, access.Config{Keys: []access.Key{{Name: "ci", Hash: access.HashOf("secret"), Limits: c.limits}}, Now: clock.Now, Prices: testPrices, Crossed: told.add})
			ci := caller(t, g, "secret")
			for i, s := range c.steps {
				if ci.CountRequest(t.Context()) == nil {
					u, err := ci.Reserve(t.Context(), access.PlannedRequest{Models: []callwright.ModelID{"lab/m"}, Input: s.cost - s.less, MaxOutput: 1})
					if err == nil {
						u.Settle(t.Context(), used("lab/m", s.cost, 0), callwright.Usage{})
					}
				}
				if got := told.take(); !slices.Equal(got, s.want) {
					t.Errorf("step %d: got %q, want %q", i, got, s.want)
				}
				clock.Add(s.wait)
			}
		})
	}
}

// A request that is refused tells that the limit is used up, where it is: a reservation alone is no use.
func TestCrossingOfReservations(t *testing.T) {
	clock, told := newClock(), &crossings{}
	g := newGate(t, access.Config{Keys: []access.Key{{Name: "ci", Hash: access.HashOf("secret"), Limits: access.Limits{Tokens: 1000}}}, Now: clock.Now, Crossed: told.add})
	ci := caller(t, g, "secret")
	ask := access.PlannedRequest{Models: []callwright.ModelID{"lab/m"}, Input: 10, MaxOutput: 900}
	first, err := ci.Reserve(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	_, err = ci.Reserve(t.Context(), ask)
	expectError(t, err, callwright.KindRateLimited)
	if got := told.take(); len(got) > 0 {
		t.Errorf("got %q of what was only reserved", got)
	}
	first.Settle(t.Context(), used("lab/m", 10, 990), callwright.Usage{})
	if got, want := told.take(), []string{"ci tokens 100 minute"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
