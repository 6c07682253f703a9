package archivetest

import (
	"sync"
	"time"
)

// clock is a time that stands still until it is moved.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) set(to time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = to
}

func (c *clock) pass(d time.Duration) { c.set(c.now().Add(d)) }
