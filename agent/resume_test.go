package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// fixed gives every run the same id.
func fixed(id agent.RunID) agent.Option { return agent.WithRunID(func() agent.RunID { return id }) }

// A person is asked about a call: at once where somebody is there, and else the run waits and goes on in another agent.
func TestApproval(t *testing.T) {
	two := calls("drop", `{}`, "look", `{}`)
	for name, c := range map[string]struct {
		tool     func(*agent.Tool)
		opts     []agent.Option
		decision agent.Decision // of the resumed run; "" where the run does not wait
		answers  []any
		dropped  int
		results  []string
	}{
		"a destructive tool":     {tool: func(t *agent.Tool) { t.Effects = agent.EffectsDestructive }, decision: agent.Yes, answers: []any{two, "Done."}, dropped: 1, results: []string{`"gone"`, `"seen"`}},
		"denied":                 {tool: func(t *agent.Tool) { t.Approval = agent.ApproveAlways }, decision: agent.No, answers: []any{two, "Done."}, results: []string{"DENIED", `"seen"`}},
		"each call is asked for": {tool: func(t *agent.Tool) { t.Approval = agent.ApproveAlways }, opts: []agent.Option{decides(agent.Yes)}, answers: []any{calls("drop", `{}`, "drop", `{"x":1}`), "Done."}, dropped: 2, results: []string{`"gone"`, `"gone"`}},
		"a tool is asked for":    {tool: func(t *agent.Tool) { t.Approval = agent.ApproveOnce }, decision: agent.Yes, answers: []any{two, calls("drop", `{"x":1}`), "Done."}, dropped: 2, results: []string{`"gone"`, `"seen"`, `"gone"`}},
		"always":                 {tool: func(t *agent.Tool) { t.Approval = agent.ApproveAlways }, decision: agent.Always, answers: []any{two, calls("drop", `{"x":1}`), "Done."}, dropped: 2, results: []string{`"gone"`, `"seen"`, `"gone"`}},
		"by its arguments": {tool: func(t *agent.Tool) {
			t.Approval, t.ApproveIf = agent.ApproveAlways, func(a json.RawMessage) bool { return strings.Contains(string(a), "x") }
		}, decision: agent.Yes, answers: []any{calls("drop", `{}`), calls("drop", `{"x":1}`), "Done."}, dropped: 2, results: []string{`"gone"`, `"gone"`}},
		"never": {tool: func(t *agent.Tool) { t.Approval, t.Effects = agent.ApproveNever, agent.EffectsDestructive }, answers: []any{two, "Done."}, dropped: 1, results: []string{`"gone"`, `"seen"`}},
		"a rule asks": {tool: func(t *agent.Tool) {
			t.Approval, t.ApproveIf = agent.ApproveNever, func(json.RawMessage) bool { return false }
		},
			opts:     []agent.Option{agent.WithApprovals(agent.ApprovalRule{Pattern: "*", Approval: agent.ApproveNever}), agent.WithApprovals(agent.ApprovalRule{Pattern: "dr*", Approval: agent.ApproveAlways})},
			decision: agent.No, answers: []any{two, "Done."}, results: []string{"DENIED", `"seen"`}},
		"the last rule holds": {tool: func(t *agent.Tool) { t.Approval = agent.ApproveAlways },
			opts:    []agent.Option{agent.WithApprovals(agent.ApprovalRule{Pattern: "drop", Approval: agent.ApproveAlways}, agent.ApprovalRule{Pattern: "*", Approval: agent.ApproveNever})},
			answers: []any{two, "Done."}, dropped: 1, results: []string{`"gone"`, `"seen"`}},
		"no rule matches": {tool: func(t *agent.Tool) { t.Approval = agent.ApproveAlways },
			opts:     []agent.Option{agent.WithApprovals(agent.ApprovalRule{Pattern: "look*", Approval: agent.ApproveNever})},
			decision: agent.Yes, answers: []any{two, "Done."}, dropped: 1, results: []string{`"gone"`, `"seen"`}},
		"everything is approved":   {tool: func(t *agent.Tool) { t.Approval = agent.ApproveAlways }, opts: []agent.Option{agent.WithApproval()}, answers: []any{two, "Done."}, dropped: 1, results: []string{`"gone"`, `"seen"`}},
		"a person who is not sure": {tool: func(t *agent.Tool) { t.Approval = agent.ApproveAlways }, opts: []agent.Option{decides(agent.Later)}, decision: agent.Yes, answers: []any{two, "Done."}, dropped: 1, results: []string{`"gone"`, `"seen"`}},
	} {
		t.Run(name, func(t *testing.T) {
			dropped := 0
			drop := tool("drop", func(context.Context) (string, error) { dropped++; return "gone", nil })
			c.tool(&drop)
			look := tool("look", func(context.Context) (string, error) { return "seen", nil })
			m, journal := &script{answers: c.answers}, agent.NewMemory()
			opts := append([]agent.Option{agent.Tools(drop, look), agent.WithJournal(journal), agent.WithParallel(1), fixed("run_1")}, c.opts...)
			res, err := agent.New(m, opts...).Run(t.Context(), callwright.UserText("Drop it."))
			if err != nil {
				t.Fatal(err)
			}
			if c.decision != "" {
				if res.Stop != agent.StopParked || len(res.Waiting) != 1 || res.Waiting[0].Name != "drop" || res.Waiting[0].Why == "" {
					t.Fatalf("the run is not parked: %+v", res)
				}
				if again, err := agent.New(m, append(opts, decides(agent.Later))...).Resume(t.Context(), "run_1"); err != nil || again.Stop != agent.StopParked {
					t.Fatalf("without an answer: %+v, %v", again, err)
				}
				if _, err := agent.New(m, opts...).Resume(t.Context(), "run_1", agent.Answer{Call: "other", Decision: agent.Yes}); callwright.KindOf(err) != callwright.KindInvalid {
					t.Errorf("an answer about another call: %v", err)
				}
				if _, err := agent.New(m, opts...).Resume(t.Context(), "run_1", agent.Answer{Decision: "perhaps"}); callwright.KindOf(err) != callwright.KindInvalid {
					t.Errorf("an answer that is none: %v", err)
				}
				if res, err = agent.New(m, opts...).Resume(t.Context(), "run_1", agent.Answer{Decision: c.decision}); err != nil {
					t.Fatal(err)
				}
			}
			if res.Stop != agent.StopAnswered || res.Text != "Done." || dropped != c.dropped {
				t.Errorf("%+v; dropped %d times", res, dropped)
			}
			if d := cmp.Diff(c.results, results(res.Messages)); d != "" {
				t.Errorf("results (-want +got)\n%s", d)
			}
			asked := len(m.asked)
			if again, err := agent.New(m, opts...).Resume(t.Context(), "run_1"); err != nil || again.Text != res.Text || len(m.asked) != asked {
				t.Errorf("a run that has ended: %+v, %v", again, err)
			}
		})
	}
}

func decides(d agent.Decision) agent.Option {
	return agent.WithApprover(func(context.Context, agent.Question) (agent.Decision, error) { return d, nil })
}

// cutting is a journal that fails after so many steps: the process ended there.
type cutting struct {
	agent.Journal
	left int
}

var errCut = errors.New("the process has ended")

func (j *cutting) Append(ctx context.Context, run agent.RunID, prev uint64, s agent.Step) (uint64, error) {
	if j.left--; j.left < 0 {
		return 0, errCut
	}
	return j.Journal.Append(ctx, run, prev, s)
}

// A run that ends at any step goes on from there, as often as that happens: no call that has ended is made again, one that had started only
// where its effects allow it, and the answer is that of a run that was never broken off.
func TestResumeAfterEveryStep(t *testing.T) {
	var answers []any
	for i := range 5 {
		answers = append(answers, calls("write", fmt.Sprintf(`{"n":%d}`, i), "read", fmt.Sprintf(`{"n":%d}`, i)))
	}
	answers = append(answers, "Done.")
	for cut := 1; ; cut++ {
		journal := agent.NewMemory()
		writes := map[string]int{}
		agentOf := func(left int) *agent.Agent {
			write := agent.Tool{Name: "write", Schema: json.RawMessage(`{"type":"object"}`), Run: func(_ context.Context, a json.RawMessage) (agent.Output, error) {
				writes[string(a)]++
				return agent.Output{}, nil
			}}
			read := agent.Tool{Name: "read", Effects: agent.EffectsNone, Schema: json.RawMessage(`{"type":"object"}`), Run: func(context.Context, json.RawMessage) (agent.Output, error) {
				return agent.Output{Data: json.RawMessage(`"text"`)}, nil
			}}
			// The model answers by how many answers the conversation has: it is the same one for every process.
			return agent.New(byLength(answers), agent.Tools(write, read), agent.WithJournal(&cutting{journal, left}), agent.WithParallel(1), fixed("run_1"))
		}
		res, err := agentOf(cut).Run(t.Context(), callwright.UserText("Write five."))
		whole := err == nil
		for n := 0; err != nil; n++ {
			if !errors.Is(err, errCut) || n > 100 {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			res, err = agentOf(cut).Resume(t.Context(), "run_1")
		}
		if res.Text != "Done." {
			t.Fatalf("cut at %d: answered %q", cut, res.Text)
		}
		checkConversation(t, res.Messages)
		interrupted := 0
		for _, r := range results(res.Messages) {
			if r == "INTERRUPTED" {
				interrupted++
			}
		}
		for i := range 5 {
			if n := writes[fmt.Sprintf(`{"n":%d}`, i)]; n > 1 || n == 0 && interrupted == 0 {
				t.Errorf("cut at %d: %d is written %d times", cut, i, n)
			}
		}
		if whole {
			if interrupted > 0 || cut < 20 {
				t.Errorf("a whole run of %d steps has %d interrupted calls", cut, interrupted)
			}
			return
		}
	}
}

// byLength is a model that answers by the number of answers in the conversation.
func byLength(answers []any) callwright.Model { return &placed{script{answers: answers}} }

type placed struct{ script }

func (p *placed) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	n := 0
	for _, m := range req.Messages {
		if m.Role == callwright.RoleAssistant {
			n++
		}
	}
	return (&script{answers: p.answers[min(n, len(p.answers)-1):]}).Generate(ctx, req)
}

// Two processes on one run: one of them goes on, the other is told.
func TestTwoProcesses(t *testing.T) {
	journal := agent.NewMemory()
	drops := 0
	drop := tool("drop", func(context.Context) (string, error) { drops++; return "gone", nil })
	drop.Approval = agent.ApproveAlways
	opts := []agent.Option{agent.Tools(drop), agent.WithJournal(journal), fixed("run_1")}
	if _, err := agent.New(&script{answers: []any{calls("drop", `{}`)}}, opts...).Run(t.Context(), callwright.UserText("Drop it.")); err != nil {
		t.Fatal(err)
	}
	other := agent.New(&script{answers: []any{"Done."}}, opts...)
	stale := agent.New(&script{answers: []any{"Done."}}, append(opts, agent.WithApprover(func(ctx context.Context, _ agent.Question) (agent.Decision, error) {
		if _, err := other.Resume(ctx, "run_1", agent.Answer{Decision: agent.Yes}); err != nil {
			t.Error(err)
		}
		return agent.Yes, nil
	}))...)
	if _, err := stale.Resume(t.Context(), "run_1"); callwright.KindOf(err) != callwright.KindConflict || drops != 1 {
		t.Errorf("got %v after %d calls", err, drops)
	}
}

// A thousand runs that wait for a person hold nothing but their record.
func TestParkedRunsHoldNoGoroutine(t *testing.T) {
	drop := tool("drop", func(context.Context) (string, error) { return "", nil })
	drop.Approval = agent.ApproveAlways
	a := agent.New(&placed{script{answers: []any{calls("drop", `{}`), "Done."}}}, agent.Tools(drop))
	before := runtime.NumGoroutine()
	for range 1000 {
		if res, err := a.Run(t.Context(), callwright.UserText("Drop it.")); err != nil || res.Stop != agent.StopParked {
			t.Fatalf("%+v, %v", res, err)
		}
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines more", n-before)
	}
}

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

// A run that waits goes on with an agent that asks about nothing, and one that was broken off has no stop.
func TestResumeWithoutQuestions(t *testing.T) {
	dropped := 0
	drop := tool("drop", func(context.Context) (string, error) { dropped++; return "gone", nil })
	drop.Approval = agent.ApproveAlways
	opts := []agent.Option{agent.Tools(drop), agent.WithJournal(agent.NewMemory()), fixed("run_1")}
	m := &script{answers: []any{calls("drop", `{}`), callwright.Errorf("x", callwright.KindUnavailable, "", "down"), "Done."}}
	if res, err := agent.New(m, opts...).Run(t.Context(), callwright.UserText("Drop it.")); err != nil || res.Stop != agent.StopParked {
		t.Fatalf("%+v, %v", res, err)
	}
	opts = append(opts, agent.WithApproval())
	if res, err := agent.New(m, opts...).Resume(t.Context(), "run_1"); err == nil || res.Stop != "" || dropped != 1 {
		t.Fatalf("%+v, %v after %d calls", res, err, dropped)
	}
	if res, err := agent.New(m, opts...).Resume(t.Context(), "run_1"); err != nil || res.Stop != agent.StopAnswered || dropped != 1 {
		t.Errorf("%+v, %v after %d calls", res, err, dropped)
	}
}
