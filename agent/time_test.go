package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// The time of a run is bounded, also inside a tool, and that of a tool is.
func TestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sleeps := func(d time.Duration) agent.Tool {
			return tool("sleep", func(ctx context.Context) (string, error) {
				select {
				case <-time.After(d):
					return "awake", nil
				case <-ctx.Done():
					return "", ctx.Err()
				}
			})
		}
		sleep := calls("sleep", `{}`)
		_, err := agent.New(&script{answers: []any{sleep}}, agent.Tools(sleeps(time.Minute)), agent.WithMaxTime(10*time.Second)).Run(t.Context(), callwright.UserText("Sleep."))
		if stop, ok := errors.AsType[*agent.StopError](err); !ok || stop.Stop != agent.StopTime {
			t.Errorf("got %v", err)
		}
		res, err := agent.New(&script{answers: []any{sleep, "It takes too long."}}, agent.Tools(sleeps(time.Hour)), agent.WithToolTimeout(time.Second), agent.WithFailures(agent.FailuresTolerated)).Run(t.Context(), callwright.UserText("Sleep."))
		if stop, ok := errors.AsType[*agent.StopError](err); !ok || stop.Stop != agent.StopToolFailed || !slices.Equal(results(res.Messages), []string{"TIMEOUT"}) {
			t.Errorf("got %+v, %v", res, err)
		}
	})
}

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

// A tool that does not heed its context is left behind, and the run goes on.
func TestDeafTool(t *testing.T) {
	wake := make(chan struct{})
	deaf := agent.Tool{Name: "deaf", Timeout: time.Millisecond, Run: func(context.Context, json.RawMessage) (agent.Output, error) { <-wake; return agent.Output{}, nil }}
	res, err := agent.New(&script{answers: []any{calls("deaf", `{}`), "Never mind."}}, agent.Tools(deaf)).Run(t.Context(), callwright.UserText("Hear."))
	close(wake)
	if stop, ok := errors.AsType[*agent.StopError](err); !ok || stop.Stop != agent.StopToolFailed || res.Text != "Never mind." {
		t.Errorf("%+v, %v", res, err)
	}
}
