package agent_test

import (
	"context"
	"iter"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// What a run tells of itself has the same order whichever way it goes on.
func TestEvents(t *testing.T) {
	drop := tool("drop", func(context.Context) (string, error) { return "gone", nil })
	drop.Approval = agent.ApproveAlways
	a := agent.New(&placed{script{answers: []any{append([]callwright.Part{callwright.Text{Text: "Well."}}, calls("drop", `{}`)...), "Done."}}}, agent.Tools(drop), fixed("run_1"))
	var events []agent.Event
	for ev, err := range a.Stream(t.Context(), callwright.UserText("Drop it.")) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, ev)
	}
	if got, want := kinds(events), "run text approval final"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	events = events[:0]
	for ev, err := range a.StreamResume(t.Context(), "run_1", agent.Answer{Decision: agent.Yes}) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, ev)
	}
	if got, want := kinds(events), "run call result text final"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	if i := slices.IndexFunc(events, func(ev agent.Event) bool { return ev.Run != "run_1" }); i >= 0 {
		t.Errorf("event %d is of the run %q", i, events[i].Run)
	}
	// Whoever stops to listen ends the run, which can go on.
	b := agent.New(&placed{script{answers: []any{calls("look", `{}`), "Done."}}}, agent.Tools(tool("look", func(context.Context) (string, error) { return "seen", nil })), fixed("run_2"))
	for ev, err := range b.Stream(t.Context(), callwright.UserText("Look.")) {
		if err != nil || ev.Kind == agent.EventResult {
			break
		}
	}
	if res, err := b.Resume(t.Context(), "run_2"); err != nil || res.Text != "Done." {
		t.Errorf("%+v, %v", res, err)
	}
}

// Whoever takes the events may stop at any of them, also by a panic: everything ends, and the run goes on later as if nothing had been.
func TestStopAtEveryEvent(t *testing.T) {
	for _, way := range []string{"break", "panic"} {
		for at := range 40 {
			var ran atomic.Int32
			wait := tool("wait", func(ctx context.Context) (string, error) { ran.Add(1); return "done", nil })
			wait.Effects = agent.EffectsIdempotent
			j := agent.NewMemory()
			m := &rounds{script{answers: []any{calls("wait", `{}`, "wait", `{"a":1}`, "wait", `{"a":2}`), calls("wait", `{"b":1}`), "Done."}}}
			a := agent.New(m, agent.Tools(wait), agent.WithJournal(j), fixed("run_1"), agent.WithParallel(2))
			seen := 0
			func() {
				defer func() { _ = recover() }()
				for range a.Stream(t.Context(), callwright.UserText("Go.")) {
					if seen == at {
						if way == "panic" {
							panic("enough")
						}
						break
					}
					seen++
				}
			}()
			res, err := a.Resume(t.Context(), "run_1")
			if err != nil || res.Text != "Done." || len(results(res.Messages)) != 4 {
				t.Fatalf("%s at event %d: %+v, %v", way, at, res, err)
			}
			if seen < at {
				break
			}
		}
	}
}

// A rounds is a script that answers by how many rounds of calls the conversation has, not by how often it was asked.
type rounds struct{ script }

func (m *rounds) at(req *callwright.Request) *script {
	n := 0
	for _, msg := range req.Messages {
		if msg.Role == callwright.RoleTool {
			n++
		}
	}
	return &script{answers: m.answers[n:]}
}

func (m *rounds) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	return m.at(req).Generate(ctx, req)
}

func (m *rounds) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return m.at(req).Stream(ctx, req)
}
