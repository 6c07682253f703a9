// Package testclock contains a clock for tests.
package testclock

import (
	"sync/atomic"
	"time"
)

// A Clock is a time source that changes only by Set and Add. Its times are in UTC, from 1678 to 2262. It is safe for
// concurrent use.
type Clock struct{ at atomic.Int64 }

// At returns a Clock set to t.
func At(t time.Time) *Clock {
	c := &Clock{}
	c.Set(t)
	return c
}

// Now returns the time of the clock.
func (c *Clock) Now() time.Time { return time.Unix(0, c.at.Load()).UTC() }

// Set sets the clock to a time.
func (c *Clock) Set(to time.Time) { c.at.Store(to.UnixNano()) }

// Add advances the clock by d.
func (c *Clock) Add(d time.Duration) { c.at.Add(int64(d)) }
