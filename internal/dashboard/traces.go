package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
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
	filter
	Outcomes []string
	Kinds    []callwright.Kind
	Ages     []string
	Live     bool
	First    bool
	Older    string // the address of the next page, empty for none
}

// A filter is what the form above the list asks for.
type filter struct {
	Key, Session, Model, Tool, Error, Outcome, Rule, Text, Age string
}

// fields names the fields of a filter as the form has them.
func (f *filter) fields() map[string]*string {
	return map[string]*string{
		"key": &f.Key, "session": &f.Session, "model": &f.Model, "tool": &f.Tool, "error": &f.Error, "outcome": &f.Outcome, "rule": &f.Rule, "text": &f.Text, "age": &f.Age,
	}
}

// filterOf reads the filter of a form. A field that comes several times has all its words.
func filterOf(form url.Values) filter {
	var f filter
	for name, field := range f.fields() {
		*field = strings.TrimSpace(strings.Join(form[name], " "))
	}
	return f
}

// Address returns the address of the list by this filter, with further values of its form: names and values by turns.
func (f filter) Address(more ...string) string {
	to := url.Values{}
	for name, field := range f.fields() {
		if *field != "" {
			to.Set(name, *field)
		}
	}
	for i := 0; i+1 < len(more); i += 2 {
		to.Set(more[i], more[i+1])
	}
	if len(to) == 0 {
		return Root + "traces"
	}
	return Root + "traces?" + to.Encode()
}

// query is what the filter asks for at a time.
func (f *filter) query(now time.Time) trace.Query {
	q := trace.Query{Model: callwright.ModelID(f.Model), Rule: f.Rule, Key: f.Key, Session: f.Session, Tools: trace.Words(f.Tool), Text: trace.Words(f.Text)}
	if slices.Contains(outcomes, f.Outcome) {
		q.Outcome = outcome.Outcome(f.Outcome)
	}
	if k := callwright.Kind(f.Error); slices.Contains(trace.ErrorKinds(), k) {
		q.Kind = k
	}
	if d, err := time.ParseDuration(f.Age); err == nil && d > 0 {
		q.Since = now.Add(-d)
	}
	return q
}

func (s *server) traces(w http.ResponseWriter, v *visit) {
	form := v.URL.Query()
	p := &tracesPage{
		Configured: s.Traces != nil || s.Reports != nil, Recorded: s.Traces != nil, Outcomes: outcomes, Kinds: trace.ErrorKinds(), Ages: ages,
		First: form.Get("before") == "", filter: filterOf(form), Live: form.Get("live") == "on" || len(form) == 0,
	}
	p.Live = p.Live && p.Text == "" // a search reads what was said, which takes long
	q := p.query(s.Now())
	q.Limit = pageRows + 1
	if t, err := time.Parse(time.RFC3339Nano, form.Get("before")); err == nil {
		q.Before = t
	}
	if p.Configured {
		ctx, cancel := bounded(v.Request)
		defer cancel()
		rows, err := s.listed(ctx, q)
		switch {
		case err != nil && ctx.Err() != nil && v.Context().Err() == nil:
			s.problem(w, v.Request, http.StatusServiceUnavailable, "The search took longer than "+span(sourceTime)+". Narrow it by a key, a model, an outcome or an age.")
			return
		case err != nil:
			s.failed(w, v.Request, err)
			return
		}
		if p.Rows = rows; len(rows) > pageRows {
			p.Rows = rows[:pageRows]
			p.Older = p.Address("before", p.Rows[pageRows-1].Time.UTC().Format(time.RFC3339Nano))
		}
	}
	v.reload = p.First && p.Live && len(form) > 0
	s.show(w, v, http.StatusOK, "traces", "Traces", p)
}

// listed returns the requests that a query asks for, out of the traces or, without those, of the reports.
func (s *server) listed(ctx context.Context, q trace.Query) ([]trace.Summary, error) {
	if s.Traces != nil {
		return s.Traces.List(ctx, q)
	}
	list, err := s.Reports.List(ctx, archive.Query{
		AnyOwner: true, Model: q.Model, Rule: q.Rule, Outcome: q.Outcome, KeyName: q.Key, Session: q.Session, Tools: q.Tools, Kind: q.Kind, Text: q.Text,
		Since: q.Since, Before: q.Before, Limit: q.Limit,
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
		Key: r.KeyName, Session: r.Session, Tools: slices.Clone(r.Tools),
	}
	rep := r.Report
	if rep == nil {
		return out
	}
	for i := range rep.Invalid {
		if name := rep.Invalid[i].Name; name != "" && len(out.Tools) < trace.SummaryTools && !slices.Contains(out.Tools, name) {
			out.Tools = append(out.Tools, name)
		}
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
