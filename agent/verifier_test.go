package agent_test

import (
	"context"
	"testing"

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
