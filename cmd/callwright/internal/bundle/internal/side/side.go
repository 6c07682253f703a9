// Package side determines which side broke a request: the model, the engine that runs it, the provider, the client or
// the gateway.
package side

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/finding"
)

// A Side is one of the programs through which a request passes.
type Side string

// The values of Side, with the fault sources that each covers.
const (
	Model    Side = "model"      // the generated tokens
	Engine   Side = "engine"     // the inference server: chat template, parsers, stream
	Provider Side = "provider"   // the API, its limits, and the network to it
	Client   Side = "client"     // the program that sent the request
	Gateway  Side = "callwright" // the gateway
)

// A Reason states which side caused one fault of a request.
type Reason struct {
	Finding string `json:"finding"`        // a rule id, the name of a check, or "error KIND"
	Side    Side   `json:"side,omitempty"` // "" if several sides are possible
	Or      []Side `json:"or,omitempty"`   // the possible sides if Side is ""
	Says    string `json:"says"`
	weight  weight
}

// A Verdict states which side caused the faults of a request.
type Verdict struct {
	Side Side `json:"side,omitempty"` // "" if it is not certain or nothing is broken
	// Candidates are the possible sides if Side is "". They are empty if nothing is broken or if no row of the table
	// covers the findings.
	Candidates []Side   `json:"candidates,omitempty"`
	Reasons    []Reason `json:"reasons,omitempty"` // the deciding reasons first, each part in table order
	Decided    int      `json:"decided"`           // number of deciding reasons at the start of Reasons
	Unknown    []string `json:"unknown,omitempty"` // findings that no row of the table covers
}

// IsBroken reports whether the request has a fault that some side caused.
func (v *Verdict) IsBroken() bool { return v.Decided > 0 || len(v.Unknown) > 0 }

// Of returns the verdict about a request for its finding and facts. Each rule of the finding is assigned by the first
// matching row of the table. The reasons with the greatest weight decide. If they name one side only, and with
// certainty, it is the side of the verdict.
func Of(f *finding.Finding, known *Facts) Verdict {
	known.found = f
	var v Verdict
	for _, name := range names(f) {
		if r := rowOf(name, known); r != nil {
			v.Reasons = append(v.Reasons, Reason{name, r.side, r.or, r.why, r.weight})
		} else {
			v.Unknown = append(v.Unknown, name)
		}
	}
	slices.SortStableFunc(v.Reasons, func(a, b Reason) int { return int(b.weight) - int(a.weight) })
	for _, r := range v.Reasons {
		if r.weight != v.Reasons[0].weight || r.weight == adapted {
			break
		}
		v.Decided++
	}
	v.decide()
	return v
}

// decide sets Side if the deciding reasons name one side with certainty. Otherwise it sets Candidates.
func (v *Verdict) decide() {
	certain := len(v.Unknown) == 0 || v.Decided > 0 && v.Reasons[0].weight > answer
	for _, r := range v.Reasons[:v.Decided] {
		certain = certain && r.Side != ""
		for _, s := range append(slices.Clone(r.Or), r.Side) {
			if s != "" && !slices.Contains(v.Candidates, s) {
				v.Candidates = append(v.Candidates, s)
			}
		}
	}
	if certain && len(v.Candidates) == 1 {
		v.Side, v.Candidates = v.Candidates[0], nil
	}
}

// names returns the parts of a finding that need a verdict: failed checks, the error, and rules.
func names(f *finding.Finding) []string {
	out := slices.Clone(f.Broken)
	if f.Kind != "" {
		out = append(out, errorName(f.Kind))
	}
	return append(out, f.Rules...)
}

func errorName(k callwright.Kind) string { return "error " + string(k) }

// rowOf returns the first row of the table that matches, nil if there is none.
func rowOf(name string, known *Facts) *row {
	for i := range rows {
		if r := &rows[i]; r.covers(name) && (r.when == nil || r.when(known, name)) {
			return r
		}
	}
	return nil
}

// covers reports whether a row covers a finding, by its name or by a prefix with an asterisk.
func (r *row) covers(name string) bool {
	return slices.ContainsFunc(strings.Fields(r.of), func(of string) bool {
		of = strings.ReplaceAll(of, ":", " ")
		family, any := strings.CutSuffix(of, "*")
		return of == name || any && strings.HasPrefix(name, family)
	})
}
