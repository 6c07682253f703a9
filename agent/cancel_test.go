package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// A run that is cancelled while a tool runs ends at once, and is not left with a call that seems never to have been made.
func TestCancelledTool(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	journal := agent.NewMemory()
	runs := 0
	a := agent.New(&script{answers: []any{calls("wait", `{}`), "Done."}}, agent.WithJournal(journal), agent.WithRunID(func() agent.RunID { return "run_1" }), agent.Tools(tool("wait", func(ctx context.Context) (string, error) {
		runs++
		cancel()
		<-ctx.Done()
		return "", ctx.Err()
	})))
	if _, err := a.Run(ctx, callwright.UserText("Wait.")); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	res, err := a.Resume(t.Context(), "run_1")
	if err != nil || res.Text != "Done." || runs != 1 {
		t.Fatalf("resumed: %+v, %v after %d calls", res, err, runs)
	}
	if got := results(res.Messages); !slices.Equal(got, []string{"INTERRUPTED"}) {
		t.Errorf("the model was told %q", got)
	}
}

// A tool that has done its work when the run is cancelled is not called again, and the model is told what it gave.
func TestCancelledAtItsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	a := agent.New(&script{answers: []any{calls("work", `{}`), "Done."}}, fixed("run_1"), agent.WithJournal(agent.NewMemory()), agent.Tools(tool("work", func(context.Context) (string, error) {
		runs++
		cancel()
		return "worked", nil
	})))
	if _, err := a.Run(ctx, callwright.UserText("Work.")); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	res, err := a.Resume(t.Context(), "run_1")
	if err != nil || runs != 1 || !slices.Equal(results(res.Messages), []string{`"worked"`}) {
		t.Errorf("resumed: %+v, %v after %d calls", res, err, runs)
	}
}

// canceling is a journal that ends a context at one of its entries, before or after it is kept.
type canceling struct {
	agent.Journal
	left   int
	after  bool
	cancel context.CancelFunc
}

func (j *canceling) Append(ctx context.Context, run agent.RunID, prev uint64, s agent.Entry) (uint64, error) {
	if j.left--; j.left == 0 && !j.after {
		j.cancel()
	}
	last, err := j.Journal.Append(ctx, run, prev, s)
	if j.left == 0 && j.after {
		j.cancel()
	}
	return last, err
}

// A run whose context ends at any entry of its journal goes on: each call is made at most once, and one that was not is told as interrupted.
func TestCancelAtEveryEntry(t *testing.T) {
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
