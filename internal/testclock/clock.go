// Package testclock has a clock for tests.
package testclock

import (
	"sync/atomic"
	"time"
)

// A Clock stands still until it is moved. Its time is in UTC, from 1678 to 2262. It is safe for concurrent use.
type Clock struct{ at atomic.Int64 }

// At returns a clock that stands at a time.
func At(t time.Time) *Clock {
	c := &Clock{}
	c.Set(t)
	return c
}

// Now is the clock's time.
func (c *Clock) Now() time.Time { return time.Unix(0, c.at.Load()).UTC() }

// Set moves the clock to a time.
func (c *Clock) Set(to time.Time) { c.at.Store(to.UnixNano()) }

// Add moves the clock by a duration.
func (c *Clock) Add(d time.Duration) { c.at.Add(int64(d)) }
