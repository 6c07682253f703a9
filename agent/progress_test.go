package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// told are the events of a run from its first call to its last result, each as its kind and what it says of its call.
func told(t *testing.T, a *agent.Agent, watch func(agent.Event)) (out []string) {
	t.Helper()
	for ev, err := range a.Stream(t.Context(), callwright.UserText("Go.")) {
		if err != nil {
			t.Fatal(err)
		}
		switch ev.Kind {
		case agent.EventCall, agent.EventResult:
			out = append(out, fmt.Sprint(ev.Kind, " ", ev.Name))
		case agent.EventProgress:
			out = append(out, fmt.Sprintf("%s %s %s %g/%g %s", ev.Kind, ev.Call, ev.Name, ev.Progress.Done, ev.Progress.Total, ev.Progress.Message))
		}
		if watch != nil {
			watch(ev)
		}
	}
	return out
}

// Progress of a call is told between its start and its result. Who watches slowly sees the newest.
func TestProgress(t *testing.T) {
	seen := make(chan struct{})
	steps := tool("steps", func(ctx context.Context) (string, error) {
		for i := range 3 {
			agent.NotifyProgress(ctx, agent.Progress{Message: "step", Done: float64(i + 1), Total: 4})
			<-seen
		}
		agent.NotifyProgress(ctx, agent.Progress{Done: 3.5, Total: 4})
		agent.NotifyProgress(ctx, agent.Progress{Done: 4, Total: 4})
		return "done", nil
	})
	n := 0
	got := told(t, agent.New(&script{answers: []any{calls("steps", `{}`), "Done."}}, agent.Tools(steps)), func(ev agent.Event) {
		if ev.Kind != agent.EventProgress {
			return
		}
		if n++; n <= 3 {
			seen <- struct{}{}
		}
	})
	want := []string{"call steps", "progress c0 steps 1/4 step", "progress c0 steps 2/4 step", "progress c0 steps 3/4 step", "progress c0 steps 4/4 ", "result steps"}
	got = slices.DeleteFunc(got, func(s string) bool { return strings.Contains(s, "3.5/4") }) // seen, or replaced by what came after it
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// What a call says last is told before its result, also where both are there when the one who watches has time.
func TestProgressBeforeTheResult(t *testing.T) {
	for range 20 { // which of the two is looked at first is left to chance
		synctest.Test(t, func(t *testing.T) {
			seen := make(chan struct{})
			last := tool("last", func(ctx context.Context) (string, error) {
				agent.NotifyProgress(ctx, agent.Progress{Done: 1})
				<-seen
				agent.NotifyProgress(ctx, agent.Progress{Done: 2})
				return "done", nil
			})
			got := told(t, agent.New(&script{answers: []any{calls("last", `{}`), "Done."}}, agent.Tools(last)), func(ev agent.Event) {
				if ev.Kind == agent.EventProgress && ev.Progress.Done == 1 {
					close(seen)
					synctest.Wait() // until the tool has ended
				}
			})
			if d := cmp.Diff([]string{"call last", "progress c0 last 1/0 ", "progress c0 last 2/0 ", "result last"}, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// Progress is told of calls that run side by side, each under its own id.
func TestProgressOfSiblings(t *testing.T) {
	first, second := make(chan struct{}), make(chan struct{})
	a := agent.New(&script{answers: []any{calls("one", `{}`, "two", `{}`), "Done."}}, agent.Tools(
		tool("one", func(ctx context.Context) (string, error) {
			agent.NotifyProgress(ctx, agent.Progress{Done: 1})
			close(first)
			<-second
			return "1", nil
		}),
		tool("two", func(ctx context.Context) (string, error) {
			<-first
			agent.NotifyProgress(ctx, agent.Progress{Done: 2})
			close(second)
			return "2", nil
		})))
	var progress []string
	for _, line := range told(t, a, nil) {
		if strings.HasPrefix(line, "progress") {
			progress = append(progress, line)
		}
	}
	if want := []string{"progress c0 one 1/0 ", "progress c1 two 2/0 "}; !slices.Equal(progress, want) {
		t.Errorf("got %q", progress)
	}
}

// What comes after the end of a call is told to nobody, nor is what comes from elsewhere.
func TestLateProgress(t *testing.T) {
	var late context.Context
	first := tool("first", func(ctx context.Context) (string, error) { late = ctx; return "1", nil })
	second := tool("second", func(context.Context) (string, error) {
		agent.NotifyProgress(late, agent.Progress{Message: "late"})
		agent.NotifyProgress(context.Background(), agent.Progress{Message: "of no call"})
		return "2", nil
	})
	answers := []any{calls("first", `{}`), calls("second", `{}`), "Done."}
	got := told(t, agent.New(&script{answers: answers}, agent.Tools(first, second)), nil)
	if want := []string{"call first", "result first", "call second", "result second"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	ended := make(chan struct{})
	beside := tool("second", func(ctx context.Context) (string, error) {
		<-ended
		agent.NotifyProgress(late, agent.Progress{Message: "late"})
		agent.NotifyProgress(ctx, agent.Progress{Message: "in time"})
		return "2", nil
	})
	got = told(t, agent.New(&script{answers: []any{calls("first", `{}`, "second", `{}`), "Done."}}, agent.Tools(first, beside)), func(ev agent.Event) {
		if ev.Kind == agent.EventResult && ev.Name == "first" {
			close(ended)
		}
	})
	slices.Sort(got[:2]) // which of them starts first does not matter
	if want := []string{"call first", "call second", "result first", "progress c1 second 0/0 in time", "result second"}; !slices.Equal(got, want) {
		t.Errorf("beside another call: got %q", got)
	}
	if _, err := agent.New(&script{answers: answers}, agent.Tools(first, second)).Run(t.Context(), callwright.UserText("Go.")); err != nil {
		t.Errorf("where nobody watches: %v", err)
	}
}

// Every progress can be written as JSON, and is bounded.
func TestOddProgress(t *testing.T) {
	for _, p := range []agent.Progress{
		{Done: math.NaN(), Total: math.Inf(1)}, {Done: math.Inf(-1)}, {Message: strings.Repeat("é", 5000), Done: -1}, {Message: "\xff\x00\x1b[2J", Done: math.MaxFloat64},
	} {
		odd := tool("odd", func(ctx context.Context) (string, error) {
			agent.NotifyProgress(ctx, p)
			return "", nil
		})
		n := 0
		told(t, agent.New(&script{answers: []any{calls("odd", `{}`), "Done."}}, agent.Tools(odd)), func(ev agent.Event) {
			if text, err := json.Marshal(ev); err != nil || len(text) > 2000 {
				t.Errorf("%v: %d bytes, %v", p, len(text), err)
			}
			if ev.Kind == agent.EventProgress {
				n++
			}
		})
		if n != 1 {
			t.Errorf("%v: told %d times", p, n)
		}
	}
}

// A call that tells of progress ends with its time limit all the same.
func TestProgressAndTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		endless := tool("endless", func(ctx context.Context) (string, error) {
			for ctx.Err() == nil {
				agent.NotifyProgress(ctx, agent.Progress{Done: 1})
				select {
				case <-ctx.Done():
				case <-time.After(time.Second):
				}
			}
			return "", ctx.Err()
		})
		began := time.Now()
		a := agent.New(&script{answers: []any{calls("endless", `{}`), "Done."}}, agent.Tools(endless), agent.WithToolTimeout(10*time.Second), agent.WithFailures(agent.FailuresTolerated))
		var results []agent.Code
		for ev, err := range a.Stream(t.Context(), callwright.UserText("Go.")) {
			if ev.Result != nil && err == nil {
				results = append(results, ev.Result.Errors[0].Code)
			}
		}
		if took := time.Since(began); !slices.Equal(results, []agent.Code{agent.CodeTimeout}) || took > 11*time.Second {
			t.Errorf("got %v after %v", results, took)
		}
	})
}
