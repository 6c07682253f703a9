package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// A function of the program that panics is an error, and the run goes on where the journal ends as soon as the function does its work.
func TestPanics(t *testing.T) {
	drop := tool("drop", func(context.Context) (string, error) { return "gone", nil })
	drop.Approval = agent.ApproveAlways
	look := tool("look", func(context.Context) (string, error) { return "seen", nil })
	price := func(cost func() float64) agent.Option {
		return agent.WithMaxCost(1, func(callwright.Usage) float64 { return cost() })
	}
	for name, c := range map[string]struct {
		broken, mended agent.Option
		says           string
		begun          bool
	}{
		"a source":     {agent.From(sourceFunc(func(context.Context) ([]agent.Tool, error) { panic("oh") })), agent.From(given{look}), "a source of tools panicked: oh", false},
		"an id":        {agent.WithRunID(func() agent.RunID { panic("oh") }), fixed("run_1"), "the function of WithRunID panicked: oh", false},
		"a request":    {agent.WithRequest(func(*callwright.Request) { panic("oh") }), agent.WithRequest(func(*callwright.Request) {}), "a function of WithRequest panicked: oh", true},
		"an approver":  {agent.WithApprover(func(context.Context, agent.Question) (agent.Decision, error) { panic("oh") }), decides(agent.Yes), "the approver panicked: oh", true},
		"a cost":       {price(func() float64 { panic("oh") }), price(func() float64 { return 0 }), "the function of WithMaxCost panicked: oh", true},
		"no cost":      {price(math.NaN), price(func() float64 { return 0 }), "expected a cost from the function of WithMaxCost, got NaN", true},
		"a nil panic":  {price(func() float64 { panic(error(nil)) }), price(func() float64 { return 0 }), "the function of WithMaxCost panicked: ", true},
		"the verifier": {verifies(func() string { panic("oh") }), verifies(func() string { return "" }), "the verifier panicked: oh", true},
	} {
		for _, way := range []string{"whole", "streamed"} {
			t.Run(name+"/"+way, func(t *testing.T) {
				m := &rounds{script{answers: []any{calls("drop", `{}`), "Done."}}}
				opts := []agent.Option{agent.Tools(drop), agent.WithJournal(agent.NewMemory()), fixed("run_1"), decides(agent.Yes)}
				broken := agent.New(m, append(opts, c.broken)...)
				var err error
				if way == "whole" {
					_, err = broken.Run(t.Context(), callwright.UserText("Go."))
				} else {
					for _, err = range broken.Stream(t.Context(), callwright.UserText("Go.")) {
					}
				}
				if err == nil || !strings.Contains(err.Error(), c.says) || callwright.KindOf(err) != callwright.KindInternal {
					t.Fatalf("got %v", err)
				}
				mended := agent.New(m, append(opts, c.mended)...)
				res, err := mended.Resume(t.Context(), "run_1")
				if !c.begun {
					if callwright.KindOf(err) != callwright.KindNotFound {
						t.Fatalf("a run that has not begun: %v", err)
					}
					res, err = mended.Run(t.Context(), callwright.UserText("Go."))
				}
				if err != nil || res.Text != "Done." || strings.Join(results(res.Messages), " ") != `"gone"` {
					t.Errorf("%+v, %v", res, err)
				}
			})
		}
	}
}

// verifies looks at every answer.
func verifies(check func() string) agent.Option {
	return agent.WithVerifier(agent.Verifier{When: agent.VerifyAlways, Check: func(context.Context, *callwright.Response, []callwright.Message) (string, error) {
		return check(), nil
	}})
}

// Where a tool's own rule panics a person is asked, and a rule that writes to the arguments changes nothing.
func TestApproveIfThatFails(t *testing.T) {
	for name, rule := range map[string]func(json.RawMessage) bool{
		"panics": func(json.RawMessage) bool { panic("oh") },
		"writes": func(arguments json.RawMessage) bool { clear(arguments); return true },
	} {
		got := ""
		drop := agent.Tool{Name: "drop", Approval: agent.ApproveAlways, ApproveIf: rule, Schema: json.RawMessage(`{}`), Run: func(_ context.Context, arguments json.RawMessage) (agent.Output, error) {
			got = string(arguments)
			return agent.Output{}, nil
		}}
		a := agent.New(&script{answers: []any{calls("drop", `{"n":1}`), "Done."}}, agent.Tools(drop))
		res, err := a.Run(t.Context(), callwright.UserText("Go."))
		if err != nil || res.Stop != agent.StopParked || name == "panics" && !strings.Contains(res.Waiting[0].Why, "ApproveIf panicked: oh") {
			t.Fatalf("%s: %+v, %v", name, res, err)
		}
		if res, err = a.Resume(t.Context(), res.ID, agent.Answer{Decision: agent.Yes}); err != nil || res.Text != "Done." || got != `{"n":1}` {
			t.Errorf("%s: %+v, %v with %s", name, res, err, got)
		}
	}
}

// A panic of whoever takes the events is theirs.
func TestPanicOfTheListener(t *testing.T) {
	oh := errors.New("oh")
	defer func() {
		if p := recover(); p != oh {
			t.Errorf("got %v", p)
		}
	}()
	for ev := range agent.New(&script{answers: []any{"Done."}}).Stream(t.Context(), callwright.UserText("Go.")) {
		if ev.Kind == agent.EventText {
			panic(oh)
		}
	}
}
