package inbound

import "time"

// SpendOnChecks counts time as spent on the checks of the answer's calls.
func (a *Answer) SpendOnChecks(d time.Duration) { a.judge.Elapsed += d }
