package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// An answer that the verifier finds wrong is asked for again, at most twice, unless its confidence is high enough.
func TestVerifier(t *testing.T) {
	sure := callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "Sure."}}, Confidence: 0.95}
	unsure := callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "Perhaps."}}, Confidence: 0.5}
	for name, c := range map[string]struct {
		when    agent.VerifyWhen
		answers []any
		text    string
		looked  int
	}{
		"never":             {agent.VerifyNever, []any{unsure}, "Perhaps.", 0},
		"a sure answer":     {agent.VerifyAuto, []any{sure}, "Sure.", 0},
		"an unsure answer":  {agent.VerifyAuto, []any{unsure, sure}, "Sure.", 1},
		"always":            {agent.VerifyAlways, []any{unsure, sure}, "Sure.", 2},
		"never good enough": {agent.VerifyAlways, []any{unsure}, "Perhaps.", 2},
	} {
		looked := 0
		a := agent.New(&script{answers: c.answers}, agent.WithVerifier(agent.Verifier{When: c.when, Check: func(_ context.Context, answer *callwright.Response, _ []callwright.Message) (string, error) {
			if looked++; answer.Text() == "Perhaps." {
				return "Be sure.", nil
			}
			return "", nil
		}}))
		res, err := a.Run(t.Context(), callwright.UserText("Are you sure?"))
		if err != nil || res.Text != c.text || looked != c.looked {
			t.Errorf("%s: %+v, %v after %d looks", name, res, err, looked)
		}
	}
}

// Where a model keeps making calls that cannot be run, the next one of the ladder is named, or asked.
func TestLadder(t *testing.T) {
	bad := calls("wether", `{}`)
	var called []string
	next := &script{name: "lab/next", answers: []any{calls("weather", `{"city":"Oslo"}`), "Clear."}}
	first := &script{name: "lab/first", answers: []any{bad, bad, bad, "I give up."}}
	res, err := agent.New(first, agent.Tools(weather(&called)), agent.WithLadder(0, next)).Run(t.Context(), callwright.UserText("Weather?"))
	if err != nil || res.Suggested != "lab/next" || res.Text != "I give up." {
		t.Errorf("%+v, %v", res, err)
	}
	first.asked = nil
	res, err = agent.New(first, agent.Tools(weather(&called)), agent.WithLadder(2, next), agent.WithMove()).Run(t.Context(), callwright.UserText("Weather?"))
	if err != nil || res.Text != "Clear." || len(first.asked) != 2 || res.Suggested != "" || !slices.Equal(called, []string{"Oslo"}) {
		t.Errorf("%+v, %v, %d requests to the first, called %v", res, err, len(first.asked), called)
	}
}

// An answer is of the type that was asked for, mended where it is not quite JSON, and asked for again where it is something else.
func TestAs(t *testing.T) {
	type forecast struct {
		City string `json:"city"`
		Days int    `json:"days"`
	}
	want := forecast{"Oslo", 3}
	for name, c := range map[string]struct {
		answers []any
		asked   int
		err     string
	}{
		"at once":       {[]any{`{"city":"Oslo","days":3}`}, 1, ""},
		"mended":        {[]any{"```json\n{'city': 'Oslo', days: 3,}\n```"}, 1, ""},
		"asked again":   {[]any{`{"city":"Oslo","days":"three"}`, "Oslo", `{"city":"Oslo","days":3}`}, 3, ""},
		"never":         {[]any{"Oslo"}, 3, "agent.as: the answer does not satisfy the schema"},
		"after a step":  {[]any{calls("weather", `{"city":"Oslo"}`), `{"city":"Oslo","days":3}`}, 2, ""},
		"a lost member": {[]any{`{"city":"Oslo"}`, `{"city":"Oslo","days":3}`}, 2, ""},
	} {
		m := &script{answers: c.answers}
		got, res, err := agent.As[forecast](t.Context(), agent.New(m, agent.Tools(weather(new([]string)))), callwright.UserText("How is it?"))
		if err != nil || c.err != "" {
			if err == nil || c.err == "" || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%s: %v", name, err)
			}
		} else if got != want {
			t.Errorf("%s: got %+v, %+v", name, got, res)
		}
		if len(m.asked) != c.asked || m.asked[0].Params.Format == nil {
			t.Errorf("%s: asked %d times", name, len(m.asked))
		}
	}
}

// growing is a source that has one tool more each time it is asked.
type growing struct{ n int }

func (g *growing) Tools(context.Context) ([]agent.Tool, error) {
	var out []agent.Tool
	for i := range g.n {
		out = append(out, tool("t"+string(rune('a'+i)), func(context.Context) (string, error) { return "ok", nil }))
	}
	g.n++
	return out, nil
}

// Tools that come while a run goes on are offered in its next step, behind those that were there.
func TestSourcesMayGrow(t *testing.T) {
	m := &script{answers: []any{calls("ta", `{}`), calls("tb", `{}`), "Done."}}
	if _, err := agent.New(m, agent.From(&growing{n: 1})).Run(t.Context(), callwright.UserText("Go.")); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(m.asked); i++ {
		before, now := m.asked[i-1].Tools, m.asked[i].Tools
		if len(now) != len(before)+1 || now[0].Name != before[0].Name {
			t.Errorf("request %d has %d tools after %d", i, len(now), len(before))
		}
	}
}

// A tool of a source that cannot be used is left out, and the others stay.
func TestBadToolsOfSources(t *testing.T) {
	good := tool("good", func(context.Context) (string, error) { return "ok", nil })
	bad := good
	bad.Name, bad.Schema = "bad", json.RawMessage(`{"type":"object","properties":{"a":{"type":7}}}`)
	m := &script{answers: []any{calls("good", `{}`, "bad", `{}`), "Done."}}
	notes := 0
	for ev, err := range agent.New(m, agent.From(given{bad, good}), agent.WithParallel(1)).Stream(t.Context(), callwright.UserText("Go.")) {
		if err != nil {
			t.Fatal(err)
		}
		if ev.Note != nil && ev.Note.Rule == "loop.left_out" {
			notes++
		}
		if ev.Final != nil && !slices.Equal(results(ev.Final.Messages), []string{`"ok"`, "NOT_ALLOWED"}) {
			t.Errorf("the model was told %q", results(ev.Final.Messages))
		}
	}
	if notes != 1 || len(m.asked[0].Tools) != 1 {
		t.Errorf("%d notes, %d tools", notes, len(m.asked[0].Tools))
	}
}

// given is a source of the same tools.
type given []agent.Tool

func (g given) Tools(context.Context) ([]agent.Tool, error) { return g, nil }

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
