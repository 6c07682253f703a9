package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// The time for which a person is asked is none of the run's, who may think about it for as long as they like; what the tools take is.
func TestTimeWithoutThePerson(t *testing.T) {
	for name, c := range map[string]struct {
		thinks, works time.Duration
		stop          agent.Stop
	}{
		"a person who thinks":  {thinks: time.Hour, works: 10 * time.Second},
		"a tool that is slow":  {thinks: time.Hour, works: 2 * time.Minute, stop: agent.StopTime},
		"nobody who thinks":    {works: 59 * time.Second},
		"a little of too much": {works: 61 * time.Second, stop: agent.StopTime},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				drop := tool("drop", func(ctx context.Context) (string, error) {
					select {
					case <-ctx.Done():
						return "", ctx.Err()
					case <-time.After(c.works):
						return "gone", nil
					}
				})
				drop.Approval, drop.Timeout = agent.ApproveAlways, time.Hour
				ask := agent.WithApprover(func(ctx context.Context, _ agent.Question) (agent.Decision, error) {
					select {
					case <-ctx.Done():
						return agent.Later, ctx.Err()
					case <-time.After(c.thinks):
						return agent.Yes, nil
					}
				})
				a := agent.New(&script{answers: []any{calls("drop", `{}`), "Done."}}, agent.Tools(drop), ask, agent.WithMaxTime(time.Minute))
				_, err := a.Run(t.Context(), callwright.UserText("Go."))
				got, _ := errors.AsType[*agent.StopError](err)
				if c.stop == "" && err != nil || c.stop != "" && (got == nil || got.Stop != c.stop) {
					t.Errorf("%v", err)
				}
			})
		})
	}
}

// A person who goes away while being asked leaves a run that goes on: what they are asked stays, and nothing has been run.
func TestApproverThatEnds(t *testing.T) {
	dropped := 0
	drop := tool("drop", func(context.Context) (string, error) { dropped++; return "gone", nil })
	drop.Approval = agent.ApproveAlways
	j := agent.NewMemory()
	m := &script{answers: []any{calls("drop", `{}`, "drop", `{"a":1}`), "Done."}}
	opts := []agent.Option{agent.Tools(drop), agent.WithJournal(j), fixed("run_1")}
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
	if err != nil || len(s.Waiting) != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	last := s.Waiting[1].Call
	if _, err := agent.New(m, opts...).Resume(t.Context(), "run_1", agent.Answer{Call: last, Decision: agent.No}, agent.Answer{Call: last, Decision: agent.Yes}); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("a call that was decided twice: %v", err)
	}
	res, err := agent.New(m, opts...).Resume(t.Context(), "run_1", agent.Answer{Decision: agent.Yes})
	if err != nil || res.Text != "Done." || dropped != 1 {
		t.Errorf("%+v, %v, dropped %d times", res, err, dropped)
	}
}

// canceling is a journal that ends a context at one of its steps, before or after it is kept.
type canceling struct {
	agent.Journal
	left   int
	after  bool
	cancel context.CancelFunc
}

func (j *canceling) Append(ctx context.Context, run agent.RunID, prev uint64, s agent.Step) (uint64, error) {
	if j.left--; j.left == 0 && !j.after {
		j.cancel()
	}
	last, err := j.Journal.Append(ctx, run, prev, s)
	if j.left == 0 && j.after {
		j.cancel()
	}
	return last, err
}

// A run whose context ends at any of its steps goes on: each call is made at most once, and one that was not is told as interrupted.
func TestCancelAtEveryStep(t *testing.T) {
	for n := range 60 {
		made := map[string]int{}
		var mu sync.Mutex
		once := agent.Tool{Name: "once", Schema: []byte(`{}`), Run: func(_ context.Context, a json.RawMessage) (agent.Output, error) {
			mu.Lock()
			made[string(a)]++
			mu.Unlock()
			return agent.Output{Data: []byte(`"done"`)}, nil
		}}
		m := &rounds{script{answers: []any{calls("once", `{"n":0}`, "once", `{"n":1}`, "once", `{"n":2}`), calls("once", `{"n":3}`), "Done."}}}
		ctx, cancel := context.WithCancel(t.Context())
		j := &canceling{Journal: agent.NewMemory(), left: n/2 + 1, after: n%2 == 1, cancel: cancel}
		a := agent.New(m, agent.Tools(once), agent.WithJournal(j), agent.WithParallel(2), fixed("run_1"))
		_, err := a.Run(ctx, callwright.UserText("Go."))
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		res, err := a.Resume(t.Context(), "run_1")
		if n == 0 && callwright.KindOf(err) == callwright.KindNotFound {
			continue // it never began
		}
		if err != nil || res.Text != "Done." {
			t.Fatalf("%d: %+v, %v", n, res, err)
		}
		told := results(res.Messages)
		for i, r := range told {
			if k := made[fmt.Sprintf(`{"n":%d}`, i)]; k > 1 || k == 0 && r != "INTERRUPTED" || k == 1 && r != `"done"` && r != "INTERRUPTED" {
				t.Errorf("%d: call %d was made %d times, and its result is %s", n, i, k, r)
			}
		}
		if len(told) != 4 {
			t.Errorf("%d: %q", n, told)
		}
	}
}

// Of tools of one name the first is offered, whichever source it is from, and a choice names it.
func TestOneNameInSources(t *testing.T) {
	of := func(data string) sourceFunc {
		return func(context.Context) ([]agent.Tool, error) {
			return []agent.Tool{tool("look", func(context.Context) (string, error) { return data, nil }), {Name: "odd name"}, tool("look", nil)}, nil
		}
	}
	m := &script{answers: []any{calls("look", `{}`), "Done."}}
	choice := callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"look"}}
	res, err := agent.New(m, agent.From(of("first"), of("second")), agent.WithChoice(choice)).Run(t.Context(), callwright.UserText("Go."))
	if err != nil || results(res.Messages)[0] != `"first"` || len(m.asked[0].Tools) != 1 {
		t.Fatalf("%+v, %v", res, err)
	}
	if first, then := m.asked[0].Params.Choice, m.asked[1].Params.Choice; first.Mode != callwright.ChoiceNamed || then.Mode != "" || len(then.Names) > 0 {
		t.Errorf("the choices are %+v and %+v", first, then)
	}
}

// An answer with nothing but reasoning is empty: the model is asked once more.
func TestReasoningAlone(t *testing.T) {
	think := callwright.Response{Parts: []callwright.Part{callwright.Reasoning{Text: "Hm."}}, Finish: callwright.FinishStop}
	m := &script{answers: []any{think, "Done."}}
	if res, err := agent.New(m).Run(t.Context(), callwright.UserText("Go.")); err != nil || res.Text != "Done." || len(m.asked) != 2 {
		t.Errorf("%+v, %v", res, err)
	}
	for most, stop := range map[int]agent.Stop{1: agent.StopSteps, 2: ""} {
		m := &script{answers: []any{think, "Done."}}
		_, err := agent.New(m, agent.WithMaxSteps(most)).Run(t.Context(), callwright.UserText("Go."))
		got, _ := errors.AsType[*agent.StopError](err)
		if (got == nil) != (stop == "") || got != nil && got.Stop != stop || len(m.asked) != most {
			t.Errorf("%d steps: %v after %d", most, err, len(m.asked))
		}
	}
}
