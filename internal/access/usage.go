package access

import (
	"context"
	"strconv"
	"time"

	"github.com/callwright/callwright"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// usd returns an amount of US dollars as decimal text without an exponent.
func usd(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// A Usage is the use of a key and the state of its limits.
type Usage struct {
	Key      string     `json:"key"`
	Disabled bool       `json:"disabled,omitempty"`
	Expires  *time.Time `json:"expires,omitempty"`
	Scope    *Scope     `json:"scope,omitempty"`
	Limits   []Limit    `json:"limits"`
	// Group is the group of the key, with the use of the group's limits. It is nil for a key without a group.
	Group *GroupUsage `json:"group,omitempty"`
	// Budget is the spending limit of all keys together. It is set only for a key with the verb admin, if there is such a
	// limit.
	Budget  []Limit `json:"budget,omitempty"`
	Total   Total   `json:"total"`
	Streams int64   `json:"streams"` // number of running streams at this gateway
}

// A Scope is the scope of a key. A nil field permits everything.
type Scope struct {
	Models    []string `json:"models,omitempty"`
	Providers []string `json:"providers,omitempty"`
	Verbs     []Verb   `json:"verbs,omitempty"`
}

// A Limit is the state of one limit in the present window. The limit is of a key, of a group or of all keys. Used is
// the sum over all gateways that share the counts.
type Limit struct {
	What   string  `json:"what"` // requests, tokens or usd
	Per    Period  `json:"per"`
	Models string  `json:"models,omitempty"` // a pattern of models; empty for all
	Limit  float64 `json:"limit"`
	Used   float64 `json:"used"`
	Left   float64 `json:"left"`
	// Resets is the time at which the whole limit is available again, without further use.
	Resets time.Time `json:"resets"`
}

// UnitOf returns the unit of a Limit for display: requests, tokens or USD.
func UnitOf(what string) string {
	if what == "usd" {
		return "USD"
	}
	return what
}

// A Total is the use of a key at this gateway since its start.
type Total struct {
	Requests     int64   `json:"requests"`
	InputTokens  int64   `json:"input_tokens"` // including cached tokens
	CachedTokens int64   `json:"cached_tokens"`
	OutputTokens int64   `json:"output_tokens"`
	USD          float64 `json:"usd"`
	// Unknown is the number of tokens without a known price, which USD does not include. UnknownModels are some of their
	// models.
	Unknown       int64                `json:"unknown,omitempty"`
	UnknownModels []callwright.ModelID `json:"unknown_models,omitempty"`
}

// Usage returns the usage of the key.
func (c *Caller) Usage(ctx context.Context) Usage {
	k, a := c.key, c.account
	u := Usage{Key: c.Name, Disabled: k.Disabled, Limits: []Limit{}, Streams: a.streams.Load(), Total: a.total.now()}
	if !k.Expires.IsZero() {
		u.Expires = &k.Expires
	}
	if k.Models != nil || k.Providers != nil || k.Verbs != nil {
		u.Scope = &Scope{k.Models, k.Providers, k.Verbs}
	}
	u.Limits = a.own.limits(ctx, u.Limits)
	for _, b := range c.models {
		u.Limits = b.limits(ctx, u.Limits)
	}
	if c.shared != nil {
		u.Group = &GroupUsage{k.Group, c.shared.limits(ctx)}
	}
	if c.Can(Admin) {
		u.Budget = c.gate.total.budget.limits(ctx, nil)
	}
	return u
}

func (t *totals) now() Total {
	return Total{
		Requests: t.requests.Load(), InputTokens: t.input.Load(), CachedTokens: t.cached.Load(), OutputTokens: t.output.Load(),
		USD: float64(t.nanos.Load()) / NanosPerUSD, Unknown: t.unpriced.Load(), UnknownModels: t.unpricedModels(),
	}
}

// Usages returns the usage of each key, in the order of the keys.
func (g *Gate) Usages(ctx context.Context) []Usage {
	if g.Open() {
		return []Usage{g.anybody.Usage(ctx)}
	}
	r := g.currentRing()
	out := make([]Usage, len(r.keys))
	for i := range out {
		out[i] = g.onlooker(r, int32(i)).Usage(ctx)
	}
	return out
}
