package authtest

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// A Clock is a manual clock for tests. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock creates a Clock that shows the time at until Add is called.
func NewClock(at time.Time) *Clock { return &Clock{now: at} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Add advances the clock by d.
func (c *Clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// An Issuer issues tokens that expire, and reports which are valid. It is safe for concurrent use.
type Issuer struct {
	Clock *Clock
	Life  time.Duration

	mu    sync.Mutex
	n     int
	holds map[string]time.Time
	used  int // number of successful checks by IsValid
	takes []string
}

// NewIssuer creates an Issuer of tokens with the given lifetime.
func NewIssuer(c *Clock, life time.Duration) *Issuer {
	return &Issuer{Clock: c, Life: life, holds: map[string]time.Time{}}
}

// Issue returns a new token and its time of expiry. Every token contains Canary.
func (i *Issuer) Issue() (token string, end time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.n++
	token = fmt.Sprintf("%s-token-%04d", Canary, i.n)
	end = i.Clock.Now().Add(i.Life)
	i.holds[token] = end
	return token, end
}

// IsValid reports whether a token is valid, and counts valid tokens for UseCount.
func (i *Issuer) IsValid(token string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	end, ok := i.holds[token]
	ok = ok && i.Clock.Now().Before(end)
	if ok {
		i.used++
	}
	return ok
}

// AcceptSubjectToken makes the services accept token, a token of another identity provider. Only the last two such
// tokens are accepted. It returns token.
func (i *Issuer) AcceptSubjectToken(token string) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.takes = append(i.takes, token)
	return token
}

// AcceptsSubjectToken reports whether token is one of the last two arguments of AcceptSubjectToken. The last but one is
// accepted because a client may still send it.
func (i *Issuer) AcceptsSubjectToken(token string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Contains(i.takes[max(0, len(i.takes)-2):], token)
}

// Revoke invalidates all issued tokens.
func (i *Issuer) Revoke() {
	i.mu.Lock()
	defer i.mu.Unlock()
	clear(i.holds)
}

// TokenCount returns the number of issued tokens.
func (i *Issuer) TokenCount() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.n
}

// UseCount returns how many calls of IsValid returned true.
func (i *Issuer) UseCount() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.used
}

// Canary is part of every secret in this package. A text that contains it contains a secret.
const Canary = "canary-5ecre7"
