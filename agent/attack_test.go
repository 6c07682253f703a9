package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// Calls that are the same only by how they are written are a loop, and so are those that can never be run; siblings of one answer are none.
func TestLoopsThatHide(t *testing.T) {
	same := []string{`{"city":"Oslo","days":1}`, `{"days":1,"city":"Oslo"}`, ` { "city" : "Oslo", "days" : 1 } `, `{"city":"Osl\u006f","days":1}`}
	for name, c := range map[string]struct {
		answers func(n int) any
		tool    string
		stops   bool
	}{
		"written otherwise": {answers: func(n int) any { return calls("weather", same[n%len(same)]) }, stops: true},
		"an unknown tool":   {answers: func(int) any { return calls("nope", `{}`) }, stops: true},
		"bad arguments":     {answers: func(int) any { return calls("weather", `{}`) }, stops: true},
		"no JSON":           {answers: func(int) any { return calls("weather", `{`) }, stops: true},
		"other arguments":   {answers: func(n int) any { return calls("weather", fmt.Sprintf(`{"city":"%d"}`, n)) }},
		"other bad ones":    {answers: func(n int) any { return calls("weather", fmt.Sprintf(`{"city":%d}`, n)) }},
		"other results":     {answers: func(int) any { return calls("count", `{}`) }},
		"equal siblings": {answers: func(n int) any {
			if n > 1 {
				return "Done."
			}
			return calls(slices.Repeat([]string{"weather", `{"city":"Oslo"}`}, 6)...)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var called []string
			n := 0
			count := tool("count", func(context.Context) (string, error) { n++; return fmt.Sprint(n), nil })
			m := &script{}
			for i := range 12 {
				m.answers = append(m.answers, c.answers(i))
			}
			m.answers = append(m.answers, "Done.")
			_, err := agent.New(m, agent.Tools(weather(&called), count)).Run(t.Context(), callwright.UserText("Go."))
			stop, _ := errors.AsType[*agent.StopError](err)
			if stops := stop != nil && stop.Stop == agent.StopLoop; stops != c.stops || !stops && err != nil {
				t.Errorf("%v after %d requests", err, len(m.asked))
			}
		})
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

// A run that has ended is not ended once more, whatever has become of its sources and of its time.
func TestEndedStaysEnded(t *testing.T) {
	j := agent.NewMemory()
	slow := &script{answers: []any{"Done."}}
	first := agent.New(slow, agent.WithJournal(j), fixed("run_1"), agent.WithRequest(func(*callwright.Request) { time.Sleep(5 * time.Millisecond) }))
	if _, err := first.Run(t.Context(), callwright.UserText("Go.")); err != nil {
		t.Fatal(err)
	}
	gone := sourceFunc(func(ctx context.Context) ([]agent.Tool, error) { return nil, errors.New("gone") })
	res, err := first.With(agent.From(gone), agent.WithMaxTime(time.Millisecond)).Resume(t.Context(), "run_1")
	if err != nil || res.Text != "Done." {
		t.Errorf("%+v, %v", res, err)
	}
}

type sourceFunc func(context.Context) ([]agent.Tool, error)

func (f sourceFunc) Tools(ctx context.Context) ([]agent.Tool, error) { return f(ctx) }

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

// What is cut out of the middle leaves whole characters.
func TestCutsWholeCharacters(t *testing.T) {
	for most := 2; most < 60; most++ {
		run := func(context.Context, json.RawMessage) (agent.Output, error) {
			return agent.Output{Data: json.RawMessage(`"` + strings.Repeat("ä€😀", 20) + `"`)}, nil
		}
		a := agent.New(&script{answers: []any{calls("cut", `{}`), "Done."}}, agent.Tools(agent.Tool{Name: "cut", Run: run}), agent.WithMaxOutput(most), agent.WithCutOutput())
		res, err := a.Run(t.Context(), callwright.UserText("Go."))
		if err != nil || strings.Contains(results(res.Messages)[0], "\ufffd") {
			t.Fatalf("%d: %v, %q", most, err, results(res.Messages))
		}
	}
}
