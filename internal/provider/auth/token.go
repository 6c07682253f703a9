package auth

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
)

// A Token adds a token to requests. It is safe for concurrent use.
type Token struct {
	TokenConfig
	cache *Cache[string]
}

// A TokenConfig is the configuration of a Token.
type TokenConfig struct {
	// Source is the source of the tokens, for messages.
	Source string
	// Header returns the header field for a token.
	Header func(token string) (name, value string)
	// Further are additional header fields. It may be nil.
	Further http.Header
	// Fetch obtains a token, see [NewCache].
	Fetch func(ctx context.Context) (ExpiringCredential[string], error)
	// Hidden returns further texts that errors must not contain. It may be nil.
	Hidden func() []string
	// Now returns the current time. Nil means time.Now.
	Now func() time.Time
}

// NewToken creates a Token. The caller must call Close.
func NewToken(c TokenConfig) *Token { return &Token{c, NewCache(c.fetch, c.Now)} }

// fetch calls Fetch. It returns an error for a token with control characters, which a header cannot contain.
func (c *TokenConfig) fetch(ctx context.Context) (ExpiringCredential[string], error) {
	got, err := c.Fetch(ctx)
	if err == nil && strings.ContainsFunc(got.Value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return ExpiringCredential[string]{}, &callwright.Error{Kind: callwright.KindAuth,
			Message: c.Source + " returned a token with a line break or another control character"}
	}
	return got, err
}

// maxLife is the maximum lifetime of a token.
const maxLife = 365 * 24 * time.Hour

// Seconds returns n seconds as a Duration, at most one year, since a larger n could overflow.
func Seconds(n int64) time.Duration {
	return time.Duration(min(n, int64(maxLife/time.Second))) * time.Second
}

// Bearer returns the header field of a bearer token.
func Bearer(token string) (name, value string) { return "Authorization", "Bearer " + token }

// Authorize adds a valid token to a request.
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

// Renew reports that the provider refused a request. It returns true if a retry may have another token.
func (t *Token) Renew(refused *http.Request) bool {
	return t.cache.Refuse(func(token string) bool {
		name, value := t.Header(token)
		return slices.Contains(refused.Header[name], value)
	})
}

// Secrets returns the texts that errors must not contain.
func (t *Token) Secrets() []string {
	all := t.cache.Values()
	if t.Hidden != nil {
		all = append(all, t.Hidden()...)
	}
	return all
}

// Describe returns the source of the tokens.
func (t *Token) Describe() string { return t.Source }

// Close stops background renewals.
func (t *Token) Close() error { return t.cache.Close() }
