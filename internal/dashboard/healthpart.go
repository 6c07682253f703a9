package dashboard

import (
	"github.com/callwright/callwright/internal/dashboard/internal/tracelist"
	"github.com/callwright/callwright/internal/health"
)

// A healthPart is the part of the overview about problems.
type healthPart struct {
	Severity health.Severity // the worst, empty where there is no problem
	Problems []problemRow
	Requests health.Requests // of the last minutes
}

// A problemRow is a problem with the address of the requests that show it, "" where none do.
type problemRow struct {
	health.Problem
	Traces string
}

// healthPart returns the part about problems, nil without a source of them.
func (s *server) healthPart() *healthPart {
	if s.Health == nil {
		return nil
	}
	now := s.Health()
	out := &healthPart{Requests: now.Requests.Recent}
	for _, p := range now.Problems {
		row := problemRow{Problem: p}
		switch {
		case p.AnsweredBy != "": // the requests were answered, and asked for an alias
			row.Traces = tracelist.Filter{Rule: "plan.fallback", Model: string(p.AnsweredBy), Age: "15m"}.Address()
		case p.Count > 0:
			row.Traces = tracelist.Filter{Outcome: "failed", Model: string(p.Model), Error: string(p.Kind), Age: "15m"}.Address()
		}
		out.Problems = append(out.Problems, row)
	}
	if len(out.Problems) > 0 {
		out.Severity = out.Problems[0].Severity
	}
	return out
}
