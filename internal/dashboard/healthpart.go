package dashboard

import (
	"github.com/callwright/callwright/internal/dashboard/internal/tracelist"
	"github.com/callwright/callwright/internal/health"
)

// A healthPart is the problem section of the overview.
type healthPart struct {
	Severity health.Severity // highest severity, "" if there is no problem
	Problems []problemRow
	Requests health.Requests // requests of the last minutes
}

// A problemRow is a problem with the URL of the requests that show it, "" if there are none.
type problemRow struct {
	health.Problem
	Traces string
}

// healthPart returns the problem section of the overview, nil if Config.Health is nil.
func (s *server) healthPart() *healthPart {
	if s.Health == nil {
		return nil
	}
	now := s.Health()
	out := &healthPart{Requests: now.Requests.Recent}
	for _, p := range now.Problems {
		row := problemRow{Problem: p}
		switch {
		case p.AnsweredBy != "": // another model answered requests for an alias
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
