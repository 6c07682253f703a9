package dashboard

import (
	"strings"
	"time"

	"github.com/callwright/callwright/internal/dashboard/internal/humane"
	"github.com/callwright/callwright/internal/dashboard/internal/inplace"
	"github.com/callwright/callwright/internal/dashboard/internal/steps"
	"github.com/callwright/callwright/internal/trace"
)

// addEvents adds the entries of a request as events to the timeline.
func (p *tracePage) addEvents(entries []trace.Entry) {
	whole := p.Summary.Duration
	for i := range entries {
		e := &entries[i]
		if e.Kind == trace.KindModel {
			continue
		}
		if len(p.Events) == maxEvents {
			p.More = len(entries) - i
			break
		}
		p.Events = append(p.Events, p.event(e))
		whole = max(whole, p.Events[len(p.Events)-1].After)
	}
	for i := range p.Events {
		ev := &p.Events[i]
		from := max(ev.After-ev.Took, 0)
		if whole > 0 {
			ev.X, ev.Len = 100*float64(from)/float64(whole), max(100*float64(ev.After-from)/float64(whole), 0.5)
		}
		ev.X = min(ev.X, 99.5)
	}
}

// titles are the titles of the kinds of entries.
var titles = map[trace.Kind]string{
	trace.KindRequest: "Request", trace.KindSent: "Sent to the provider", trace.KindReceived: "Received from the provider",
	trace.KindAnswer: "Answered",
	trace.KindError:  "Failed", trace.KindCall: "Tool called", trace.KindResult: "Result of the tool", trace.KindLost: "Entries are missing",
}

// event describes an entry. For an entry shown among the steps, it only sets the step.
func (p *tracePage) event(e *trace.Entry) event {
	ev := event{Kind: string(e.Kind), Title: titles[e.Kind], After: max(e.Time.Sub(p.Summary.Time), 0), Took: e.Duration}
	if ev.Title == "" {
		ev.Title = string(e.Kind)
	}
	switch e.Kind {
	case trace.KindRequest:
		ev.Texts = describeRequest(e)
	case trace.KindReceived:
		ev.Step = "raw"
		return ev
	case trace.KindAnswer, trace.KindError:
		ev.Step = "sent"
		return ev
	}
	if len(ev.Texts) == 0 {
		ev.Texts = []inplace.Text{inplace.Plain("", inplace.Pretty(e.Data))}
	}
	return ev
}

// describeRequest returns the last message of the request and the names of its tools.
func describeRequest(e *trace.Entry) []inplace.Text {
	req, err := e.Request()
	if err != nil {
		return nil
	}
	var names []string
	for i := range req.Tools {
		names = append(names, req.Tools[i].Name)
	}
	out := []inplace.Text{inplace.Plain("",
		strings.TrimSuffix(humane.Plural(len(req.Messages), "message", "messages")+", "+
			humane.Plural(len(names), "tool", "tools")+": "+strings.Join(names, ", "), ": "))}
	if n := len(req.Messages); n > 0 {
		last := req.Messages[n-1]
		for _, t := range steps.Parts(last.Parts, nil) {
			t.Title = strings.TrimSpace(string(last.Role) + " " + t.Title)
			out = append(out, t)
		}
	}
	if len(e.Body) > 0 {
		out = append(out, inplace.Plain("as received", inplace.Pretty(e.Body)))
	}
	return out
}

// An event is the description of one entry of a trace.
type event struct {
	Kind   string
	Title  string
	After  time.Duration // time since the start of the request
	Took   time.Duration
	X, Len float64 // position and length of its bar in the timeline, in percent
	Texts  []inplace.Text
	Step   string // HTML id of the step that shows it in place of Texts
}
