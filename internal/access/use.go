package access

import (
	"context"

	"github.com/callwright/callwright"
)

// An Ask is what is known of a request before a model is asked.
type Ask struct {
	Name      string               // by which the client asks for a model
	Models    []callwright.ModelID // that may answer, in the order in which they are asked
	Input     int                  // about how many tokens it has
	MaxOutput int                  // how many tokens the client lets the answer have, 0 where it does not say
	// MostOutput is how many tokens the model that is asked first writes at most, 0 where that is not known. It counts
	// for a caller that [Caller.Unmeasured] says, where MaxOutput is 0.
	MostOutput int
}

// A Use is one request to models and what it uses. Done or Cancel ends it, once. The zero Use is none.
type Use struct {
	c        *Caller
	ask      Ask
	expected int64   // tokens, of input and output, by the estimate
	holds    [2]hold // of what the key may use, and of what it may use of such models
	shared   []hold  // the same of its group; nil for none
	total    hold    // of what all keys may spend together
}

// Metered reports whether a request is counted before a model is asked, so that an Ask is worth its while.
func (c *Caller) Metered() bool {
	return c.key.Limits.Tokens > 0 || c.key.Limits.Spend.USD > 0 || len(c.key.PerModel) > 0 || c.shared != nil &&
		c.shared.isMetered() || c.gate.total.isMetered()
}

// Unmeasured reports whether a request is counted before a model is asked, and no answer of the key was counted yet at
// this gateway.
func (c *Caller) Unmeasured() bool { return c.Metered() && c.account.beyond.Load() == 0 }

// Reserve counts ahead what a request may come to: as much as the latest requests of the key did, and before any of
// them was answered, the most that its bounds allow. Its error is of KindRateLimited where that is not left; of
// KindTooLarge for a request that is larger than all that the key may use a minute; of KindPermission for a model whose
// price is not known, where the key may spend so much only.
func (c *Caller) Reserve(ctx context.Context, ask Ask) (Use, error) {
	u := Use{c: c, ask: ask}
	if !c.Metered() {
		return u, nil
	}
	beyond := c.account.expected(&ask)
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

// holdAll counts ahead what a request may use of limits, and of those of the models that it asks for.
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

// hold counts ahead what a request may use of a budget: its input, and an amount beyond that.
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

// price is what a request may cost: by the estimate at the model that is asked first, and at most at the dearest that
// may be. It is an error where the price of one that may be asked is not known.
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

// Cancel says that no model was asked: nothing was used.
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

// settle says what a request came to.
func (u *Use) settle(ctx context.Context, tokens, cost int64) {
	for i := range u.holds {
		u.holds[i].settle(ctx, tokens, cost)
	}
	for i := range u.shared {
		u.shared[i].settle(ctx, tokens, cost)
	}
	u.total.settle(ctx, tokens, cost)
}

// settleEstimates says that nobody knows what a request came to.
func (u *Use) settleEstimates(ctx context.Context) {
	for i := range u.holds {
		u.holds[i].settleEstimate(ctx)
	}
	for i := range u.shared {
		u.shared[i].settleEstimate(ctx)
	}
	u.total.settleEstimate(ctx)
}

// Done says what the request came to: all its attempts, those that failed too. An attempt of which the provider did not
// say what it used although it answered counts as much as was counted here, or as was expected where that is nothing.
// Where the report is nil that is so for the model that is asked first, once.
func (u *Use) Done(ctx context.Context, rep *callwright.Report, counted callwright.Usage) {
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
		c.spent(at.Model, used, cost, priced, !booked)
		booked = true
	}
	if !c.Metered() {
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
