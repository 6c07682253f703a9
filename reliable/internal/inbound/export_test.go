package inbound

import "time"

// BoundChecks bounds the checks of the answer's calls together.
func (a *Answer) BoundChecks(d time.Duration) { a.judge.MaxTime = d }
