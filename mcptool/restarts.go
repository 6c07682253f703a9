package mcptool

import (
	"slices"
	"time"
)

// A server is started again at most maxRestarts times in restartWindow: at once, then after a delay that doubles.
const (
	maxRestarts   = 4
	restartWindow = time.Minute
	restartDelay  = 250 * time.Millisecond
)

// restarts are the times at which a server was started again.
type restarts []time.Time

// next notes a restart and returns how long to wait before it. It is refused, with the time after which there may be
// one, when there were too many.
func (r *restarts) next(now time.Time) (wait time.Duration, until time.Time) {
	*r = slices.DeleteFunc(*r, func(t time.Time) bool { return now.Sub(t) >= restartWindow })
	n := len(*r)
	if n >= maxRestarts {
		return 0, (*r)[0].Add(restartWindow)
	}
	if n > 0 {
		wait = restartDelay << (n - 1)
	}
	*r = append(*r, now)
	return wait, time.Time{}
}
