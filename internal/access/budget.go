package access

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
)

// A budget contains the limits of a key or a group of keys, for all models or for the models of a pattern, and counts
// their use. It is safe for concurrent use.
type budget struct {
	owner   string // name of the key or the group
	grouped bool   // whether owner is a group
	models  string // pattern of the models; "" for all

	requests, tokens, spend meter
}

func newBudget(g *Gate, owner string, grouped bool, models string) *budget {
	b := &budget{owner: owner, grouped: grouped, models: models}
	if strings.Contains(owner, " for ") { // else the name could be that of another key's limit for a model
		owner = "\x00" + owner + "\x00"
	}
	of := " of " + owner
	if grouped {
		of = " by group " + owner // differs from the meter names of all keys
	}
	if models != "" {
		of += " for " + models
	}
	for _, m := range []struct {
		to         *meter
		name, what string
		unit       float64
	}{{&b.requests, "requests", "requests", 1}, {&b.tokens, "tokens", "tokens", 1}, {&b.spend, "spend", "usd", NanosPerUSD}} {
		m.to.counters, m.to.now, m.to.name, m.to.per = g.counters, g.now, m.name+of, Minute
		m.to.watch = &watch{tell: b.crossingReporter(g, m.what, m.unit)}
	}
	return b
}

func (b *budget) setLimits(l Limits) {
	b.requests.setLimit(l.Requests, Minute)
	b.tokens.setLimit(l.Tokens, Minute)
	b.spend.setLimit(NanosOf(l.Spend.USD), l.Spend.period())
}

func (b *budget) close(ctx context.Context) {
	for _, m := range []*meter{&b.requests, &b.tokens, &b.spend} {
		m.close(ctx)
	}
}

// limits appends the present state of each limit of the budget to out.
func (b *budget) limits(ctx context.Context, out []Limit) []Limit {
	for _, m := range []struct {
		what  string
		from  *meter
		parts float64
	}{{"requests", &b.requests, 1}, {"tokens", &b.tokens, 1}, {"usd", &b.spend, NanosPerUSD}} {
		if r := m.from.read(ctx); r.limit > 0 {
			out = append(out, b.limit(m.what, m.parts, r))
		}
	}
	return out
}

// limit returns the limit in the reading r as a Limit. unit is the number of counted units in one request, token or US
// dollar.
func (b *budget) limit(what string, unit float64, r reading) Limit {
	return Limit{What: what, Per: r.per, Models: b.models, Limit: float64(r.limit) / unit, Used: float64(r.used) / unit,
		Left: float64(max(r.limit-r.used, 0)) / unit, Resets: r.resets}
}

// who returns the subject of the budget's error messages, such as `the key "ci"`.
func (b *budget) who() string {
	if b.owner == allKeys {
		return "the budget of all keys"
	}
	of := "the key " + strconv.Quote(b.owner)
	if b.grouped {
		of = "the group of keys " + strconv.Quote(b.owner)
	}
	if b.models == "" {
		return of
	}
	return of + ", for " + b.models + ","
}

// countRequest counts a request if limit permits it. A limit of 0 is no limit.
func (b *budget) countRequest(ctx context.Context, limit int64) (reservation, error) {
	if limit == 0 {
		return reservation{}, nil
	}
	r, d := b.requests.reserve(ctx, amount{1, 1})
	if d != nil {
		b.requests.look(ctx) // allowed requests are looked at after the response
		return reservation{}, b.denialError(d, b.who()+" has used its limit of "+itoa(limit)+" requests a minute")
	}
	return r, nil
}

// unknownPause is the Retry-After of a request whose key has unknown counts.
const unknownPause = time.Second

// denialError returns the error for a denied amount: KindRateLimited with the message why, or KindUnavailable if the
// counts are unknown.
func (b *budget) denialError(d *denial, why string) error {
	if d.unknown == nil {
		return rateLimitError(d.wait, why)
	}
	return &callwright.Error{Kind: callwright.KindUnavailable, RetryAfter: unknownPause,
		Message: "the usage of " + b.who() + " cannot be read, because the state of this gateway is unavailable: try again in a moment"}
}

// longWait is the longest wait after which clients should retry by themselves. The error for a longer wait has NoRetry
// set.
const longWait = minuteWindow

// rateLimitError returns the error for an exhausted limit. why is the message without the wait.
func rateLimitError(wait time.Duration, why string) error {
	wait = max(wait, time.Millisecond)
	return &callwright.Error{Kind: callwright.KindRateLimited, RetryAfter: wait, NoRetry: wait > longWait,
		Message: why + ": try again in " + roundUpSeconds(wait)}
}

func roundUpSeconds(d time.Duration) string {
	return (d + time.Second - 1).Truncate(time.Second).String()
}

// A budgetReservation is the amount that one request has reserved in a budget.
type budgetReservation struct {
	b             *budget
	tokens, spend reservation
	requests      reservation // for the request limit of a model pattern
	estimate      [2]int64    // estimated tokens and cost
}

// reserve reserves the tokens and the cost of a request. input is the estimated number of its input tokens.
func (b *budget) reserve(ctx context.Context, l *Limits, input int64, tokens, cost amount) (budgetReservation, error) {
	if l.Tokens > 0 && input > l.Tokens {
		return budgetReservation{}, &callwright.Error{Kind: callwright.KindTooLarge, NoRetry: true,
			Message: "the request has about " + itoa(input) + " tokens, but " + b.who() + " is limited to " + itoa(l.Tokens) +
				" tokens a minute: shorten the request, or use another key"}
	}
	h := budgetReservation{b: b}
	var d *denial
	if h.tokens, d = b.tokens.reserveEstimate(ctx, tokens); d != nil {
		return budgetReservation{}, b.denialError(d, b.who()+" has less left of its "+itoa(l.Tokens)+
			" tokens a minute than this request needs, which is about "+itoa(tokens.least))
	}
	if h.spend, d = b.spend.reserveEstimate(ctx, cost); d != nil {
		b.tokens.settle(ctx, h.tokens, 0)
		return budgetReservation{}, b.denialError(d, b.who()+" has less left of its "+usd(l.Spend.USD)+" USD a "+
			string(l.Spend.period())+" than this request may cost")
	}
	return h, nil
}

// settle replaces the reservation of a request by its actual use. It does nothing for the zero budgetReservation.
func (h *budgetReservation) settle(ctx context.Context, tokens, cost int64) {
	if h.b != nil {
		h.b.tokens.settle(ctx, h.tokens, tokens)
		h.b.spend.settle(ctx, h.spend, cost)
		h.b.requests.look(ctx)
	}
}

// settleEstimate settles a request of unknown use with the estimate, or with the reservation if that is less.
func (h *budgetReservation) settleEstimate(ctx context.Context) {
	h.settle(ctx, min(h.tokens.n, h.estimate[0]), min(h.spend.n, h.estimate[1]))
}
