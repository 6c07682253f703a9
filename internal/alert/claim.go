package alert

import (
	"context"
	"math"
	"time"

	"github.com/callwright/callwright/internal/access"
)

// claims decide which of several gateways sends an event. The gateways share a counter for each event; the first
// gateway to increase the counter from 0 sends the event.
type claims struct {
	counters access.Counters
	part     time.Duration // length of a part of the window, which has claimParts parts
}

// claimParts is the number of parts in the sliding window of a claim. The parts before the current one cover the time
// in which an event is sent at most once.
const claimParts = 16

// claimTime is the timeout of a request to the shared counter.
const claimTime = 2 * time.Second

// newClaims returns claims that let an event be sent only once within a time, which the parameter once specifies.
func newClaims(counters access.Counters, once time.Duration) claims {
	return claims{counters, max(once/(claimParts-1), time.Second).Truncate(time.Second)}
}

func (c *claims) window(identity string, now time.Time) access.Window {
	last := now.Truncate(c.part)
	return access.Window{Name: windowName(identity), Start: last.Add(-(claimParts - 1) * c.part), End: last.Add(c.part),
		Part: c.part, Limit: 1}
}

// windowName returns the name of an event's counter, cut to the maximum length of a name.
func windowName(identity string) string {
	name := "alert|" + identity
	return name[:min(len(name), access.MaxWindowName)]
}

// take claims an event in a window and reports whether this gateway is the first. After an error of the counter it
// returns true: a duplicate event is better than a lost event.
func (c *claims) take(ctx context.Context, w access.Window) bool {
	ctx, cancel := context.WithTimeout(ctx, claimTime)
	defer cancel()
	n, err := c.counters.Take(ctx, w, 1, 1)
	return err != nil || n == 1
}

// renew extends the claim on a present problem, so that no other gateway sends its event. If the counter fails, the
// claim expires.
func (c *claims) renew(ctx context.Context, identity string, now time.Time) {
	ctx, cancel := context.WithTimeout(ctx, claimTime)
	defer cancel()
	w := c.window(identity, now)
	w.Limit = math.MaxInt32 // a count above the limit would be moved to later windows
	_ = c.counters.Add(ctx, w, access.Tally{{Start: w.Last(), N: 1}})
}
