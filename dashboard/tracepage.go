package dashboard

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/archive"
	"github.com/callwright/callwright/trace"
)

// What a page shows of a request at most.
const (
	maxShown   = 64 << 10 // bytes of one text
	maxSteps   = 100
	maxScanned = 5 // pages of reports that are looked through for one
)

// A tracePage shows one request.
type tracePage struct {
	Summary  trace.Summary
	Report   *callwright.Report // nil where there is none
	Notes    []noteRow
	Steps    []step
	Whole    time.Duration
	Recorded bool
	More     int // steps that are not shown
}

// A noteRow is a note with what its rule means.
type noteRow struct {
	callwright.Note
	Doc string
}

// A step is what one entry of a trace says.
type step struct {
	Kind   string
	Title  string
	After  time.Duration // since the request began
	Took   time.Duration
	X, Len float64 // its bar in the timeline, of 100
	Texts  []shownText
}

// A shownText is a text with what was changed in it.
type shownText struct {
	Title  string
	Pieces []piece
	Cut    int // bytes that are not shown
}

func (s *server) trace(w http.ResponseWriter, v *visit) {
	ctx, cancel := bounded(v.Request)
	defer cancel()
	id := v.PathValue("id")
	p := &tracePage{}
	if s.Traces != nil {
		entries, err := s.Traces.Entries(ctx, id)
		switch {
		case err == nil:
			p = recorded(entries)
		case callwright.KindOf(err) != callwright.KindNotFound || s.Reports == nil:
			s.failed(w, v.Request, err)
			return
		}
	}
	if !p.Recorded && s.Reports != nil {
		r, err := s.report(ctx, id, v.URL.Query().Get("at"))
		if err != nil {
			s.failed(w, v.Request, err)
			return
		}
		if r != nil {
			p.Summary, p.Report = summaryOf(r), r.Report
		}
	}
	if !p.Recorded && p.Report == nil {
		s.problem(w, v.Request, http.StatusNotFound, "Nothing is kept of such a request. What is kept ends by its age, or makes room for newer ones.")
		return
	}
	if p.Report != nil {
		p.Notes = noteRows(p.Report.Notes)
	}
	s.show(w, v, http.StatusOK, "trace", "Trace "+id, p)
}

// report finds a report by its id, and the time at which its request began where the address says it.
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
		out[i] = noteRow{n, callwright.RuleOf(n.Rule).Doc}
	}
	return out
}

// recorded returns the page of a request that was recorded.
func recorded(entries []trace.Entry) *tracePage {
	p := &tracePage{Summary: trace.Summarize(entries), Recorded: true}
	var end *callwright.Response
	for i := range entries {
		e := &entries[i]
		if e.Kind != trace.KindAnswer && e.Kind != trace.KindError {
			continue
		}
		if resp, err := e.Response(); err == nil && resp != nil {
			end = resp
			p.Report = resp.Report
		}
		if p.Report == nil && e.Failure != nil {
			p.Report = e.Failure.Report
		}
		if p.Report == nil {
			p.Report = &callwright.Report{ID: e.ID, Model: p.Summary.Model, Notes: e.Notes}
		}
	}
	var notes []callwright.Note
	if p.Report != nil {
		notes = p.Report.Notes
	}
	for i := range entries {
		e := &entries[i]
		if e.Kind == trace.KindModel {
			continue
		}
		if len(p.Steps) == maxSteps {
			p.More = len(entries) - i
			break
		}
		p.Steps = append(p.Steps, p.step(e, notes, end))
		p.Whole = max(p.Whole, p.Steps[len(p.Steps)-1].After)
	}
	p.Whole = max(p.Whole, p.Summary.Duration)
	for i := range p.Steps {
		st := &p.Steps[i]
		from := max(st.After-st.Took, 0)
		if p.Whole > 0 {
			st.X, st.Len = 100*float64(from)/float64(p.Whole), max(100*float64(st.After-from)/float64(p.Whole), 0.5)
		}
		st.X = min(st.X, 99.5)
	}
	return p
}

// titles say what the kinds of entries are.
var titles = map[trace.Kind]string{
	trace.KindRequest: "Asked", trace.KindSent: "Sent to the provider", trace.KindReceived: "Received from the provider", trace.KindAnswer: "Answered",
	trace.KindError: "Failed", trace.KindCall: "Tool called", trace.KindResult: "Tool's result", trace.KindLost: "Entries are missing here",
}

// step says what an entry is about.
func (p *tracePage) step(e *trace.Entry, notes []callwright.Note, end *callwright.Response) step {
	st := step{Kind: string(e.Kind), Title: titles[e.Kind], After: max(e.Time.Sub(p.Summary.Time), 0), Took: e.Duration}
	if st.Title == "" {
		st.Title = string(e.Kind)
	}
	switch e.Kind {
	case trace.KindRequest:
		st.Texts = asked(e)
	case trace.KindReceived:
		r, err := e.Received()
		if err != nil {
			break
		}
		title := fmt.Sprintf("status %d %s", r.Status, r.Broken)
		if r.Withheld {
			title += "(left out: it is about the key)"
		}
		st.Texts = []shownText{shownWith(title, pretty(r.Body), notes)}
		return st
	case trace.KindAnswer, trace.KindError:
		if e.Failure != nil {
			st.Texts = append(st.Texts, shown(string(e.Failure.Kind), e.Failure.Error()))
		}
		if end != nil {
			st.Texts = append(st.Texts, parts(end.Parts)...)
		}
		return st
	}
	if len(st.Texts) == 0 {
		st.Texts = []shownText{shown("", pretty(e.Data))}
	}
	return st
}

// asked shows the last message of what was asked, and names the tools.
func asked(e *trace.Entry) []shownText {
	req, err := e.Request()
	if err != nil {
		return nil
	}
	var names []string
	for i := range req.Tools {
		names = append(names, req.Tools[i].Name)
	}
	out := []shownText{shown("", strings.TrimSuffix(plural(len(req.Messages), "message", "messages")+", "+plural(len(names), "tool", "tools")+": "+strings.Join(names, ", "), ": "))}
	if n := len(req.Messages); n > 0 {
		last := req.Messages[n-1]
		for _, t := range parts(last.Parts) {
			t.Title = strings.TrimSpace(string(last.Role) + " " + t.Title)
			out = append(out, t)
		}
	}
	if len(e.Body) > 0 {
		out = append(out, shown("as it came", pretty(e.Body)))
	}
	return out
}

// parts shows the parts of a message.
func parts(list []callwright.Part) []shownText {
	var out []shownText
	for _, part := range list[:min(len(list), maxSteps)] {
		switch part := part.(type) {
		case callwright.Text:
			out = append(out, shown("text", part.Text))
		case callwright.Reasoning:
			out = append(out, shown("reasoning", part.Text))
		case callwright.Call:
			input := part.Input
			if part.Type != callwright.CustomTool {
				input = pretty(part.Arguments)
			}
			out = append(out, shown("call "+part.Name+" "+part.ID, input))
		case callwright.Result:
			for _, t := range parts(part.Parts) {
				t.Title = "result of " + part.CallID
				out = append(out, t)
			}
		default:
			out = append(out, shown(strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", part), "callwright.")), ""))
		}
	}
	return out
}

// pretty writes JSON as people read it, and other texts as they are.
func pretty(b []byte) string {
	var out bytes.Buffer
	if len(b) <= 4*maxShown && json.Indent(&out, b, "", "  ") == nil {
		return out.String()
	}
	return string(b)
}
