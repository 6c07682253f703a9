package judge

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// MaxCalls returns how many calls of an answer to the request may leave, 0 for any number: one where the client takes no parallel calls, and
// as many as the configuration allows.
func MaxCalls(req *callwright.Request, c caps.Caps) int {
	if req.Params.Parallel != nil && !*req.Params.Parallel {
		return 1
	}
	return ConfiguredCalls(c)
}

// ConfiguredCalls is how many calls of an answer the configuration allows, 0 for any number.
func ConfiguredCalls(c caps.Caps) int {
	if c.Sources["calls_per_answer"] != caps.Configured {
		return 0
	}
	return max(c.CallsPerAnswer, 0)
}
