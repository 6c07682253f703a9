package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

// A model that looks at answers is shown the conversation as text, its verdict is told to the model of the run, and what it costs is counted. A
// run that ends between the verdict and what follows from it does not ask for it again.
func TestVerifierModel(t *testing.T) {
	const fine, wrong = `{"ok":true,"wrong":""}`, `{"ok":false,"wrong":"You did not say where."}`
	look := calls("weather", `{"city":"Oslo"}`)
	for name, c := range map[string]struct {
		answers, verdicts []any
		text              string
		told              string // what the model of the run was told
		err               string
		requests          int
	}{
		"a good answer":       {[]any{look, "Clear."}, []any{fine}, "Clear.", "", "", 3},
		"a wrong one":         {[]any{look, "Clear.", "Clear in Oslo."}, []any{wrong, fine}, "Clear in Oslo.", "You did not say where.", "", 5},
		"always wrong":        {[]any{look, "Clear."}, []any{wrong}, "Clear.", "You did not say where.", "", 6},
		"wrong without a why": {[]any{look, "Clear.", "Clear in Oslo."}, []any{`{"ok":false,"wrong":" "}`, fine}, "Clear in Oslo.", "The answer is not right, or not complete.", "", 5},
		"nothing but ok":      {[]any{look, "Clear."}, []any{`{"ok":true}`}, "Clear.", "", "", 3},
		"wrong is null":       {[]any{look, "Clear."}, []any{`{"ok":true,"wrong":null}`}, "Clear.", "", "", 3},
		"a further member":    {[]any{look, "Clear."}, []any{`{"ok":true,"why":"It is what the tool said."}`}, "Clear.", "", "", 3},
		"not ok, and no more": {[]any{look, "Clear.", "Clear in Oslo."}, []any{`{"ok":false}`, fine}, "Clear in Oslo.", "The answer is not right, or not complete.", "", 5},
		"a mended verdict":    {[]any{look, "Clear."}, []any{"```json\n{ok: true, wrong: ''}\n```"}, "Clear.", "", "", 3},
		"no verdict":          {[]any{look, "Clear."}, []any{"It is fine."}, "", "", "agent.verify: the verifier returned no verdict: ", 2},
		"half a verdict":      {[]any{look, "Clear."}, []any{`{"ok":"yes","wrong":""}`}, "", "", "agent.verify: /ok: the verifier returned no verdict: ", 2},
		"a model that fails":  {[]any{look, "Clear."}, []any{callwright.Errorf("x", callwright.KindUnavailable, "", "down")}, "", "", "x: down", 2},
	} {
		for cut := range 16 { // 0: never
			m, second := &placed{script{answers: c.answers}}, &judging{script{answers: c.verdicts}}
			j := agent.NewMemory()
			with := func(j agent.Journal) *agent.Agent {
				price := agent.WithMaxCost(0, func(u callwright.Usage) float64 { return float64(u.Input) })
				look := weather(new([]string))
				look.Effects = agent.EffectsNone
				return agent.New(m, agent.Tools(look), agent.WithJournal(j), fixed("run_1"), price,
					agent.WithVerifier(agent.Verifier{When: agent.VerifyAlways, Model: second}))
			}
			var res *agent.Result
			var err error
			if cut == 0 {
				res, err = with(j).Run(t.Context(), callwright.UserText("How is the weather?"))
			} else if _, err = with(&cutting{j, cut}).Run(t.Context(), callwright.UserText("How is the weather?")); errors.Is(err, errCut) {
				res, err = with(j).Resume(t.Context(), "run_1")
			} else {
				break // the whole run has fewer entries
			}
			if c.err != "" {
				if err == nil || !strings.HasPrefix(err.Error(), c.err) {
					t.Errorf("%s, cut at %d: %v", name, cut, err)
				}
				continue
			}
			// A verdict that was given and not kept is asked for again: the process ended before it was.
			if err != nil || res.Text != c.text || res.Usage.Requests != c.requests || res.Usage.Cost != float64(10*c.requests) {
				t.Errorf("%s, cut at %d: %+v, %v after %d verdicts", name, cut, res, err, len(second.asked))
			}
			if told := strings.Contains(conversationText(res.Messages), "[user] "+c.told+"\n"); c.told != "" && !told {
				t.Errorf("%s: the model was not told %q", name, c.told)
			}
			for _, want := range []string{"[user] How is the weather?", `[call of weather] {"city":"Oslo"}`, `"sky":"clear"`, "[assistant] Clear."} {
				if got := second.asked[0].Messages[1].Parts[0].(callwright.Text).Text; !strings.Contains(got, want) || len(second.asked[0].Tools) > 0 {
					t.Errorf("%s: %q is not in %q", name, want, got)
				}
			}
		}
	}
}

// A judging model gives its verdicts by how often the conversation has an answer.
type judging struct{ script }

func (j *judging) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	j.asked = append(j.asked, req)
	n := strings.Count(req.Messages[1].Parts[0].(callwright.Text).Text, "[assistant]")
	return (&script{answers: j.answers[min(n-1, len(j.answers)-1):]}).Generate(ctx, req)
}

// conversationText are the texts of a conversation, a line each.
func conversationText(msgs []callwright.Message) string {
	var b strings.Builder
	for _, m := range msgs {
		fmt.Fprintf(&b, "[%s] %s\n", m.Role, callwright.TextOf(m.Parts))
	}
	return b.String()
}

// Without a model of its own the verifier is that of the run.
func TestVerifierOfTheRun(t *testing.T) {
	m := &script{answers: []any{"Clear.", `{"ok":true,"wrong":""}`}}
	res, err := agent.New(m, agent.WithVerifier(agent.Verifier{When: agent.VerifyAlways})).Run(t.Context(), callwright.UserText("How is the weather?"))
	if err != nil || res.Text != "Clear." || res.Steps != 1 || len(m.asked) != 2 {
		t.Errorf("%+v, %v", res, err)
	}
}

// From its threshold on the confidence of an answer is enough.
func TestVerifierThreshold(t *testing.T) {
	for _, c := range []struct {
		above, confidence float64
		looks             bool
	}{{0, 0.89, true}, {0, 0.9, false}, {0.5, 0.49, true}, {0.5, 0.5, false}, {1, 0.99, true}, {1, 1, false}} {
		looked := false
		m := &script{answers: []any{callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "x"}}, Confidence: c.confidence}}}
		_, err := agent.New(m, agent.WithVerifier(agent.Verifier{When: agent.VerifyAuto, Above: c.above, Check: func(context.Context, *callwright.Response, []callwright.Message) (string, error) {
			looked = true
			return "", nil
		}})).Run(t.Context(), callwright.UserText("Go."))
		if err != nil || looked != c.looks {
			t.Errorf("%+v: %t, %v", c, looked, err)
		}
	}
}
