package outbound

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/factlist"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// lowestEffort is the reasoning effort that disables reasoning.
const lowestEffort = "none"

// withoutReasoning disables reasoning if the model does not support tools together with reasoning. If reasoning cannot
// be disabled, the request stays unchanged.
func withoutReasoning(p *callwright.Params, c caps.Caps, l *judge.Ledger) {
	off := p.Thinking.Off || p.Thinking.Effort == lowestEffort
	if c.ReasoningTools != caps.No || off || !takesEffort(c, lowestEffort) {
		return
	}
	l.Add(callwright.Note{Rule: "params.reasoning_off", Stage: callwright.StageOutbound, Was: p.Thinking.Effort, Now: lowestEffort,
		Why: "the model accepts tools only without reasoning"})
	p.Thinking = callwright.Thinking{Effort: lowestEffort, Off: true}
}

func takesEffort(c caps.Caps, effort string) bool {
	return c.Efforts == "" || factlist.Has(c.Efforts, effort)
}

// allowEffort replaces disabled reasoning by the lowest supported effort if the model cannot disable reasoning.
func allowEffort(p *callwright.Params, c caps.Caps, l *judge.Ledger) {
	if !p.Thinking.Off && p.Thinking.Effort != lowestEffort || takesEffort(c, lowestEffort) {
		return
	}
	least, _, _ := strings.Cut(c.Efforts, ",")
	l.Add(callwright.Note{Rule: "params.least_effort", Stage: callwright.StageOutbound, Was: lowestEffort, Now: least,
		Why: "the model always reasons"})
	p.Thinking = callwright.Thinking{Effort: least}
}

// paramMembers maps request members of the APIs to functions that report whether the parameter is set.
var paramMembers = map[string]func(*callwright.Params) bool{
	"temperature":       func(p *callwright.Params) bool { return p.Temperature != "" },
	"top_p":             func(p *callwright.Params) bool { return p.TopP != "" },
	"top_k":             func(p *callwright.Params) bool { return p.TopK != "" },
	"presence_penalty":  func(p *callwright.Params) bool { return p.Presence != "" },
	"frequency_penalty": func(p *callwright.Params) bool { return p.Frequency != "" },
	"seed":              func(p *callwright.Params) bool { return p.Seed != "" },
	"stop":              func(p *callwright.Params) bool { return len(p.Stop) > 0 },
	"stop_sequences":    func(p *callwright.Params) bool { return len(p.Stop) > 0 },
	"user":              func(p *callwright.Params) bool { return p.User != "" },
	"reasoning_effort":  reasons,
	"reasoning":         reasons,
	"thinking":          reasons,
	"think":             reasons,
}

func reasons(p *callwright.Params) bool {
	return p.Thinking.Effort != "" || p.Thinking.Budget != "" || p.Thinking.Off || p.Thinking.Extra.JSON != nil
}

// carries reports whether the encoded request may have the member at path. For members that encoders add it returns
// true.
func carries(req *callwright.Request, path []string) bool {
	if _, ok := jsonx.Find(companion.Of(req).Bytes(), path[0]); ok {
		return true
	}
	has, ok := paramMembers[path[0]]
	return !ok || has(&req.Params)
}

// dropFields removes the members that the provider is known to reject.
func dropFields(out *callwright.Request, c caps.Caps, l *judge.Ledger) {
	if c.DropFields == "" {
		return
	}
	edits := slices.Clone(companion.Of(out).Edits)
	for name := range strings.SplitSeq(c.DropFields, ",") {
		path := strings.Split(name, ".")
		if !carries(out, path) {
			continue
		}
		l.Add(callwright.Note{Rule: "field.dropped", Stage: callwright.StageOutbound, Was: name})
		edits = append(edits, callwright.Edit{Path: path})
	}
	companion.Change(out, func(c *companion.Companion) { c.Edits = edits })
}
