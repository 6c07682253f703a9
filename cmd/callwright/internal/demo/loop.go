package demo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// A Result is the result of a case: the Loop to print, and whether the other ways had the same result.
type Result struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Fault string `json:"fault,omitempty"`
	Loop
	Others []Other `json:"others"`
}

// A Loop is the tool loop of a case in one way (API and streaming mode).
type Loop struct {
	Client   callwright.WireName `json:"client"`
	Model    callwright.WireName `json:"model"`
	Streamed bool                `json:"streamed"`
	Sent     []Sent              `json:"sent"`
	Received Received            `json:"received"`
	Notes    []callwright.Note   `json:"notes"`
	Reports  []string            `json:"reports"`
	OK       bool                `json:"ok"`
	Problems []string            `json:"problems,omitempty"`

	untouched bool // the first response was not changed
}

// An Other is the result of a tool loop that is not printed in detail.
type Other struct {
	Client   callwright.WireName `json:"client"`
	Streamed bool                `json:"streamed"`
	OK       bool                `json:"ok"`
	Problems []string            `json:"problems,omitempty"`
}

// HasPassed reports whether the client received the expected result in every way.
func (r *Result) HasPassed() bool {
	return r.OK && !slices.ContainsFunc(r.Others, func(o Other) bool { return !o.OK })
}

// limit is the maximum duration of the whole demonstration.
const limit = 30 * time.Second

// Run runs all cases concurrently on servers that it starts and stops. The results are in the order of cases.
func Run(ctx context.Context, cases []Case) ([]Result, error) {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	l, err := newLab(ctx)
	if err != nil {
		return nil, err
	}
	defer l.close()
	return l.run(ctx, cases), nil
}

// run runs all demonstration cases concurrently.
func (l *lab) run(ctx context.Context, cases []Case) []Result {
	out := make([]Result, len(cases))
	var all sync.WaitGroup
	for i, c := range cases {
		all.Go(func() { out[i] = l.runCase(ctx, c) })
	}
	all.Wait()
	return out
}

func (l *lab) runCase(ctx context.Context, c Case) Result {
	fault := faultOf(c.Name)
	out := Result{Name: c.Name, About: c.About, Fault: fault.Class, Others: []Other{}}
	for _, w := range ways {
		if !w.stream && (c.streamOnly || fault.StreamOnly) {
			continue
		}
		back := w.front
		if !slices.Contains(fault.Wires, string(back)) {
			back = callwright.WireName(fault.Wires[0])
		}
		got := l.runWay(ctx, c, w, back)
		if w == c.shown {
			out.Loop = got
			continue
		}
		out.Others = append(out.Others, Other{Client: got.Client, Streamed: got.Streamed, OK: got.OK, Problems: got.Problems})
	}
	return out
}

// faultOf returns the first row of the fault table that a model name selects.
func faultOf(model string) simulate.FaultInfo {
	fault, _ := simulate.ParseFault(model)
	for _, row := range simulate.Faults() {
		if row.Name == fault.Name && (len(fault.Options) == 0 || row.Variant == fault.Options[0]) {
			return row
		}
	}
	return simulate.FaultInfo{Wires: []string{simulate.OpenAI, simulate.Anthropic}}
}

// runWay runs the tool loop of a case in one way and checks the client's result.
func (l *lab) runWay(ctx context.Context, c Case, w way, back callwright.WireName) Loop {
	out := Loop{Client: w.front, Model: back, Streamed: w.stream, Notes: []callwright.Note{}}
	name := fmt.Sprintf("demo/%s-%s-%t", c.Name, w.front, w.stream)
	calls := callwright.StreamAuto
	if c.flowing {
		calls = callwright.StreamFlowing
	}
	rec, err := l.model(name, c.model(), back, reliable.WithStreamCalls(calls))
	if err == nil {
		var client *toolClient
		if client, err = l.newClient(w.front, name, w.stream); err == nil {
			err = out.talk(ctx, client, c, rec)
		}
	}
	if err != nil {
		out.Problems = append(out.Problems, err.Error())
	} else {
		out.Problems = c.want.check(&out)
	}
	out.OK = len(out.Problems) == 0
	return out
}

// talk runs the tool loop of a case and collects the model responses to print.
func (l *Loop) talk(ctx context.Context, client *toolClient, c Case, rec *recorder) error {
	question := c.ask
	if question == "" {
		question = askOslo
	}
	// Only the responses that led to the first turn are printed: later text of the model equals the client's text.
	client.answered = func() {
		if l.Sent == nil {
			l.Sent = rec.collectSent()
		}
	}
	var err error
	l.Received, l.Reports, err = client.run(ctx, question)
	for i, id := range l.Reports {
		rep, failed := client.report(ctx, id)
		if failed != nil {
			return cmp.Or(err, failed)
		}
		if i == 0 {
			l.untouched = rep.Untouched
		}
		for _, n := range rep.Notes {
			if !slices.ContainsFunc(l.Notes, func(have callwright.Note) bool { return sameNote(have, n) }) {
				l.Notes = append(l.Notes, n)
			}
		}
	}
	return err
}

func sameNote(a, b callwright.Note) bool {
	return a.Rule == b.Rule && a.Path == b.Path && a.Was == b.Was && a.Now == b.Now
}
