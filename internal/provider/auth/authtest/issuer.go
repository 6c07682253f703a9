package authtest

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// A Clock is the clock of a test. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock makes a clock that stands at a time.
func NewClock(at time.Time) *Clock { return &Clock{now: at} }

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Add moves the clock.
func (c *Clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// An Issuer gives tokens that end, and knows which ones hold. It is safe for concurrent use.
type Issuer struct {
	Clock *Clock
	Life  time.Duration

	mu    sync.Mutex
	n     int
	holds map[string]time.Time
	used  int // how often a token that holds was shown
	takes []string
}

// NewIssuer makes an Issuer of tokens that hold for a time.
func NewIssuer(c *Clock, life time.Duration) *Issuer {
	return &Issuer{Clock: c, Life: life, holds: map[string]time.Time{}}
}

// Issue gives a token, and when it ends. Every token is a Canary.
func (i *Issuer) Issue() (token string, end time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.n++
	token = fmt.Sprintf("%s-token-%04d", Canary, i.n)
	end = i.Clock.Now().Add(i.Life)
	i.holds[token] = end
	return token, end
}

// Holds reports whether a token is one that holds.
func (i *Issuer) Holds(token string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	end, ok := i.holds[token]
	ok = ok && i.Clock.Now().Before(end)
	if ok {
		i.used++
	}
	return ok
}

// Take has the services take a token of another identity provider from now on, and no more the last but one.
func (i *Issuer) Take(token string) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.takes = append(i.takes, token)
	return token
}

// Takes reports whether a token is one of the last two that are taken: one that was written anew may be on its way.
func (i *Issuer) Takes(token string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Contains(i.takes[max(0, len(i.takes)-2):], token)
}

// Revoke ends all tokens that were given.
func (i *Issuer) Revoke() {
	i.mu.Lock()
	defer i.mu.Unlock()
	clear(i.holds)
}

// TokenCount returns how many tokens were given, and Used how often one that holds was shown.
func (i *Issuer) TokenCount() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.n
}

// UseCount returns how often a token was shown that holds.
func (i *Issuer) UseCount() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.used
}

// Canary is in every secret of this package: where it is shown a secret is.
const Canary = "canary-5ecre7"
