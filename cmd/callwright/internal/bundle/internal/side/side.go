// Package side decides which side broke a request: the model, the engine that runs it, the provider, the client or the
// gateway.
package side

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/finding"
)

// A Side is one of the programs that a request goes through.
type Side string

// The sides.
const (
	Model    Side = "model"      // the tokens that were generated
	Engine   Side = "engine"     // the inference server: its prompt template, its parsers, its stream
	Provider Side = "provider"   // the API and its limits, the network to it
	Client   Side = "client"     // the program that asks
	Gateway  Side = "callwright" // this program
)

// A Reason is the verdict of one finding about the sides.
type Reason struct {
	Finding string `json:"finding"`        // the id of a rule, the name of a check, or "error KIND"
	Side    Side   `json:"side,omitempty"` // "" where several are possible
	Or      []Side `json:"or,omitempty"`   // these
	Says    string `json:"says"`
	weight  weight
}

// A Verdict says who broke a request.
type Verdict struct {
	Side Side `json:"side,omitempty"` // "" where it is not certain, or where nothing was broken
	// Candidates are the sides that are possible where Side is "". Without any, nothing was broken or no rule knows the
	// findings.
	Candidates []Side   `json:"candidates,omitempty"`
	Reasons    []Reason `json:"reasons,omitempty"` // those that decide, then the others, in the order of the table
	Decided    int      `json:"decided"`           // how many of Reasons decide
	Unknown    []string `json:"unknown,omitempty"` // findings that no rule knows
}

// IsBroken reports whether something was broken.
func (v *Verdict) IsBroken() bool { return v.Decided > 0 || len(v.Unknown) > 0 }

// Of returns the verdict about a request by its finding and the other known facts. The first row of the table that fits
// a finding is about it. The reasons with the greatest weight decide: where they name one side alone, and are certain,
// that is the side.
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

// decide names the side, or those that are possible.
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

// names returns the subjects of a verdict: the checks, the error and the rules of a finding.
func names(f *finding.Finding) []string {
	out := slices.Clone(f.Broken)
	if f.Kind != "" {
		out = append(out, errorName(f.Kind))
	}
	return append(out, f.Rules...)
}

func errorName(k callwright.Kind) string { return "error " + string(k) }

// rowOf returns the first row that fits, nil for none.
func rowOf(name string, known *Facts) *row {
	for i := range rows {
		if r := &rows[i]; r.covers(name) && (r.when == nil || r.when(known, name)) {
			return r
		}
	}
	return nil
}

// covers reports whether a row is about a finding: by its name, or by the family before an asterisk.
func (r *row) covers(name string) bool {
	return slices.ContainsFunc(strings.Fields(r.of), func(of string) bool {
		of = strings.ReplaceAll(of, ":", " ")
		family, any := strings.CutSuffix(of, "*")
		return of == name || any && strings.HasPrefix(name, family)
	})
}
