package config

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/config/internal/chooser"
	"github.com/callwright/callwright/internal/fitness"
	"github.com/callwright/callwright/internal/modestat"
	"github.com/callwright/callwright/reliable"
)

// routing has the data to choose members of model groups and to limit conversations.
type routing struct {
	bounded bool             // whether the configuration limits conversations
	records *fitness.Records // success rates and latencies of the members; nil if the configuration has no group
	prices  *access.Prices
	chosen  []callwright.ModelID // preferred members; nil to choose by the records
}

// WithChosen makes requests to groups try the given models first, in that order. A replay of recorded answers uses it
// to request the models that gave the answers.
func WithChosen(models []callwright.ModelID) Option {
	return func(r *Registry) { r.routing.chosen = models }
}

// prepare creates the records and reads the prices if the configuration has groups.
func (g *routing) prepare(r *Registry) error {
	g.bounded = r.c.boundsConversations()
	if !slices.ContainsFunc(r.c.Models, func(m Model) bool { return len(m.Any) > 0 }) {
		return nil
	}
	g.records = fitness.NewRecords(func() time.Time { return r.now() })
	if file := string(r.c.PricesFile); file != "" {
		rows, err := LoadPrices(file, r.env)
		if err != nil {
			return fmt.Errorf("prices_file: %w", err)
		}
		g.prices = access.NewPrices(rows)
	}
	return nil
}

// openName returns the client of a fallback chain and whether the client may be cached, see open. If the chain has a
// group, the client chooses among the members for each request.
func (r *Registry) openName(candidates []*resolvedModel) (client *reliable.Client, whole bool, err error) {
	if !slices.ContainsFunc(candidates, func(f *resolvedModel) bool { return f.group != "" }) {
		return r.open(candidates, nil)
	}
	steps := make([]chooser.Candidate, len(candidates))
	for i, f := range candidates {
		steps[i] = chooser.Candidate{ID: f.id, Group: f.group, Leg: f.leg}
	}
	c := chooser.New(steps, r.routing.chosen, func(ctx context.Context, i int) fitness.Member { return r.member(ctx, candidates[i]) },
		func(order []int) (*reliable.Client, bool, error) {
			var list []*resolvedModel
			for _, i := range order {
				list = append(list, candidates[i])
			}
			return r.open(list, nil)
		})
	client, _, err = r.open(candidates, c.Model)
	return client, true, err
}

// member returns the facts and statistics of a member of a group by which the group chooses.
func (r *Registry) member(ctx context.Context, f *resolvedModel) fitness.Member {
	m := fitness.Member{ID: f.id, Modes: f.settings.Modes, Record: r.routing.records.Of(f.id)}
	endpoint, err := r.provider(f.provider, &f.settings)
	if err != nil {
		m.Unusable = "it cannot be used: " + plain(err)
		return m
	}
	m.Caps = r.knownOf(ctx, f, caps.Caps{})
	m.Before, _ = modestat.Parse(m.Caps.Counted.ModeSuccess)
	_, local := f.id.Split()
	m.Away, m.Left = endpoint.Model(local).Away()
	m.USD = func(input, output int) (float64, bool) {
		price, known := r.routing.prices.Of(f.id)
		return price.Cost(callwright.Usage{Input: input, Output: output}), known
	}
	return m
}
