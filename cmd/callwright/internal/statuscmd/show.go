package statuscmd

import (
	"fmt"
	"io"
	"time"

	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/progress"
)

// show prints the status of a gateway as text.
func show(w io.Writer, address string, s *health.Status) {
	fmt.Fprintf(w, "callwright %s at %s: %s, up %s\n", paint.Visible(s.Version), address, paint.Visible(s.State),
		time.Duration(s.UptimeSeconds)*time.Second)
	showRequests(w, "requests of the last 15 minutes", s.Requests.Recent)
	showRequests(w, "requests since the start", s.Requests.All)
	for i := range s.Targets {
		showTarget(w, &s.Targets[i])
	}
	for i := range s.Problems {
		showProblem(w, &s.Problems[i])
	}
}

func showRequests(w io.Writer, name string, r health.Requests) {
	fmt.Fprintf(w, "  %-32s %d: %d passed, %d translated, %d healed, %d failed\n", name, r.Total(), r.Passed, r.Translated, r.Healed, r.Failed)
}

// showTarget prints the state of a key or host, for providers with several.
func showTarget(w io.Writer, t *health.Target) {
	state := t.State
	if t.State == health.TargetCooling {
		state = fmt.Sprintf("not used for %d s: %s", t.SecondsLeft, t.Kind)
	}
	for _, l := range t.Limited {
		state += fmt.Sprintf(", not for %s for %d s: %s", l.Model, l.SecondsLeft, l.Kind)
	}
	fmt.Fprintf(w, "  %-32s %s; %d in flight, %d sent, %d limited, %d refused, %d failed\n",
		paint.Visible(t.Provider+": "+t.Name()), paint.Visible(state),
		t.InFlight, t.Requests.Sent, t.Requests.Limited, t.Requests.Refused, t.Requests.Failed)
}

func showProblem(w io.Writer, p *health.Problem) {
	fmt.Fprintf(w, "%-8s  %s\n", paint.Visible(string(p.Severity)), paint.Visible(p.String()))
	if p.CountSinceStart > p.Count {
		fmt.Fprintf(w, "          since the start: %d of %d\n", p.CountSinceStart, p.TotalSinceStart)
	}
	fmt.Fprintf(w, "          remedy: %s\n", paint.Visible(p.Remedy))
}

// showRunning prints the requests that the gateway is answering, if there are any.
func showRunning(w io.Writer, list *progress.Listing) {
	if len(list.Running) == 0 {
		return
	}
	fmt.Fprintf(w, "running   %d\n", len(list.Running)+list.More)
	for i := range list.Running {
		r := &list.Running[i]
		model := string(r.Model)
		if r.Asked != "" && r.Asked != r.Model {
			model += " (" + string(r.Asked) + ")"
		}
		fmt.Fprintf(w, "          %s  %s  %d s  %s\n", paint.Visible(r.Report), paint.Visible(model), r.Elapsed, paint.Visible(r.Now.String()))
	}
	if list.More > 0 {
		fmt.Fprintf(w, "          and %d more\n", list.More)
	}
}
