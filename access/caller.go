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

// A Caller is who asks, by the key that was presented. It is safe for concurrent use. It must not be changed.
type Caller struct {
	Name  string // of the key, empty where there are no keys
	Owner Owner  // of what is kept for it; zero where there are no keys

	gate    *Gate
	key     *Key
	account *account
}

func (c *Caller) expired() bool {
	return !c.key.Expires.IsZero() && !c.gate.now().Before(c.key.Expires)
}

// Can reports whether the key is for a verb.
func (c *Caller) Can(v Verb) bool {
	if c.key.Verbs == nil {
		return slices.Contains(usual, v)
	}
	return slices.Contains(c.key.Verbs, v)
}

// May returns an error of KindPermission where the key is not for a verb.
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
	return c.outside("%s is outside the scope of the key %q, whose verbs are %s", v, c.Name, orNone(names))
}

// outside is the error of what the key's scope does not have.
func (c *Caller) outside(format string, args ...any) error {
	return &callwright.Error{Kind: callwright.KindPermission,
		Message: fmt.Sprintf(format, args...) + ": use another key, or have the operator of this gateway widen this one's"}
}

// Scoped reports whether there are models that the key is not for.
func (c *Caller) Scoped() bool { return c.key.Models != nil || c.key.Providers != nil }

// MayAsk returns an error of KindPermission where the key is not for a model, which was asked for by a name and leads to models, as
// provider/model.
func (c *Caller) MayAsk(name string, leads []callwright.ModelID) error {
	k := c.key
	if k.Models != nil && !fitsAny(k.Models, name) && (len(leads) == 0 || slices.ContainsFunc(leads, func(m callwright.ModelID) bool { return !fitsAny(k.Models, string(m)) })) {
		return c.outside("the model %s is outside the scope of the key %q, whose models are %s", quoted(name), c.Name, orNone(k.Models))
	}
	if k.Providers == nil {
		return nil
	}
	if len(leads) == 0 {
		leads = []callwright.ModelID{callwright.ModelID(name)}
	}
	for _, m := range leads {
		if p, _ := m.Split(); !slices.Contains(k.Providers, p) {
			return c.outside("the model %s may be answered by %s, which is outside the scope of the key %q, whose providers are %s",
				quoted(name), callwright.Excerpt(string(m)), c.Name, orNone(k.Providers))
		}
	}
	return nil
}

func quoted(s string) string { return strconv.Quote(callwright.Excerpt(s)) }

// named bounds what an error lists.
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

// CountRequest counts a request. Its error, of KindRateLimited, says when the next one may come.
func (c *Caller) CountRequest(ctx context.Context) error {
	c.account.total.requests.Add(1)
	if c.key.Limits.Requests == 0 {
		return nil
	}
	if _, wait, ok := c.account.requests.reserve(ctx, 1); !ok {
		return c.limited(wait, "has used the %d requests that it may make a minute", c.key.Limits.Requests)
	}
	return nil
}

// limited is the error of a limit that is reached.
func (c *Caller) limited(wait time.Duration, format string, args ...any) error {
	wait = max(wait, time.Millisecond)
	return &callwright.Error{Kind: callwright.KindRateLimited, RetryAfter: wait,
		Message: fmt.Sprintf("the key %q "+format, append([]any{c.Name}, args...)...) + ": try again in " + rounded(wait)}
}

func rounded(d time.Duration) string { return (d + time.Second - 1).Truncate(time.Second).String() }

// streamPause is when a client may try again for whom too many streams run: nobody knows when one of them ends.
const streamPause = time.Second

// OpenStream counts a stream that runs until CloseStream. Its error is of KindRateLimited.
func (c *Caller) OpenStream() error {
	most := c.gate.streams
	if n := c.account.streams.Add(1); most == 0 || c.Name == "" || n <= most {
		return nil
	}
	c.CloseStream()
	return c.limited(streamPause, "has %d streams running, as many as one key may (server.streams_per_key)", most)
}

// CloseStream ends a stream that OpenStream counted.
func (c *Caller) CloseStream() { c.account.streams.Add(-1) }
