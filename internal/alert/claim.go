package alert

import (
	"context"
	"math"
	"time"

	"github.com/callwright/callwright/internal/access"
)

// claims decide which of several gateways sends an event. Gateways that share a state have one count of each event and
// time.
type claims struct {
	counters access.Counters
	part     time.Duration // of the window in which an event is sent once
}

// claimParts are the parts of the window: it is a part longer than the time in which an event is sent once.
const claimParts = 16

// claimTime bounds the time in which the shared counter is asked for a claim.
const claimTime = 2 * time.Second

// newClaims returns the claims on events of which each is sent once in a time.
func newClaims(counters access.Counters, once time.Duration) claims {
	return claims{counters, max(once/(claimParts-1), time.Second).Truncate(time.Second)}
}

func (c *claims) window(identity string, now time.Time) access.Window {
	last := now.Truncate(c.part)
	return access.Window{Name: windowName(identity), Start: last.Add(-(claimParts - 1) * c.part), End: last.Add(c.part),
		Part: c.part, Limit: 1}
}

// windowName returns the name of an event's count, cut to the length that a name may have.
func windowName(identity string) string {
	name := "alert|" + identity
	return name[:min(len(name), access.MaxWindowName)]
}

// take reports whether this gateway is the first to claim an event in a window. Where that cannot be known it is true:
// an event that is sent twice is better than one that nobody sends.
func (c *claims) take(ctx context.Context, w access.Window) bool {
	ctx, cancel := context.WithTimeout(ctx, claimTime)
	defer cancel()
	n, err := c.counters.Take(ctx, w, 1, 1)
	return err != nil || n == 1
}

// renew keeps a claim while the problem lasts, so that no other gateway sends the event. One that cannot be renewed
// ends by itself.
func (c *claims) renew(ctx context.Context, identity string, now time.Time) {
	ctx, cancel := context.WithTimeout(ctx, claimTime)
	defer cancel()
	w := c.window(identity, now)
	w.Limit = math.MaxInt32 // what is beyond the limit would stand in later windows
	_ = c.counters.Add(ctx, w, access.Tally{{Start: w.Last(), N: 1}})
}
