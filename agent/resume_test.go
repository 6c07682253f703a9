package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// fixed gives every run the same id.
func fixed(id agent.RunID) agent.Option { return agent.WithRunID(func() agent.RunID { return id }) }

// cutting is a journal that fails after so many entries: the process ended there.
type cutting struct {
	agent.Journal
	left int
}

var errCut = errors.New("the process has ended")

func (j *cutting) Append(ctx context.Context, run agent.RunID, prev uint64, s agent.Entry) (uint64, error) {
	if j.left--; j.left < 0 {
		return 0, errCut
	}
	return j.Journal.Append(ctx, run, prev, s)
}

// A run that ends at any entry of its journal goes on from there, as often as that happens: no call that has ended is made again, one that had started only
// where its effects allow it, and the answer is that of a run that was never broken off.
func TestResumeAfterEveryEntry(t *testing.T) {
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
				t.Errorf("a whole run of %d entries has %d interrupted calls", cut, interrupted)
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

// A run that has ended is not ended once more, whatever has become of its sources and of its time.
func TestEndedStaysEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := agent.WithRequest(func(*callwright.Request) { time.Sleep(time.Minute) })
		first := agent.New(&script{answers: []any{"Done."}}, agent.WithJournal(agent.NewMemory()), fixed("run_1"), slow)
		if _, err := first.Run(t.Context(), callwright.UserText("Go.")); err != nil {
			t.Fatal(err)
		}
		gone := sourceFunc(func(ctx context.Context) ([]agent.Tool, error) { return nil, errors.New("gone") })
		res, err := first.With(agent.From(gone), agent.WithMaxTime(time.Second)).Resume(t.Context(), "run_1")
		if err != nil || res.Text != "Done." {
			t.Errorf("%+v, %v", res, err)
		}
	})
}
