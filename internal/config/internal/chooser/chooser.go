// Package chooser chooses the model of a group that answers a request.
package chooser

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config/internal/unusable"
	"github.com/callwright/callwright/internal/fitness"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
)

// A Candidate is a model of a fallback chain. Leg is the index of its group in the chain. A single model has a Leg of
// its own. Adjacent candidates with the same Leg and a Group are the members of one group.
type Candidate struct {
	ID    callwright.ModelID
	Group fitness.Prefer // the preference that orders the group; "" for a single model
	Leg   int
}

// A Chooser chooses the order of the models of a fallback chain for each request. It is safe for concurrent use. Use
// New.
type Chooser struct {
	candidates []Candidate
	chosen     []callwright.ModelID
	member     func(ctx context.Context, i int) fitness.Member
	open       func(order []int) (client *reliable.Client, whole bool, err error)

	mu      sync.Mutex
	clients map[string]*reliable.Client // by the order of the candidates
}

// maxOrders is the maximum number of clients that a Chooser caches.
const maxOrders = 64

// New returns a Chooser for a fallback chain. member returns the known facts of candidate i. open creates the client
// that tries the candidates in the given order of indexes; whole reports whether the client may be cached. If chosen is
// not nil, the models in chosen are tried first, in that order, regardless of their facts.
func New(candidates []Candidate, chosen []callwright.ModelID, member func(ctx context.Context, i int) fitness.Member,
	open func(order []int) (*reliable.Client, bool, error)) *Chooser {
	return &Chooser{candidates: candidates, chosen: chosen, member: member, open: open, clients: map[string]*reliable.Client{}}
}

// Model returns first, the first model of the fallback chain, with the method Choose of c added.
func (c *Chooser) Model(first callwright.Model) callwright.Model {
	switch m := first.(type) {
	case *unusable.Model:
		return struct {
			*unusable.Model
			*Chooser
		}{m, c}
	case known:
		return struct {
			known
			*Chooser
		}{m, c}
	}
	return first
}

// known are the methods of a provider's model that Model preserves.
type known interface {
	callwright.Model
	callwright.Describer
	callwright.Identifier
	Provider() *provider.Provider
}

// Choose returns the client that tries the models in the best order for a request, and a note for each group that
// explains the choice. It returns an error if the request cannot be decoded or the client cannot be created.
func (c *Chooser) Choose(ctx context.Context, req *callwright.Request) (*reliable.Client, []callwright.Note, error) {
	ask, err := fitness.AskOf(req)
	if err != nil {
		return nil, nil, err
	}
	var order []int
	var notes []callwright.Note
	for at := 0; at < len(c.candidates); {
		end := at + 1
		for end < len(c.candidates) && c.candidates[at].Group != "" && c.candidates[end].Leg == c.candidates[at].Leg {
			end++
		}
		is := fitness.Choice{Order: []int{0}}
		if c.candidates[at].Group != "" {
			is = c.order(ctx, ask, at, end)
			notes = append(notes, callwright.Note{Rule: "plan.group", Stage: callwright.StagePlan,
				Now: string(c.candidates[at+is.Order[0]].ID), Why: is.Why})
		}
		for _, i := range is.Order {
			order = append(order, at+i)
		}
		at = end
	}
	client, err := c.client(order)
	return client, notes, err
}

// order chooses the order of one group, the candidates with the indexes from, from+1, ..., to-1. The indexes in the
// result count from the first member.
func (c *Chooser) order(ctx context.Context, ask *fitness.Requirements, from, to int) fitness.Choice {
	if c.chosen == nil {
		members := make([]fitness.Member, 0, to-from)
		for i := from; i < to; i++ {
			members = append(members, c.member(ctx, i))
		}
		return fitness.Choose(ask, members, c.candidates[from].Group)
	}
	is := fitness.Choice{Why: "in the order of the recorded request"}
	for _, id := range c.chosen {
		if i := slices.IndexFunc(c.candidates[from:to], func(r Candidate) bool { return r.ID == id }); i >= 0 {
			is.Order = append(is.Order, i)
		}
	}
	for i := range to - from {
		if !slices.Contains(is.Order, i) {
			is.Order = append(is.Order, i)
		}
	}
	return is
}

// client returns the client that tries the candidates in the given order of indexes, from the cache or a new one.
func (c *Chooser) client(order []int) (*reliable.Client, error) {
	var b strings.Builder
	for _, i := range order {
		b.WriteString(strconv.Itoa(i) + " ")
	}
	key := b.String()
	c.mu.Lock()
	defer c.mu.Unlock()
	if client := c.clients[key]; client != nil {
		return client, nil
	}
	client, whole, err := c.open(order)
	if err != nil || !whole {
		return client, err
	}
	if len(c.clients) >= maxOrders {
		for other := range c.clients { // removes any client; it is created again when needed
			delete(c.clients, other)
			break
		}
	}
	c.clients[key] = client
	return client, nil
}
