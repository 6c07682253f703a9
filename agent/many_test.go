package agent_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// One agent runs many runs at once, and one answer many calls.
func TestMany(t *testing.T) {
	var called []string
	a := agent.New(&script{answers: []any{"Hello."}}, agent.Tools(weather(&called)), agent.WithParallel(1<<40))
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if _, err := a.Run(t.Context(), callwright.UserText("Go.")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	var pairs []string
	for i := range 3000 {
		pairs = append(pairs, "weather", fmt.Sprintf(`{"city":"%d"}`, i))
	}
	res, err := agent.New(&script{answers: []any{calls(pairs...), "Done."}}, agent.Tools(weather(&called)), agent.WithParallel(1<<40)).Run(t.Context(), callwright.UserText("Go."))
	if err != nil || len(results(res.Messages)) != 3000 {
		t.Fatal(err)
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
