package access

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
)

// A Caller is the sender of a request, identified by the key that it presented. It is safe for concurrent use. Its
// fields must not be changed.
type Caller struct {
	Name  string // name of the key; "" if the gateway has no keys
	Owner Owner  // owner of the state that is stored for the caller; zero if the gateway has no keys

	gate    *Gate
	key     *Key
	account *account
	models  []*budget // budgets of the key's limits for models
	shared  *share    // the group of the key; nil for none
	lost    bool      // whether the group of the key does not exist
}

// unusable returns the reason why the presented key is rejected, or "" if it is accepted.
func (c *Caller) unusable(presented []byte) string {
	k, now := c.key, c.gate.now()
	switch {
	case k.Disabled:
		return fmt.Sprintf("the key %q is disabled: ask the operator of this gateway", c.Name)
	case !k.Expires.IsZero() && !now.Before(k.Expires):
		return fmt.Sprintf("the key %q expired at %s: ask the operator of this gateway for a new one", c.Name, k.Expires.UTC().Format(time.RFC3339))
	case c.lost:
		return fmt.Sprintf("the key %q is in the group %q, which does not exist: ask the operator of this gateway", c.Name, k.Group)
	case k.PreviousUntil != 0 && now.Unix() >= k.PreviousUntil && HashOf(string(presented)) == k.Previous:
		return fmt.Sprintf("the key %q was replaced, and expired at %s: use the new key", c.Name,
			time.Unix(k.PreviousUntil, 0).UTC().Format(time.RFC3339))
	}
	return ""
}

// Can reports whether the key has the verb v.
func (c *Caller) Can(v Verb) bool { return c.key.Can(v) }

// May returns an error of KindPermission if the key does not have the verb v.
func (c *Caller) May(v Verb) error {
	if c.Can(v) {
		return nil
	}
	verbs := c.key.Verbs
	if verbs == nil {
		verbs = usual
	}
	var names []string
	for _, v := range verbs {
		names = append(names, string(v))
	}
	return outside("%s is outside the scope of the key %q, whose verbs are %s", v, c.Name, orNone(names))
}

// outside returns an error of KindPermission for a request outside the scope of the key.
func outside(format string, args ...any) error {
	return &callwright.Error{Kind: callwright.KindPermission,
		Message: fmt.Sprintf(format, args...) + ": use another key, or ask the operator of this gateway to extend the scope"}
}

// IsScoped reports whether the key is limited to some models or providers.
func (c *Caller) IsScoped() bool { return c.key.Models != nil || c.key.Providers != nil }

// MayAsk returns an error of KindPermission if the key may not request a model. name is the name in the request. leads
// are the models to which it resolves, as provider/model.
func (c *Caller) MayAsk(name string, leads []callwright.ModelID) error {
	k := c.key
	if k.Models != nil && !fitsAny(k.Models, name) &&
		(len(leads) == 0 || slices.ContainsFunc(leads, func(m callwright.ModelID) bool { return !fitsAny(k.Models, string(m)) })) {
		return outside("the model %s is outside the scope of the key %q, whose models are %s", quoteExcerpt(name), c.Name, orNone(k.Models))
	}
	if k.Providers == nil {
		return nil
	}
	if len(leads) == 0 {
		leads = []callwright.ModelID{callwright.ModelID(name)}
	}
	for _, m := range leads {
		if p, _ := m.Split(); !slices.Contains(k.Providers, p) {
			return outside("the model %s may be answered by %s, which is outside the scope of the key %q, whose providers are %s",
				quoteExcerpt(name), callwright.Excerpt(string(m)), c.Name, orNone(k.Providers))
		}
	}
	return nil
}

func quoteExcerpt(s string) string { return strconv.Quote(callwright.Excerpt(s)) }

// named is the maximum number of names that an error lists.
const named = 10

func orNone(list []string) string {
	switch n := len(list); {
	case n == 0:
		return "none"
	case n > named:
		return strings.Join(list[:named], ", ") + fmt.Sprintf(" and %d more", n-named)
	}
	return strings.Join(list, ", ")
}

func fitsAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return Fits(p, name) })
}

// CountRequest counts a request in the request limits of the key and its group. If one of them is exhausted, the
// request is counted in neither. The error is of KindRateLimited, with RetryAfter.
func (c *Caller) CountRequest(ctx context.Context) error {
	c.account.total.requests.Add(1)
	own, err := c.account.own.countRequest(ctx, c.key.Limits.Requests)
	if err != nil || c.shared == nil {
		return err
	}
	if _, err = c.shared.account.own.countRequest(ctx, c.shared.group.Limits.Requests); err != nil {
		c.account.own.requests.correct(ctx, own, 0)
	}
	return err
}

// streamPause is the Retry-After for a client with too many streams, since the end of a stream cannot be predicted.
const streamPause = time.Second

// OpenStream counts a running stream of the key until CloseStream. It returns an error of KindRateLimited if too many
// streams are running.
func (c *Caller) OpenStream() error {
	most := c.gate.ring.Load().streams
	if n := c.account.streams.Add(1); most == 0 || c.Name == "" || n <= most {
		return nil
	}
	c.CloseStream()
	return rateLimitError(streamPause, fmt.Sprintf("the key %q has reached its limit of %d concurrent streams (server.streams_per_key)", c.Name, most))
}

// CloseStream ends a stream for which OpenStream returned nil.
func (c *Caller) CloseStream() { c.account.streams.Add(-1) }
