package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/callcheck"
)

// What the cases of TestApproval are made of.
var two = calls("drop", `{}`, "look", `{}`)

// checks asks about calls with x, refuses those with y, and panics at those with z.
func checks(c callwright.Call) (string, error) {
	switch {
	case strings.Contains(string(c.Arguments), "x"):
		return "x is dear", nil
	case strings.Contains(string(c.Arguments), "y"):
		return "", errors.New("not y")
	case strings.Contains(string(c.Arguments), "z"):
		panic("z")
	}
	return "", nil
}

// What a person said about a tool says nothing of a call that a check asks about.
func TestCheckAsksForEachCall(t *testing.T) {
	dropped := 0
	drop := tool("drop", func(context.Context) (string, error) { dropped++; return "gone", nil })
	drop.Approval = agent.ApproveOnce
	m := &script{answers: []any{calls("drop", `{}`), calls("drop", `{"x":1}`), calls("drop", `{"x":2}`, "drop", `{}`), "Done."}}
	var asked []string
	a := agent.New(m, agent.Tools(drop), agent.WithApprover(func(_ context.Context, q agent.Question) (agent.Decision, error) {
		asked = append(asked, string(q.Arguments)+" "+q.Why)
		return agent.Always, nil
	}))
	res, err := a.Run(callcheck.With(t.Context(), checks), callwright.UserText("Drop it."))
	if err != nil || res.Text != "Done." || dropped != 4 {
		t.Fatalf("%+v, %v; dropped %d times", res, err, dropped)
	}
	want := []string{`{} calls of this tool need an approval`, `{"x":1} x is dear`, `{"x":2} x is dear`}
	if d := cmp.Diff(want, asked); d != "" {
		t.Errorf("asked (-want +got)\n%s", d)
	}
}

// approvalCases are those of TestApproval.
var approvalCases = map[string]struct {
	tool     func(*agent.Tool)
	opts     []agent.Option
	decision agent.Decision // of the resumed run; "" where the run does not wait
	answers  []any
	dropped  int
	results  []string
	checked  bool // by checks
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
		opts:     []agent.Option{agent.WithApprovalRules(agent.ApprovalRule{Pattern: "*", Approval: agent.ApproveNever}), agent.WithApprovalRules(agent.ApprovalRule{Pattern: "dr*", Approval: agent.ApproveAlways})},
		decision: agent.No, answers: []any{two, "Done."}, results: []string{"DENIED", `"seen"`}},
	"the last rule holds": {tool: func(t *agent.Tool) { t.Approval = agent.ApproveAlways },
		opts:    []agent.Option{agent.WithApprovalRules(agent.ApprovalRule{Pattern: "drop", Approval: agent.ApproveAlways}, agent.ApprovalRule{Pattern: "*", Approval: agent.ApproveNever})},
		answers: []any{two, "Done."}, dropped: 1, results: []string{`"gone"`, `"seen"`}},
	"no rule matches": {tool: func(t *agent.Tool) { t.Approval = agent.ApproveAlways },
		opts:     []agent.Option{agent.WithApprovalRules(agent.ApprovalRule{Pattern: "look*", Approval: agent.ApproveNever})},
		decision: agent.Yes, answers: []any{two, "Done."}, dropped: 1, results: []string{`"gone"`, `"seen"`}},
	"a check asks": {tool: func(*agent.Tool) {}, checked: true, decision: agent.Yes, answers: []any{calls("drop", `{}`), calls("drop", `{"x":1}`), "Done."}, dropped: 2, results: []string{`"gone"`, `"gone"`}},
	"a check asks, whatever the rules say": {tool: func(t *agent.Tool) { t.Approval = agent.ApproveNever },
		checked:  true,
		opts:     []agent.Option{agent.WithApprovalRules(agent.ApprovalRule{Pattern: "*", Approval: agent.ApproveNever})},
		decision: agent.No, answers: []any{calls("drop", `{"x":1}`, "look", `{}`), "Done."}, results: []string{"DENIED", `"seen"`}},
	"a check refuses":          {tool: func(*agent.Tool) {}, checked: true, answers: []any{calls("drop", `{"y":1}`, "look", `{}`), "Done."}, results: []string{"NOT_ALLOWED", `"seen"`}},
	"a check panics":           {tool: func(*agent.Tool) {}, checked: true, answers: []any{calls("drop", `{"z":1}`, "look", `{}`), "Done."}, results: []string{"NOT_ALLOWED", `"seen"`}},
	"a check's question":       {tool: func(*agent.Tool) {}, checked: true, opts: []agent.Option{agent.WithApproveAll()}, answers: []any{calls("drop", `{"x":1}`), "Done."}, dropped: 1, results: []string{`"gone"`}},
	"everything is approved":   {tool: func(t *agent.Tool) { t.Approval = agent.ApproveAlways }, opts: []agent.Option{agent.WithApproveAll()}, answers: []any{two, "Done."}, dropped: 1, results: []string{`"gone"`, `"seen"`}},
	"a person who is not sure": {tool: func(t *agent.Tool) { t.Approval = agent.ApproveAlways }, opts: []agent.Option{decides(agent.Later)}, decision: agent.Yes, answers: []any{two, "Done."}, dropped: 1, results: []string{`"gone"`, `"seen"`}},
}

// A person is asked about a call: at once where somebody is there, and else the run waits and goes on in another agent.
func TestApproval(t *testing.T) {
	for name, c := range approvalCases {
		t.Run(name, func(t *testing.T) {
			dropped := 0
			drop := tool("drop", func(context.Context) (string, error) { dropped++; return "gone", nil })
			c.tool(&drop)
			ctx := t.Context()
			if c.checked {
				ctx = callcheck.With(ctx, checks)
			}
			look := tool("look", func(context.Context) (string, error) { return "seen", nil })
			m, journal := &script{answers: c.answers}, agent.NewMemory()
			opts := append([]agent.Option{agent.Tools(drop, look), agent.WithJournal(journal), agent.WithParallel(1), fixed("run_1")}, c.opts...)
			res, err := agent.New(m, opts...).Run(ctx, callwright.UserText("Drop it."))
			if err != nil {
				t.Fatal(err)
			}
			if c.decision != "" {
				if res.Stop != agent.StopParked || len(res.Waiting) != 1 || res.Waiting[0].Name != "drop" || res.Waiting[0].Why == "" {
					t.Fatalf("the run is not parked: %+v", res)
				}
				if again, err := agent.New(m, append(opts, decides(agent.Later))...).Resume(ctx, "run_1"); err != nil || again.Stop != agent.StopParked {
					t.Fatalf("without an answer: %+v, %v", again, err)
				}
				if _, err := agent.New(m, opts...).Resume(ctx, "run_1", agent.Answer{Call: "other", Decision: agent.Yes}); callwright.KindOf(err) != callwright.KindInvalid {
					t.Errorf("an answer about another call: %v", err)
				}
				if _, err := agent.New(m, opts...).Resume(ctx, "run_1", agent.Answer{Decision: "perhaps"}); callwright.KindOf(err) != callwright.KindInvalid {
					t.Errorf("an answer that is none: %v", err)
				}
				if res, err = agent.New(m, opts...).Resume(ctx, "run_1", agent.Answer{Decision: c.decision}); err != nil {
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
			if again, err := agent.New(m, opts...).Resume(ctx, "run_1"); err != nil || again.Text != res.Text || len(m.asked) != asked {
				t.Errorf("a run that has ended: %+v, %v", again, err)
			}
		})
	}
}

func decides(d agent.Decision) agent.Option {
	return agent.WithApprover(func(context.Context, agent.Question) (agent.Decision, error) { return d, nil })
}

// A person who goes away while being asked leaves a run that goes on: what they are asked stays, and nothing has been run.
func TestApproverThatEnds(t *testing.T) {
	dropped := 0
	drop := tool("drop", func(context.Context) (string, error) { dropped++; return "gone", nil })
	drop.Approval = agent.ApproveAlways
	j := agent.NewMemory()
	m := &script{answers: []any{calls("drop", `{}`, "drop", `{"a":1}`), "Done."}}
	opts := []agent.Option{agent.Tools(drop), agent.WithJournal(j), agent.WithParallel(1), fixed("run_1")}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := agent.New(m, append(opts, agent.WithApprover(func(ctx context.Context, _ agent.Question) (agent.Decision, error) {
		cancel()
		return agent.Yes, nil // too late to be kept
	}))...).Run(ctx, callwright.UserText("Go."))
	if !errors.Is(err, context.Canceled) || dropped != 0 {
		t.Fatalf("%v, dropped %d times", err, dropped)
	}
	away := errors.New("away")
	_, err = agent.New(m, append(opts, agent.WithApprover(func(context.Context, agent.Question) (agent.Decision, error) { return agent.Yes, away }))...).Resume(t.Context(), "run_1")
	if !errors.Is(err, away) || dropped != 0 {
		t.Fatalf("%v, dropped %d times", err, dropped)
	}
	s, err := agent.Status(t.Context(), j, "run_1")
	if err != nil || len(s.Waiting) != 2 || len(s.Messages) != 2 || s.Messages[1].Role != callwright.RoleAssistant {
		t.Fatalf("%+v, %v", s, err)
	}
	last := s.Waiting[1].Call
	if _, err := agent.New(m, opts...).Resume(t.Context(), "run_1", agent.Answer{Call: last, Decision: agent.No}, agent.Answer{Call: last, Decision: agent.Yes}); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("a call that was decided twice: %v", err)
	}
	res, err := agent.New(m, opts...).Resume(t.Context(), "run_1", agent.Answer{Decision: agent.Yes})
	if err != nil || res.Text != "Done." || dropped != 2 {
		t.Errorf("%+v, %v, dropped %d times", res, err, dropped)
	}
	if s, err := agent.Status(t.Context(), j, "run_1"); err != nil || len(s.Messages) != len(res.Messages) {
		t.Errorf("%+v, %v", s, err)
	}
}

// Who has said always to one call of an answer is not asked about the next.
func TestAlwaysHoldsAtOnce(t *testing.T) {
	asked := 0
	drop := tool("drop", func(context.Context) (string, error) { return "gone", nil })
	drop.Approval = agent.ApproveAlways
	ask := agent.WithApprover(func(context.Context, agent.Question) (agent.Decision, error) { asked++; return agent.Always, nil })
	res, err := agent.New(&script{answers: []any{calls("drop", `{}`, "drop", `{"a":1}`), "Done."}}, agent.Tools(drop), ask).Run(t.Context(), callwright.UserText("Go."))
	if err != nil || asked != 1 || strings.Join(results(res.Messages), " ") != `"gone" "gone"` {
		t.Errorf("%+v, %v; asked %d times", res, err, asked)
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
	opts = append(opts, agent.WithApproveAll())
	if res, err := agent.New(m, opts...).Resume(t.Context(), "run_1"); err == nil || res.Stop != "" || dropped != 1 {
		t.Fatalf("%+v, %v after %d calls", res, err, dropped)
	}
	if res, err := agent.New(m, opts...).Resume(t.Context(), "run_1"); err != nil || res.Stop != agent.StopAnswered || dropped != 1 {
		t.Errorf("%+v, %v after %d calls", res, err, dropped)
	}
}

// Of several answers all are kept, or none where one is wrong; one about no call in particular is about those that no other names.
func TestSeveralAnswers(t *testing.T) {
	yes, no, always := agent.Yes, agent.No, agent.Always
	for name, c := range map[string]struct {
		answers []agent.Answer
		results []string // nil: they are wrong
	}{
		"each its own":             {[]agent.Answer{{"c0", yes}, {"c1", no}, {"c2", yes}}, []string{`"gone"`, "DENIED", `"wiped"`}},
		"in another order":         {[]agent.Answer{{"c2", no}, {"c0", no}, {"c1", yes}}, []string{"DENIED", `"gone"`, "DENIED"}},
		"one, and the others":      {[]agent.Answer{{"c1", no}, {"", yes}}, []string{`"gone"`, "DENIED", `"wiped"`}},
		"the others, and one":      {[]agent.Answer{{"", yes}, {"c1", no}}, []string{`"gone"`, "DENIED", `"wiped"`}},
		"always, and a no":         {[]agent.Answer{{"c0", always}, {"c1", no}, {"c2", yes}}, []string{`"gone"`, "DENIED", `"wiped"`}},
		"always, and nothing":      {[]agent.Answer{{"c0", always}, {"c2", yes}}, []string{`"gone"`, `"gone"`, `"wiped"`}},
		"a wrong call behind":      {[]agent.Answer{{"c0", yes}, {"c9", yes}}, nil},
		"a wrong word behind":      {[]agent.Answer{{"c0", yes}, {"c1", "perhaps"}}, nil},
		"a later behind":           {[]agent.Answer{{"c0", yes}, {"c1", agent.Later}}, nil},
		"no word for the others":   {[]agent.Answer{{"c0", yes}, {"", ""}}, nil},
		"a call twice":             {[]agent.Answer{{"c0", yes}, {"c0", yes}}, nil},
		"the others, and no other": {[]agent.Answer{{"c0", yes}, {"c1", yes}, {"c2", yes}, {"", yes}}, nil},
		"the others twice":         {[]agent.Answer{{"", yes}, {"", no}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			drop := tool("drop", func(context.Context) (string, error) { return "gone", nil })
			wipe := tool("wipe", func(context.Context) (string, error) { return "wiped", nil })
			drop.Approval, wipe.Approval = agent.ApproveAlways, agent.ApproveAlways
			j := agent.NewMemory()
			a := agent.New(&script{answers: []any{calls("drop", `{}`, "drop", `{"a":1}`, "wipe", `{}`), "Done."}}, agent.Tools(drop, wipe), agent.WithJournal(j), fixed("run_1"))
			if _, err := a.Run(t.Context(), callwright.UserText("Go.")); err != nil {
				t.Fatal(err)
			}
			_, before, err := j.Load(t.Context(), "run_1")
			if err != nil {
				t.Fatal(err)
			}
			res, err := a.Resume(t.Context(), "run_1", c.answers...)
			if c.results == nil {
				_, after, _ := j.Load(t.Context(), "run_1")
				if callwright.KindOf(err) != callwright.KindInvalid || after != before {
					t.Errorf("%v, and %d entries are kept of %d", err, after, before)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.results, results(res.Messages)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}
