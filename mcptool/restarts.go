package mcptool

import (
	"slices"
	"time"
)

// A server is restarted at most maxRestarts times within restartWindow. The first restart has no delay; the next ones
// wait restartDelay, doubled each time.
const (
	maxRestarts   = 4
	restartWindow = time.Minute
	restartDelay  = 250 * time.Millisecond
)

// restarts are the times of recent restarts of an MCP server.
type restarts []time.Time

// next records a restart and returns how long to wait before it. If there were too many restarts, it records nothing
// and returns the time from which a restart is permitted (until), which is otherwise zero.
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
