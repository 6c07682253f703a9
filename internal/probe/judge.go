package probe

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
)

// finishRule is the rule of the codec's note that a finish reason contradicts its response.
const finishRule = "wire.finish_reason"

// recordFacts records the facts that every response shows: damaged calls, calls in its text, reasoning, and a finish
// reason that contradicts the response.
func (r *run) recordFacts(a *answer, tools []callwright.Tool) {
	for i := range a.calls {
		r.card.Calls++
		switch _, damage := validateCall(&a.calls[i], tools); damage {
		case unknownName:
			r.card.Counts.UnknownName++
		case invalidJSON:
			r.card.Counts.InvalidJSON++
		case schemaMismatch:
			r.card.Counts.SchemaMismatch++
		case sound:
		}
	}
	r.thinks = r.thinks || a.Reasoning() != "" || a.Usage.Reasoning > 0
	if len(a.calls) == 0 && len(tools) > 0 && r.dialect == "" {
		if c := textCall(a.Text(), tools, dialect.Options{Model: r.name}); c != nil {
			r.dialect = c.Format
		}
	}
	for _, n := range a.notes {
		if n.Rule == finishRule && r.finished == "" {
			r.finished = n.Why
		}
	}
	switch calls := len(a.calls) > 0; {
	case calls && a.Finish != callwright.FinishCalls:
		r.finished = "an answer with a call ended with " + string(a.Finish)
	case !calls && a.Finish == callwright.FinishCalls:
		r.finished = "an answer without a call ended with " + string(a.Finish)
	}
}

// textCall returns the first tool call in a text, nil for none.
func textCall(text string, tools []callwright.Tool, o dialect.Options) *dialect.Call {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	for i := range tools {
		o.Tools = append(o.Tools, dialectTool(&tools[i]))
	}
	for _, it := range dialect.ScanAll(o, text) {
		if it.Kind == dialect.CallFound {
			return it.Call
		}
	}
	return nil
}

func dialectTool(t *callwright.Tool) dialect.Tool {
	out := dialect.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema}
	if s, err := schema.Compile(t.Schema); err == nil {
		for _, p := range s.Params() {
			out.Params = append(out.Params, dialect.Param{Name: p.Name, Types: p.Types, Required: p.Required})
		}
	}
	return out
}

// A damage is the fault of a tool call.
type damage uint8

const (
	sound damage = iota
	unknownName
	invalidJSON
	schemaMismatch
)

// validateCall validates a call against the tools. It returns the fault and a sentence on it, "" for a valid call.
func validateCall(c *callwright.Call, tools []callwright.Tool) (why string, d damage) {
	var tool *callwright.Tool
	for i := range tools {
		if tools[i].Name == c.Name {
			tool = &tools[i]
		}
	}
	switch {
	case tool == nil:
		return "the call names " + strconv.Quote(short(c.Name)) + ", which is not a declared tool", unknownName
	case !jsonx.ValidObject(jsonx.Trim(c.Arguments)):
		return "the arguments are not a JSON object: " + short(string(c.Arguments)), invalidJSON
	}
	s, err := schema.Compile(tool.Schema)
	if err != nil {
		panic("probe: " + err.Error()) // programming error: an invalid schema
	}
	if broken := s.Validate(c.Arguments); len(broken) > 0 {
		return "the arguments do not satisfy the schema: " + short(broken[0].Message), schemaMismatch
	}
	return "", sound
}
