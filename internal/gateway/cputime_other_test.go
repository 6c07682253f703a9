//go:build !unix

package gateway_test

import "time"

var processStart = time.Now()

// cpuTime returns the time since the process began: on one core of a machine without other work, about what it has taken.
func cpuTime() time.Duration { return time.Since(processStart) }
