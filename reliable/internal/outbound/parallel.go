package outbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// MaxCalls returns the maximum number of calls in a response to the request, 0 for no limit: 1 without parallel calls,
// otherwise the configured limit.
func MaxCalls(req *callwright.Request, c caps.Caps) int {
	if req.Params.Parallel != nil && !*req.Params.Parallel {
		return 1
	}
	return configuredCalls(c)
}

// configuredCalls returns the configured or overridden limit of calls in a response, 0 for no limit.
func configuredCalls(c caps.Caps) int {
	if c.Sources["calls_per_answer"] < caps.Configured {
		return 0
	}
	return max(c.CallsPerAnswer, 0)
}

// limitParallel disables parallel calls if the configuration permits one call and the client did not set the
// parameter.
func limitParallel(p *callwright.Params, c caps.Caps, tools bool, l *judge.Ledger) {
	if tools && p.Parallel == nil && configuredCalls(c) == 1 {
		l.Add(callwright.Note{Rule: "parallel.limited", Stage: callwright.StageOutbound, Why: "the configuration asks for it"})
		p.Parallel = new(false)
	}
}

// askParallel enables parallel calls explicitly, for providers that disable them by default.
func askParallel(p *callwright.Params, c caps.Caps, l *judge.Ledger) {
	if c.ParallelUnasked != caps.No || c.CallsPerAnswer == 1 || p.Parallel != nil || c.ParallelField == caps.No || c.ParallelTools == caps.No {
		return
	}
	l.Add(callwright.Note{Rule: "parallel.asked", Stage: callwright.StageOutbound})
	p.Parallel = new(true)
}
