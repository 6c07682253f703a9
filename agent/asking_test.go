package agent_test

import (
	"context"
	"errors"
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
