package dashboard

import (
	"context"
	"net/http"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/dashboard/internal/recordview"
	"github.com/callwright/callwright/internal/dashboard/internal/tracelist"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
)

// pageRows is the number of requests on a page.
const pageRows = 50

// ages are the selectable time spans of the list.
var ages = []string{"15m", "1h", "24h", "168h"}

// A tracesPage lists requests.
type tracesPage struct {
	Configured bool
	Recorded   bool // contents were recorded too
	Rows       []tracelist.Row
	tracelist.Filter
	Outcomes []string
	Kinds    []callwright.Kind
	Ages     []string
	Live     bool   // the list is updated every 2 s
	First    bool   // this is the first page
	Older    string // URL of the next page, "" for none
	Try      string // command that sends a request, if there is none yet
}

func (s *server) traces(w http.ResponseWriter, v *visit) {
	form := v.URL.Query()
	p := &tracesPage{
		Configured: s.Traces != nil || s.Reports != nil, Recorded: s.Traces != nil, Outcomes: outcome.Names(), Kinds: errorkind.All(), Ages: ages,
		First: form.Get("before") == "", Filter: tracelist.FilterOf(form), Live: form.Get("live") == "on" || len(form) == 0,
	}
	p.Live = p.Live && p.Text == "" // a text search reads all contents, which is slow
	q := p.Query(s.Now())
	q.Limit = pageRows + 1
	if t, err := time.Parse(time.RFC3339Nano, form.Get("before")); err == nil {
		q.Before = t
	}
	if p.Configured {
		ctx, cancel := withSourceTimeout(v.Request)
		defer cancel()
		rows, err := s.listRequests(ctx, q)
		switch {
		case err != nil && ctx.Err() != nil && v.Context().Err() == nil:
			s.problem(w, v.Request, http.StatusServiceUnavailable,
				"The search took longer than "+sourceTime.String()+". Narrow it by a key, a model, an outcome or an age.")
			return
		case err != nil:
			s.writeErrorPage(w, v.Request, err)
			return
		}
		if len(rows) == 0 && p.Filter == (tracelist.Filter{}) {
			p.Try = recordview.Try(recordview.Gateway(v.Request), s.firstModel(ctx))
		}
		for i := range rows[:min(len(rows), pageRows)] {
			p.Rows = append(p.Rows, tracelist.RowOf(&rows[i], s.price))
		}
		if len(rows) > pageRows {
			p.Older = p.Address("before", rows[pageRows-1].Time.UTC().Format(time.RFC3339Nano))
		}
	}
	v.reload = p.First && p.Live && len(form) > 0
	s.show(w, v, http.StatusOK, "traces", "Traces", p)
}

// firstModel returns the first usable model of the list, "" if there is none.
func (s *server) firstModel(ctx context.Context) callwright.ModelID {
	if s.Models != nil {
		for _, m := range s.Models.All(ctx) {
			if m.Problem == "" {
				return m.Name
			}
		}
	}
	return ""
}

// listRequests returns the requests that match a query from the traces, or from the reports if there are no traces.
func (s *server) listRequests(ctx context.Context, q trace.Query) ([]trace.Summary, error) {
	if s.Traces != nil {
		return s.Traces.List(ctx, q)
	}
	list, err := s.Reports.List(ctx, archive.Query{
		AnyOwner: true, Model: q.Model, Rule: q.Rule, Outcome: q.Outcome, KeyName: q.Key, Session: q.Session, Tools: q.Tools,
		Kind: q.Kind, Text: q.Text,
		Since: q.Since, Before: q.Before, Limit: q.Limit,
	})
	if err != nil {
		return nil, err
	}
	out := make([]trace.Summary, 0, len(list))
	for _, r := range list {
		out = append(out, tracelist.SummaryOf(r))
	}
	return out, nil
}
