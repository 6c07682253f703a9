package access

import (
	"context"

	"github.com/callwright/callwright"
)

// An Ask is the size and the candidates of a request, before a model is asked.
type Ask struct {
	Name      string               // by which the client asks for a model
	Models    []callwright.ModelID // that may answer, in the order in which they are asked
	Input     int                  // about how many tokens it has
	MaxOutput int                  // how many tokens the client lets the answer have, 0 where it does not say
	// MostOutput is the output limit in tokens of the model that is asked first, 0 if it is not known. It counts for a
	// caller that is [Caller.IsUnmeasured], if MaxOutput is 0.
	MostOutput int
}

// A Use is one request to models with its reservations. Done or Cancel ends it, once. The zero Use has none.
type Use struct {
	c        *Caller
	ask      Ask
	expected int64   // tokens, of input and output, by the estimate
	holds    [2]hold // in the budget of the key, and in its budget for such models
	shared   []hold  // the same of its group; nil for none
	total    hold    // in the joint budget of all keys
}

// IsMetered reports whether a request is counted before a model is asked, so that an Ask is needed.
func (c *Caller) IsMetered() bool {
	return c.key.Limits.Tokens > 0 || c.key.Limits.Spend.USD > 0 || len(c.key.PerModel) > 0 || c.shared != nil &&
		c.shared.isMetered() || c.gate.total.isMetered()
}

// IsUnmeasured reports whether a request is counted before a model is asked, and no answer of the key was counted yet
// at this gateway.
func (c *Caller) IsUnmeasured() bool { return c.IsMetered() && c.account.beyond.Load() == 0 }

// Reserve reserves the expected use of a request: as much as recent requests of the key used, and before the first
// answer the most that the request's bounds allow. The error is of KindRateLimited if that is not left, of KindTooLarge
// if the request is larger than the key's limit for a minute, and of KindPermission for a model without a known price,
// if the key has a spending limit.
func (c *Caller) Reserve(ctx context.Context, ask Ask) (Use, error) {
	u := Use{c: c, ask: ask}
	if !c.IsMetered() {
		return u, nil
	}
	beyond := c.account.estimateTokens(&ask)
	u.expected = Sum(int64(ask.Input), beyond.least)
	err := u.holdAll(ctx, u.holds[:], c.account.own, c.models, &c.key.Limits, c.key.PerModel, beyond)
	if g := c.shared; err == nil && g != nil {
		u.shared = make([]hold, len(u.holds))
		err = u.holdAll(ctx, u.shared, g.account.own, g.models, &g.group.Limits, g.group.PerModel, beyond)
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

// holdAll reserves the use of a request by general limits, and by those of the models that it asks for.
func (u *Use) holdAll(ctx context.Context, holds []hold, own *budget, models []*budget, l *Limits, perModel []ModelLimits,
	beyond amount) error {
	if err := u.hold(ctx, &holds[0], own, l, beyond); err != nil {
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
		if err := u.hold(ctx, &holds[1], models[i], &m.Limits, beyond); err != nil {
			models[i].requests.correct(ctx, counted, 0)
			return err
		}
		holds[1].requests = counted
		return nil
	}
	return nil
}

// fits reports whether the name that is asked for, or the model that is asked first, fits a pattern.
func (a *Ask) fits(pattern string) bool {
	return Fits(pattern, a.Name) || len(a.Models) > 0 && Fits(pattern, string(a.Models[0]))
}

// hold reserves the use of a request in a budget: its input, and an amount beyond the input.
func (u *Use) hold(ctx context.Context, h *hold, b *budget, l *Limits, beyond amount) error {
	cost, err := u.price(b, &l.Spend, beyond)
	if err != nil {
		return err
	}
	input := int64(u.ask.Input)
	*h, err = b.take(ctx, l, input, amount{u.expected, Sum(input, beyond.most)}, cost)
	h.estimate = [2]int64{u.expected, cost.least}
	return err
}

// price returns the cost of a request in the unit of [NanosOf]: least is the estimate at the model that is asked first,
// most the cost at the most expensive model that may be asked. An unknown price of one of them is an error, unless l
// permits it.
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
				return amount{}, outside("the price of %s is not known, and %s may spend %s USD a %s: give the price in prices_file, or let the key ask such models (spend: {unpriced: allow})",
					callwright.Excerpt(string(m)), b.who(), usd(l.USD), l.period())
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

// Cancel ends a use for which no model was asked, and gives its reservations back.
func (u *Use) Cancel(ctx context.Context) {
	for _, holds := range [...][]hold{u.holds[:], u.shared} {
		for i := range holds {
			if h := &holds[i]; h.b != nil && h.requests.n > 0 {
				h.b.requests.correct(ctx, h.requests, 0)
			}
		}
	}
	u.settle(ctx, 0, 0)
	*u = Use{}
}

// settle counts the actual use of a request in place of its reservations.
func (u *Use) settle(ctx context.Context, tokens, cost int64) {
	for i := range u.holds {
		u.holds[i].settle(ctx, tokens, cost)
	}
	for i := range u.shared {
		u.shared[i].settle(ctx, tokens, cost)
	}
	u.total.settle(ctx, tokens, cost)
}

// settleEstimates settles a request of unknown use by its estimates.
func (u *Use) settleEstimates(ctx context.Context) {
	for i := range u.holds {
		u.holds[i].settleEstimate(ctx)
	}
	for i := range u.shared {
		u.shared[i].settleEstimate(ctx)
	}
	u.total.settleEstimate(ctx)
}

// Settle counts the actual use of a request: the usage of all attempts of the report, failed ones included. An answered
// attempt without usage counts as counted, or by the estimate if counted is zero. A nil report stands for one such
// attempt of the model that is asked first.
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
		case at.Error != "" && at.Kind != callwright.KindCanceled:
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
	if !c.IsMetered() {
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
