package agent_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

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

type sourceFunc func(context.Context) ([]agent.Tool, error)

func (f sourceFunc) Tools(ctx context.Context) ([]agent.Tool, error) { return f(ctx) }

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

// given is a source of the same tools.
type given []agent.Tool

func (g given) Tools(context.Context) ([]agent.Tool, error) { return g, nil }
