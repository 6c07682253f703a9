package dashboard

import (
	"context"
	"net/http"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/dashboard/internal/inplace"
	"github.com/callwright/callwright/internal/dashboard/internal/recordview"
	"github.com/callwright/callwright/internal/dashboard/internal/steps"
	"github.com/callwright/callwright/internal/dashboard/internal/tracelist"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/trace/story"
)

// Limits of a page about a request.
const (
	maxEvents  = 100
	maxScanned = 5 // number of pages of reports to search for one
)

// A tracePage shows one request.
type tracePage struct {
	Summary  trace.Summary
	Story    string             // "" if nothing was recorded
	Report   *callwright.Report // nil if there is none
	Notes    []noteRow          // set if there is only a report
	Before   []noteRow          // notes about changes of the request
	Steps    *stepsView         // nil if nothing was recorded
	Around   *recordview.View   // headers, tokens and curl command; nil if nothing was recorded
	Same     string             // URL of the list of its conversation, "" for none
	Events   []event
	Recorded bool
	More     int // number of events that are not shown
	CanPlay  bool
	// CanBundle means that an evidence bundle can be made.
	CanBundle bool
	Replay    *replayView // nil if it was not replayed
}

// A noteRow is a note with the description of its rule.
type noteRow struct {
	callwright.Note
	Doc   string
	State string // for a replay: "new" or "gone", otherwise ""
}

// A stepsView is the data for the template of the steps.
type stepsView struct {
	*steps.Steps
	Name   string // distinguishes several steps on one page
	Mended []noteRow
	Sent   inplace.Text
	Stream inplace.Text
}

func (s *server) trace(w http.ResponseWriter, v *visit) {
	ctx, cancel := withSourceTimeout(v.Request)
	defer cancel()
	id := v.PathValue("id")
	p := &tracePage{}
	entries, err := s.entries(ctx, id)
	if err != nil {
		s.writeErrorPage(w, v.Request, err)
		return
	}
	if entries != nil {
		p = s.buildTracePage(ctx, v, entries)
	}
	if !p.Recorded && s.Reports != nil {
		r, err := s.report(ctx, id, v.URL.Query().Get("at"))
		if err != nil {
			s.writeErrorPage(w, v.Request, err)
			return
		}
		if r != nil {
			p.Summary, p.Report = tracelist.SummaryOf(r), r.Report
		}
	}
	if !p.Recorded && p.Report == nil {
		s.problem(w, v.Request, http.StatusNotFound,
			"Nothing is kept of this request. Kept requests expire with age, or when newer ones need the space.")
		return
	}
	if !p.Recorded {
		p.Notes = noteRows(p.Report.Notes)
	}
	s.show(w, v, http.StatusOK, "trace", "Trace "+id, p)
}

// entries returns the entries of a request. Without recorded traces it returns nil. If an unknown request may have a
// report, to show instead, it also returns nil and no error.
func (s *server) entries(ctx context.Context, id string) ([]trace.Entry, error) {
	if s.Traces == nil {
		return nil, nil
	}
	entries, err := s.Traces.Entries(ctx, id)
	if callwright.KindOf(err) == callwright.KindNotFound && s.Reports != nil {
		return nil, nil
	}
	return entries, err
}

// report returns the report with an id, nil if it is not found. at is the start of the request in RFC 3339, or "".
func (s *server) report(ctx context.Context, id, at string) (*archive.Report, error) {
	q := archive.Query{AnyOwner: true, Limit: archive.MostListed}
	if t, err := time.Parse(time.RFC3339Nano, at); err == nil {
		q.Since, q.Before = t, t.Add(time.Nanosecond)
	}
	for range maxScanned {
		list, err := s.Reports.List(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, r := range list {
			if r.Report != nil && r.Report.ID == id {
				return r, nil
			}
		}
		if len(list) < archive.MostListed {
			break
		}
		q.Before = list[len(list)-1].Time
	}
	return nil, nil
}

func noteRows(notes []callwright.Note) []noteRow {
	out := make([]noteRow, len(notes))
	for i, n := range notes {
		out[i] = noteRow{Note: n, Doc: callwright.RuleOf(n.Rule).Doc}
	}
	return out
}

// buildTracePage returns the page of a recorded request.
func (s *server) buildTracePage(ctx context.Context, v *visit, entries []trace.Entry) *tracePage {
	p := &tracePage{Summary: trace.Summarize(entries), Story: story.Of(entries), Recorded: true, CanPlay: s.Replayer != nil,
		CanBundle: s.Bundler != nil}
	p.Steps = viewOf(steps.Of(ctx, entries), "then")
	p.Around = recordview.Of(entries, recordview.Gateway(v.Request), s.price)
	if p.Summary.Session != "" {
		p.Same = tracelist.Filter{Session: p.Summary.Session}.Address()
	}
	p.Report, p.Before = p.Steps.Report, noteRows(p.Steps.Before)
	p.addEvents(entries)
	return p
}

// price returns the cost of tokens of a model in US dollars. known is false without a price.
func (s *server) price(m callwright.ModelID, u callwright.Usage) (usd float64, known bool) {
	if s.Access == nil {
		return 0, false
	}
	return s.Access.Cost(m, u)
}

// viewOf returns the view of steps.
func viewOf(st *steps.Steps, name string) *stepsView {
	return &stepsView{Steps: st, Name: name, Mended: noteRows(st.Mended), Sent: inplace.Plain("", st.Sent),
		Stream: inplace.Plain("", st.Stream)}
}
