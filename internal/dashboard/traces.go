package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
)

// pageRows is how many requests stand on a page.
const pageRows = 50

var outcomes = outcome.Names()

// ages are the times that a list may be of.
var ages = []string{"15m", "1h", "24h", "168h"}

// A tracesPage lists requests.
type tracesPage struct {
	Configured bool
	Recorded   bool // what was said is there too
	Rows       []trace.Summary
	Model      string
	Rule       string
	Outcome    string
	Age        string
	Outcomes   []string
	Ages       []string
	Live       bool
	First      bool
	Older      string // the address of the next page, empty for none
}

func (s *server) traces(w http.ResponseWriter, v *visit) {
	form := v.URL.Query()
	p := &tracesPage{
		Configured: s.Traces != nil || s.Reports != nil, Recorded: s.Traces != nil, Outcomes: outcomes, Ages: ages, First: form.Get("before") == "",
		Model: form.Get("model"), Rule: form.Get("rule"), Outcome: form.Get("outcome"), Age: form.Get("age"), Live: form.Get("live") == "on" || len(form) == 0,
	}
	q := trace.Query{Model: callwright.ModelID(p.Model), Rule: p.Rule, Limit: pageRows + 1}
	if slices.Contains(outcomes, p.Outcome) {
		q.Outcome = outcome.Outcome(p.Outcome)
	}
	if d, err := time.ParseDuration(p.Age); err == nil && d > 0 {
		q.Since = s.Now().Add(-d)
	}
	if t, err := time.Parse(time.RFC3339Nano, form.Get("before")); err == nil {
		q.Before = t
	}
	if p.Configured {
		ctx, cancel := bounded(v.Request)
		defer cancel()
		rows, err := s.listed(ctx, q)
		if err != nil {
			s.failed(w, v.Request, err)
			return
		}
		if p.Rows = rows; len(rows) > pageRows {
			p.Rows = rows[:pageRows]
			p.Older = older(form, p.Rows[pageRows-1].Time)
		}
	}
	v.reload = p.First && form.Get("live") == "on"
	s.show(w, v, http.StatusOK, "traces", "Traces", p)
}

// older returns the address of the page behind the one that ends at a time.
func older(form url.Values, last time.Time) string {
	to := url.Values{"before": {last.UTC().Format(time.RFC3339Nano)}}
	for _, name := range []string{"model", "rule", "outcome", "age"} {
		if value := form.Get(name); value != "" {
			to.Set(name, value)
		}
	}
	return Root + "traces?" + to.Encode()
}

// listed returns the requests that a query asks for, out of the traces or, without those, of the reports.
func (s *server) listed(ctx context.Context, q trace.Query) ([]trace.Summary, error) {
	if s.Traces != nil {
		return s.Traces.List(ctx, q)
	}
	list, err := s.Reports.List(ctx, archive.Query{
		AnyOwner: true, Model: q.Model, Rule: q.Rule, Outcome: q.Outcome, Since: q.Since, Before: q.Before, Limit: q.Limit,
	})
	if err != nil {
		return nil, err
	}
	out := make([]trace.Summary, 0, len(list))
	for _, r := range list {
		out = append(out, summaryOf(r))
	}
	return out, nil
}

// summaryOf says of a report what a trace says of its request.
func summaryOf(r *archive.Report) trace.Summary {
	out := trace.Summary{
		Time: r.Time, Duration: r.Duration, Wire: r.Wire, Streamed: r.Streamed, Kind: r.Failed, Error: r.Error, Outcome: r.Came(),
	}
	rep := r.Report
	if rep == nil {
		return out
	}
	out.ID, out.Model, out.Mode, out.Attempts, out.Notes = rep.ID, rep.Model, rep.Mode, len(rep.Attempts), len(rep.Notes)
	if out.Outcome == outcome.Healed {
		out.Class = outcome.Class(rep)
	}
	if n := len(rep.Attempts); n > 0 {
		out.Served = rep.Attempts[n-1].Model
	}
	for i := range rep.Notes {
		if rule := rep.Notes[i].Rule; len(out.Rules) < trace.SummaryRules && !slices.Contains(out.Rules, rule) {
			out.Rules = append(out.Rules, rule)
		}
	}
	return out
}
