package trace

import "github.com/callwright/callwright"

// A ModelUsage counts the tokens of all attempts with one model, as far as its provider reported them.
type ModelUsage struct {
	Model      callwright.ModelID `json:"model"`
	Input      int                `json:"input,omitempty"`
	CacheRead  int                `json:"cache_read,omitempty"`
	CacheWrite int                `json:"cache_write,omitempty"`
	Output     int                `json:"output,omitempty"`
	Reasoning  int                `json:"reasoning,omitempty"`
}

// Usage returns the counts as a callwright.Usage.
func (u *ModelUsage) Usage() callwright.Usage {
	return callwright.Usage{Known: true, Input: u.Input, CacheRead: u.CacheRead, CacheWrite: u.CacheWrite, Output: u.Output,
		Reasoning: u.Reasoning}
}

// usageOf returns the usage of all attempts in a report, by model in the order of the first attempts. It is nil without
// a report or reported usage.
func usageOf(rep *callwright.Report) (out []ModelUsage) {
	if rep == nil {
		return nil
	}
	for i := range rep.Attempts {
		if a := &rep.Attempts[i]; a.Usage.Known {
			out = addUsage(out, &ModelUsage{a.Model, a.Usage.Input, a.Usage.CacheRead, a.Usage.CacheWrite, a.Usage.Output, a.Usage.Reasoning})
		}
	}
	return out
}

// addUsage adds u to the usage of its model in to.
func addUsage(to []ModelUsage, u *ModelUsage) []ModelUsage {
	for i := range to {
		if was := &to[i]; was.Model == u.Model {
			was.Input, was.CacheRead, was.CacheWrite = was.Input+u.Input, was.CacheRead+u.CacheRead, was.CacheWrite+u.CacheWrite
			was.Output, was.Reasoning = was.Output+u.Output, was.Reasoning+u.Reasoning
			return to
		}
	}
	return append(to, *u)
}
