package access

import (
	"context"
	"fmt"

	"github.com/callwright/callwright"
)

// A PlannedRequest describes a request before it is sent: its size and its models.
type PlannedRequest struct {
	Name      string               // model name in the request
	Models    []callwright.ModelID // models of the fallback chain, in order
	Input     int                  // estimated number of input tokens
	MaxOutput int                  // maximum of output tokens in the request; 0 if not set
	// MostOutput is the maximum of output tokens of the first model, 0 if unknown. It is used if MaxOutput is 0 and
	// [Caller.IsUnmeasured] returns true.
	MostOutput int
}

// A Use is the reservations of one request. Done or Cancel ends it, once. The zero Use has no reservations.
type Use struct {
	c            *Caller
	ask          PlannedRequest
	expected     int64                // estimated tokens of input and output
	reservations [2]budgetReservation // in the key's budget, and in its budget for the requested model
	shared       []budgetReservation  // the same for the key's group; nil for none
	total        budgetReservation    // in the budget of all keys together
	metered      bool                 // whether Reserve reserved anything; limits may change before Settle
}

// IsMetered reports whether requests of the caller must be reserved before they are sent, which needs a PlannedRequest.
func (c *Caller) IsMetered() bool {
	return c.key.Limits.Tokens > 0 || c.key.Limits.Spend.USD > 0 || len(c.key.PerModel) > 0 || c.shared != nil &&
		c.shared.isMetered() || c.gate.total.isMetered()
}

// IsUnmeasured reports whether IsMetered returns true and no response to a request with the key was counted at this
// gateway yet.
func (c *Caller) IsUnmeasured() bool { return c.IsMetered() && c.account.beyond.Load() == 0 }

// Reserve reserves the expected use of a request: the use of recent requests with the key or, before the first
// response, the maximum that the request permits. The error is of KindRateLimited if less is available, of KindTooLarge
// if the request is larger than the key's limit for a minute, and of KindPermission if the key has a spending limit and
// the price of a model is unknown.
func (c *Caller) Reserve(ctx context.Context, ask PlannedRequest) (Use, error) {
	u := Use{c: c, ask: ask}
	if !c.IsMetered() {
		return u, nil
	}
	u.metered = true
	beyond := c.account.estimateTokens(&ask)
	u.expected = Sum(int64(ask.Input), beyond.least)
	err := u.reserveAll(ctx, u.reservations[:], c.account.own, c.models, &c.key.Limits, c.key.PerModel, beyond)
	if g := c.shared; err == nil && g != nil {
		u.shared = make([]budgetReservation, len(u.reservations))
		err = u.reserveAll(ctx, u.shared, g.account.own, g.models, &g.group.Limits, g.group.PerModel, beyond)
	}
	if err == nil {
		err = c.gate.total.reserve(ctx, &u, beyond)
	}
	if err != nil {
		u.Cancel(ctx)
		return Use{}, err
	}
	return u, nil
}

// reserveAll reserves the use of a request in the budget own and in that of models for the requested model. It stores
// the reservations in holds, in this order.
func (u *Use) reserveAll(ctx context.Context, holds []budgetReservation, own *budget, models []*budget, l *Limits, perModel []ModelLimits,
	beyond amount) error {
	if err := u.reserve(ctx, &holds[0], own, l, beyond); err != nil {
		return err
	}
	for i := range perModel {
		m := &perModel[i]
		if !u.ask.fits(m.Models) {
			continue
		}
		counted, err := models[i].countRequest(ctx, m.Requests)
		if err != nil {
			return err
		}
		if err := u.reserve(ctx, &holds[1], models[i], &m.Limits, beyond); err != nil {
			models[i].requests.correct(ctx, counted, 0)
			return err
		}
		holds[1].requests = counted
		return nil
	}
	return nil
}

// fits reports whether the requested name or the first model matches a pattern.
func (a *PlannedRequest) fits(pattern string) bool {
	return Fits(pattern, a.Name) || len(a.Models) > 0 && Fits(pattern, string(a.Models[0]))
}

// reserve reserves the use of a request in a budget: its input tokens and beyond, the further tokens.
func (u *Use) reserve(ctx context.Context, h *budgetReservation, b *budget, l *Limits, beyond amount) error {
	cost, err := u.price(b, &l.Spend, beyond)
	if err != nil {
		return err
	}
	input := int64(u.ask.Input)
	*h, err = b.reserve(ctx, l, input, amount{u.expected, Sum(input, beyond.most)}, cost)
	h.estimate = [2]int64{u.expected, cost.least}
	return err
}

// unpricedError returns an error of KindPermission for a request to m, a model without a known price. who is the
// subject of the budget l in the message.
func unpricedError(m callwright.ModelID, who string, l *Spend) error {
	return &callwright.Error{Kind: callwright.KindPermission, Message: fmt.Sprintf(
		"%s is limited to %s USD a %s, but the price of %s is not known: use another model, or ask the operator of this gateway "+
			"to set the price in prices_file, or unpriced: allow", who, usd(l.USD), l.period(), callwright.Excerpt(string(m)))}
}

// price returns the cost of a request in billionths of a US dollar: least is the estimate with the first model, most
// the cost with the most expensive model of the chain. An unknown price is an error unless l permits it.
func (u *Use) price(b *budget, l *Spend, beyond amount) (cost amount, err error) {
	if l.USD <= 0 || len(u.ask.Models) == 0 {
		return amount{}, nil
	}
	prices := u.c.gate.ring.Load().prices
	for i, m := range u.ask.Models {
		p, ok := prices.Of(m)
		if !ok {
			u.c.gate.priceUnknown(m, u.c.Name)
			if !l.Unpriced {
				return amount{}, unpricedError(m, b.who(), l)
			}
		}
		if i == 0 {
			cost.least = NanosOf(p.Cost(callwright.Usage{Input: u.ask.Input, Output: int(beyond.least)}))
		}
		if beyond.most > beyond.least {
			cost.most = max(cost.most, NanosOf(p.most(int64(u.ask.Input), beyond.most)))
		}
	}
	cost.most = max(cost.most, cost.least)
	return cost, nil
}

// Cancel ends a use for which no request was sent, and returns its reservations.
func (u *Use) Cancel(ctx context.Context) {
	for _, holds := range [...][]budgetReservation{u.reservations[:], u.shared} {
		for i := range holds {
			if h := &holds[i]; h.b != nil && h.requests.n > 0 {
				h.b.requests.correct(ctx, h.requests, 0)
			}
		}
	}
	u.settle(ctx, 0, 0)
	*u = Use{}
}

// settle replaces all reservations by the actual use.
func (u *Use) settle(ctx context.Context, tokens, cost int64) {
	for i := range u.reservations {
		u.reservations[i].settle(ctx, tokens, cost)
	}
	for i := range u.shared {
		u.shared[i].settle(ctx, tokens, cost)
	}
	u.total.settle(ctx, tokens, cost)
}

// settleEstimates settles a request of unknown use with its estimates.
func (u *Use) settleEstimates(ctx context.Context) {
	for i := range u.reservations {
		u.reservations[i].settleEstimate(ctx)
	}
	for i := range u.shared {
		u.shared[i].settleEstimate(ctx)
	}
	u.total.settleEstimate(ctx)
}

// Settle counts the actual use of a request: the usage of all attempts of the report, failed ones included. For an
// answered attempt without usage it takes the usage in counted, or the estimate if counted is zero. A nil report stands
// for one such attempt of the model that is asked first.
func (u *Use) Settle(ctx context.Context, rep *callwright.Report, counted callwright.Usage) {
	c := u.c
	if c == nil {
		return
	}
	u.c = nil
	if rep == nil {
		if counted.Input <= 0 || len(u.ask.Models) == 0 {
			u.settleEstimates(ctx)
			return
		}
		rep = &callwright.Report{Attempts: []callwright.Attempt{{Model: u.ask.Models[0]}}}
	}
	var tokens, nanos, input int64
	measured, booked := false, false
	for i := range rep.Attempts {
		at := &rep.Attempts[i]
		used := at.Usage
		switch {
		case used.Known:
			measured = true
		case at.Error != "" && at.Kind != callwright.KindCanceled && !(counted.Known && i == len(rep.Attempts)-1):
			continue // it was not answered
		case counted.Input > 0:
			measured = true
			used.Input, used.Output = counted.Input, counted.Output
		default:
			used.Input, used.Output = u.ask.Input, int(max(u.expected-int64(u.ask.Input), 0))
		}
		cost := int64(0)
		input = max(input, int64(used.Input))
		price, priced := c.gate.ring.Load().prices.Of(at.Model)
		if priced {
			cost = NanosOf(price.Cost(used))
		} else {
			c.account.total.addUnpriced(at.Model, int64(used.Input+used.Output))
		}
		tokens, nanos = tokens+int64(used.Input+used.Output), nanos+cost
		c.account.total.add(used, cost)
		c.addToLedger(at.Model, used, cost, priced, !booked)
		booked = true
	}
	if !u.metered {
		c.account.own.requests.look(ctx)
		if c.shared != nil {
			c.shared.account.own.requests.look(ctx)
		}
		return
	}
	if measured {
		c.account.learn(tokens-int64(u.ask.Input), input-int64(u.ask.Input))
	}
	u.settle(ctx, tokens, nanos)
}
