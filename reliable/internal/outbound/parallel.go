package outbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// MaxCalls returns how many calls of an answer to the request may leave, 0 for any number: one where the client takes
// no parallel calls, and as many as the configuration, or an override of it, allows.
func MaxCalls(req *callwright.Request, c caps.Caps) int {
	if req.Params.Parallel != nil && !*req.Params.Parallel {
		return 1
	}
	return configuredCalls(c)
}

// configuredCalls is how many calls of an answer the configuration allows, 0 for any number.
func configuredCalls(c caps.Caps) int {
	if c.Sources["calls_per_answer"] < caps.Configured {
		return 0
	}
	return max(c.CallsPerAnswer, 0)
}

// limitParallel asks for one call an answer where the configuration allows one and the client says nothing.
func limitParallel(p *callwright.Params, c caps.Caps, tools bool, l *judge.Ledger) {
	if tools && p.Parallel == nil && configuredCalls(c) == 1 {
		l.Add(callwright.Note{Rule: "parallel.limited", Stage: callwright.StageOutbound, Why: "the configuration asks for it"})
		p.Parallel = new(false)
	}
}

// askParallel asks for several calls in one answer where the provider allows them only on request.
func askParallel(p *callwright.Params, c caps.Caps, l *judge.Ledger) {
	if c.ParallelUnasked != caps.No || c.CallsPerAnswer == 1 || p.Parallel != nil || c.ParallelField == caps.No || c.ParallelTools == caps.No {
		return
	}
	l.Add(callwright.Note{Rule: "parallel.asked", Stage: callwright.StageOutbound})
	p.Parallel = new(true)
}
