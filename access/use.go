package access

import (
	"context"
	"time"

	"github.com/callwright/callwright"
)

// An Ask is what is known of a request before a model is asked.
type Ask struct {
	Models    []callwright.ModelID // that may answer, in the order in which they are asked
	Input     int                  // about how many tokens it has
	MaxOutput int                  // how many tokens the client lets the answer have, 0 where it does not say
}

// A Use is one request to models and what it uses. Done or Cancel ends it, once. The zero Use is none.
type Use struct {
	c             *Caller
	ask           Ask
	expected      int64 // tokens, of input and output
	tokens, spend reservation
}

// Metered reports whether the tokens of a request are counted before it is made, so that an Ask is worth its while.
func (c *Caller) Metered() bool { return c.key.Limits.Tokens > 0 || c.key.Limits.Spend.USD > 0 }

// Reserve counts ahead what a request may come to. Its error is of KindRateLimited where that is not left; of KindTooLarge for a request that is
// larger than all that the key may use a minute; of KindPermission for a model whose price is not known, where the key may spend so much only.
func (c *Caller) Reserve(ctx context.Context, ask Ask) (Use, error) {
	u := Use{c: c, ask: ask}
	if !c.Metered() {
		return u, nil
	}
	l, a := &c.key.Limits, c.account
	beyond := a.expected(int64(ask.MaxOutput))
	u.expected = Sum(int64(ask.Input), beyond)
	nanos, err := c.price(ask, beyond)
	if err != nil {
		return Use{}, err
	}
	if l.Tokens > 0 && int64(ask.Input) > l.Tokens {
		return Use{}, &callwright.Error{Kind: callwright.KindTooLarge, NoRetry: true,
			Message: "the request has about " + itoa(int64(ask.Input)) + " tokens, more than the " + itoa(l.Tokens) + " that the key \"" + c.Name + "\" may use a minute: send less, or use another key"}
	}
	var wait time.Duration
	var ok bool
	if u.tokens, wait, ok = a.tokens.reserve(ctx, u.expected); !ok {
		return Use{}, c.limited(wait, "has less left than the about %d tokens of this request, of the %d that it may use a minute", u.expected, l.Tokens)
	}
	if u.spend, wait, ok = a.spend.reserve(ctx, nanos); !ok {
		a.tokens.settle(ctx, u.tokens, 0)
		return Use{}, c.limited(wait, "has less left than what this request may cost, of the %s USD that it may spend a %s", usd(l.Spend.USD), a.spend.per)
	}
	return u, nil
}

// price is what a request may cost at the model that is asked first. It is an error where the price of one that may be asked is not known.
func (c *Caller) price(ask Ask, beyond int64) (int64, error) {
	l := &c.key.Limits.Spend
	if l.USD <= 0 {
		return 0, nil
	}
	for _, m := range ask.Models {
		if _, ok := c.gate.prices.Of(m); ok {
			continue
		}
		c.gate.priceUnknown(m, c.Name)
		if !l.Unpriced {
			return 0, c.outside("the price of %s is not known, and the key %q may spend %s USD a %s: give the price in prices_file, or let the key ask such models (spend: {unpriced: allow})",
				callwright.Excerpt(string(m)), c.Name, usd(l.USD), c.account.spend.per)
		}
	}
	if len(ask.Models) == 0 {
		return 0, nil
	}
	p, _ := c.gate.prices.Of(ask.Models[0])
	return nanosOf(p.Cost(callwright.Usage{Input: ask.Input, Output: int(beyond)})), nil
}

// Cancel says that no model was asked: nothing was used.
func (u *Use) Cancel(ctx context.Context) {
	if u.c == nil {
		return
	}
	u.c.account.tokens.settle(ctx, u.tokens, 0)
	u.c.account.spend.settle(ctx, u.spend, 0)
	u.c = nil
}

// Done says what the request came to: all its attempts, those that failed too. Where the report is nil, and for an attempt of which the
// provider did not say what it used although it answered, what was expected counts.
func (u *Use) Done(ctx context.Context, rep *callwright.Report) {
	c := u.c
	if c == nil {
		return
	}
	u.c = nil
	if rep == nil {
		return // what was reserved is used
	}
	var tokens, nanos int64
	measured := false
	for i := range rep.Attempts {
		at := &rep.Attempts[i]
		used := at.Usage
		switch {
		case used.Known:
			measured = true
		case at.Error != "" && at.Kind != callwright.KindCanceled:
			continue // it was not answered
		default:
			used.Input, used.Output = u.ask.Input, int(max(u.expected-int64(u.ask.Input), 0))
		}
		cost := int64(0)
		if price, ok := c.gate.prices.Of(at.Model); ok {
			cost = nanosOf(price.Cost(used))
		} else {
			c.account.total.addUnpriced(at.Model, int64(used.Input+used.Output))
		}
		tokens, nanos = tokens+int64(used.Input+used.Output), nanos+cost
		c.account.total.add(used, cost)
	}
	if !c.Metered() {
		return
	}
	if measured {
		c.account.learn(tokens - int64(u.ask.Input))
	}
	c.account.tokens.settle(ctx, u.tokens, tokens)
	c.account.spend.settle(ctx, u.spend, nanos)
}
