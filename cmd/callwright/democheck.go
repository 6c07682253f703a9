package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/fakellm"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable"
)

// A demoResult is what became of a case: the way that is shown, and whether the other ways came to the same.
type demoResult struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Fault string `json:"fault,omitempty"`
	demoRun
	Others []demoOther `json:"others"`
}

// A demoRun is one way of a case.
type demoRun struct {
	Client   callwright.WireName `json:"client"`
	Model    callwright.WireName `json:"model"`
	Streamed bool                `json:"streamed"`
	Sent     []demoSent          `json:"sent"`
	Received demoReceived        `json:"received"`
	Notes    []callwright.Note   `json:"notes"`
	Reports  []string            `json:"reports"`
	OK       bool                `json:"ok"`
	Problems []string            `json:"problems,omitempty"`

	untouched bool // the first answer went through as it came
}

// A demoOther is a way that is not shown.
type demoOther struct {
	Client   callwright.WireName `json:"client"`
	Streamed bool                `json:"streamed"`
	OK       bool                `json:"ok"`
	Problems []string            `json:"problems,omitempty"`
}

func (r *demoResult) ok() bool {
	return r.OK && !slices.ContainsFunc(r.Others, func(o demoOther) bool { return !o.OK })
}

// run goes through all cases at once and gives their results in order.
func (l *demoLab) run(ctx context.Context, cases []demoCase) []demoResult {
	out := make([]demoResult, len(cases))
	var all sync.WaitGroup
	for i, c := range cases {
		all.Go(func() { out[i] = l.runCase(ctx, c) })
	}
	all.Wait()
	return out
}

func (l *demoLab) runCase(ctx context.Context, c demoCase) demoResult {
	fault := faultOf(c.model)
	out := demoResult{Name: c.name, About: c.about, Fault: fault.Class, Others: []demoOther{}}
	for _, way := range demoWays {
		if !way.stream && (c.streamOnly || fault.StreamOnly) {
			continue
		}
		back := way.front
		if !slices.Contains(fault.Wires, string(back)) {
			back = callwright.WireName(fault.Wires[0])
		}
		got := l.runWay(ctx, c, way, back)
		if way == c.shown {
			out.demoRun = got
			continue
		}
		out.Others = append(out.Others, demoOther{Client: got.Client, Streamed: got.Streamed, OK: got.OK, Problems: got.Problems})
	}
	return out
}

// faultOf is the row of the fault that a model's name selects first.
func faultOf(model string) fakellm.FaultInfo {
	fault, _ := fakellm.ParseFault(model)
	for _, row := range fakellm.Faults() {
		if row.Name == fault.Name && (len(fault.Options) == 0 || row.Variant == fault.Options[0]) {
			return row
		}
	}
	return fakellm.FaultInfo{Wires: []string{fakellm.OpenAI, fakellm.Anthropic}}
}

// runWay runs the tool loop of one way and looks at what the client got.
func (l *demoLab) runWay(ctx context.Context, c demoCase, way demoWay, back callwright.WireName) demoRun {
	out := demoRun{Client: way.front, Model: back, Streamed: way.stream, Notes: []callwright.Note{}}
	name := fmt.Sprintf("demo/%s-%s-%t", c.name, way.front, way.stream)
	calls := callwright.StreamHeld
	if c.flowing {
		calls = callwright.StreamFlowing
	}
	rec, err := l.model(name, c.model, back, reliable.WithStreamCalls(calls))
	if err == nil {
		client := demoClient{http: l.client, base: l.base, api: demoAPIs[way.front], model: name, stream: way.stream}
		err = out.talk(ctx, &client, c, rec)
	}
	if err != nil {
		out.Problems = append(out.Problems, err.Error())
	} else {
		out.Problems = c.want.check(&out)
	}
	out.OK = len(out.Problems) == 0
	return out
}

// talk runs the tool loop and collects what there is to show.
func (d *demoRun) talk(ctx context.Context, client *demoClient, c demoCase, rec *demoRecorder) error {
	question := c.ask
	if question == "" {
		question = demoQuestion
	}
	// What the model says to the results is what the client gets: only what led to the first turn is shown.
	client.answered = func() {
		if d.Sent == nil {
			d.Sent = rec.sent()
		}
	}
	var err error
	d.Received, d.Reports, err = client.run(ctx, question)
	for i, id := range d.Reports {
		rep, failed := client.report(ctx, id)
		if failed != nil {
			return cmp.Or(err, failed)
		}
		if i == 0 {
			d.untouched = rep.Untouched
		}
		for _, n := range rep.Notes {
			if !slices.ContainsFunc(d.Notes, func(have callwright.Note) bool { return sameNote(have, n) }) {
				d.Notes = append(d.Notes, n)
			}
		}
	}
	return err
}

func sameNote(a, b callwright.Note) bool {
	return a.Rule == b.Rule && a.Path == b.Path && a.Was == b.Was && a.Now == b.Now
}

// check compares what a client got with what it must get and says what is wrong.
func (w *demoWant) check(d *demoRun) []string {
	var bad []string
	report := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	switch e := d.Received.Error; {
	case w.code == "" && e != nil:
		report("expected an answer, got the error %v", e)
	case w.code != "" && e == nil:
		report("expected an error with code %s, got an answer", w.code)
	case w.code != "" && e.Code != w.code:
		report("expected an error with code %s, got %s", w.code, e.Code)
	}
	calls := d.Received.check(d.Client, report)
	if first := d.Received.first(); len(calls) != len(w.calls) || first != len(calls) {
		report("expected %d calls at once, got %d at once and %d later", len(w.calls), first, len(calls)-first)
	}
	for i, c := range calls {
		if c.Error != "" {
			report("the call %s %s failed: %s", c.Name, c.Arguments, c.Error)
		}
		if i < len(w.calls) && !jsonx.Equal([]byte(c.Arguments), []byte(w.calls[i])) {
			report("expected the arguments %s, got %s", w.calls[i], c.Arguments)
		}
	}
	if w.code == "" {
		w.checkText(d.Received.Turns, calls, report)
	}
	for _, rule := range w.rules {
		if !slices.ContainsFunc(d.Notes, func(n callwright.Note) bool { return n.Fault == rule || strings.Contains(n.Rule, rule) }) {
			report("expected a note of the rule %s", rule)
		}
	}
	if w.untouched && !d.untouched {
		report("expected the answer untouched")
	}
	return bad
}

// check looks at what every answer must have, and gives the calls of all turns.
func (r *demoReceived) check(front callwright.WireName, report func(string, ...any)) []demoCall {
	withCalls, without := demoAPIs[front].finishes()
	var calls []demoCall
	ids := map[string]bool{}
	for _, t := range r.Turns {
		want := without
		if len(t.Calls) > 0 {
			want = withCalls
			if strings.Contains(t.Text, demoTool) {
				report("markup of a call was left in the text %q", t.Text)
			}
		}
		if t.Finish != want {
			report("expected the finish reason %s, got %q", want, t.Finish)
		}
		for _, c := range t.Calls {
			if c.ID == "" || ids[c.ID] {
				report("expected an id of its own for every call, got %q", c.ID)
			}
			ids[c.ID] = true
		}
		calls = append(calls, t.Calls...)
	}
	return calls
}

// first counts the calls of the first turn.
func (r *demoReceived) first() int {
	if len(r.Turns) == 0 {
		return 0
	}
	return len(r.Turns[0].Calls)
}

// checkText looks for the results of the calls, or what else must be there, in the last text.
func (w *demoWant) checkText(turns []demoTurn, calls []demoCall, report func(string, ...any)) {
	last := ""
	if len(turns) > 0 {
		last = turns[len(turns)-1].Text
	}
	wanted := []string{w.text}
	for _, c := range calls {
		wanted = append(wanted, c.Result)
	}
	for _, text := range wanted {
		if !strings.Contains(last, text) {
			report("expected %q in the last text, got %q", text, last)
		}
	}
}
