package auth

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
)

// A Token puts a token on requests. It is safe for concurrent use.
type Token struct {
	TokenConfig
	cache *Cache[string]
}

// A TokenConfig describes a Token.
type TokenConfig struct {
	// Source names where the tokens are from, for people.
	Source string
	// Header returns the header that carries a token.
	Header func(token string) (name, value string)
	// Further are headers beside it, nil for none.
	Further http.Header
	// Fetch gets a token, see NewCache.
	Fetch func(ctx context.Context) (Grant[string], error)
	// Secrets returns further texts that no error may show, nil for none.
	Hidden func() []string
	// Now is the source of time, nil for time.Now.
	Now func() time.Time
}

// NewToken makes a Token. Call Close when it is no longer needed.
func NewToken(c TokenConfig) *Token { return &Token{c, NewCache(c.fetch, c.Now)} }

// fetch is Fetch. A token that no header can carry is an error, and is not kept.
func (c *TokenConfig) fetch(ctx context.Context) (Grant[string], error) {
	got, err := c.Fetch(ctx)
	if err == nil && strings.ContainsFunc(got.Value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return Grant[string]{}, &callwright.Error{Kind: callwright.KindAuth,
			Message: c.Source + " gave a token with a line break or another control character"}
	}
	return got, err
}

// maxLife is how long a token is believed to last at most.
const maxLife = 365 * 24 * time.Hour

// Seconds is a life that a service states in seconds, a year at most: a larger number may be beyond the range of a
// Duration.
func Seconds(n int64) time.Duration {
	return time.Duration(min(n, int64(maxLife/time.Second))) * time.Second
}

// Bearer is the header of a bearer token.
func Bearer(token string) (name, value string) { return "Authorization", "Bearer " + token }

// Authorize puts a token that holds on a request.
func (t *Token) Authorize(ctx context.Context, req *http.Request, _ []byte) error {
	token, err := t.cache.Get(ctx)
	if err != nil {
		return err
	}
	name, value := t.Header(token)
	req.Header[name] = []string{value}
	for name, values := range t.Further {
		req.Header[name] = values
	}
	return nil
}

// Renew is told that the provider refused a request, and reports whether there may be another token for the next try.
func (t *Token) Renew(refused *http.Request) bool {
	return t.cache.Refuse(func(token string) bool {
		name, value := t.Header(token)
		return slices.Contains(refused.Header[name], value)
	})
}

// Secrets returns the texts that no error may show.
func (t *Token) Secrets() []string {
	all := t.cache.Values()
	if t.Hidden != nil {
		all = append(all, t.Hidden()...)
	}
	return all
}

// Describe names where the tokens are from.
func (t *Token) Describe() string { return t.Source }

// Close ends refreshes in the background.
func (t *Token) Close() error { return t.cache.Close() }
