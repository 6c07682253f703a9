package agent_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
)

// Each setting of answers and models changes the requests or the outcome of a run, with a plain model and behind a client of every
// policy.
func TestSettingsWorkBehindClients(t *testing.T) {
	look := calls("weather", `{"city":"Oslo"}`)
	unread := calls("weather", `{"days":2}`)
	down := callwright.Errorf("provider.send", callwright.KindServer, "", "the engine broke")
	enforced := agent.WithMode(agent.ModeEnforced)
	next := func() callwright.Model { return &script{name: "lab/next", answers: []any{look, "Clear."}} }
	for name, c := range map[string]struct {
		caps    caps.Caps
		answers []any
		before  []agent.Option // without the setting
		setting func() agent.Option
	}{
		"fix_empty_final":               {answers: []any{look, ""}, setting: option(agent.WithEmptyFinal(agent.EmptyFinal{Off: true}))},
		"fix_empty_final_user_text":     {answers: []any{look, ""}, setting: option(agent.WithEmptyFinal(agent.EmptyFinal{Text: "Well?"}))},
		"fix_empty_final_disable_tools": {answers: []any{look, ""}, setting: option(agent.WithEmptyFinal(agent.EmptyFinal{KeepTools: true}))},
		"ask_about_claims":              {answers: []any{"I have sent the email to Ann.", "I did not."}, setting: option(agent.WithClaimQuestion())},
		"tool_use_mode":                 {answers: []any{"Clear, I guess."}, setting: option(enforced)},
		"an unreliable model":           {caps: caps.Caps{ToolCallReliable: caps.No}, answers: []any{look, "Clear."}, setting: option(enforced)},
		"allow_unreliable":              {caps: caps.Caps{ToolCallReliable: caps.No}, answers: []any{look, "Clear."}, before: []agent.Option{enforced}, setting: option(agent.WithUnreliable())},
		"next_models":                   {answers: []any{unread, unread, unread, unread, "I cannot."}, setting: func() agent.Option { return agent.WithStrongerModels(0, next()) }},
		"next_model_after":              {answers: []any{unread, unread, unread, unread, "I cannot."}, before: []agent.Option{agent.WithStrongerModels(9, next())}, setting: func() agent.Option { return agent.WithStrongerModels(2, next()) }},
		"move_to_next_model":            {answers: []any{unread}, before: []agent.Option{agent.WithStrongerModels(0, next()), agent.WithMaxSteps(9)}, setting: option(agent.WithModelSwitch())},
		"fallback_retry_count":          {answers: []any{down}, setting: option(agent.WithFallbackRetries(1))},
		"tool_failure_policy":           {answers: []any{look, []callwright.Part{callwright.Call{ID: "c9", Name: "broken", Arguments: []byte("{}")}}, "Clear."}, setting: option(agent.WithFailures(agent.FailuresTold))},
		"tool_choice":                   {answers: []any{look, "Clear."}, setting: option(agent.WithChoice(callwright.Choice{Mode: callwright.ChoiceRequired}))},
		"max_steps":                     {answers: []any{look}, before: []agent.Option{agent.WithMaxSteps(3)}, setting: option(agent.WithMaxSteps(1))},
		"verifier":                      {answers: []any{"Clear.", `{"ok":true}`}, setting: option(agent.WithVerifier(agent.Verifier{When: agent.VerifyAlways}))},
	} {
		for client, around := range clients() {
			t.Run(name+"/"+client, func(t *testing.T) {
				run := func(opts ...agent.Option) string {
					m := &script{name: "lab/m", answers: c.answers, caps: c.caps}
					broken := agent.Func("broken", "Fails.", func(context.Context, struct{}) (string, error) { return "", fmt.Errorf("out of order") })
					a := agent.New(around(m), append([]agent.Option{agent.Tools(weather(new([]string)), broken)}, opts...)...)
					res, err := a.Run(t.Context(), callwright.UserText("How is it in Oslo?"))
					out := fmt.Sprintln(err)
					if res != nil {
						out += fmt.Sprintln(res.Text, res.Stop, res.Suggested)
					}
					for _, req := range m.asked {
						out += fmt.Sprintln(req.Messages[len(req.Messages)-1].Parts, len(req.Tools), req.Params.Choice)
					}
					return out
				}
				without := run(c.before...)
				if with := run(append(c.before, c.setting())...); with == without {
					t.Errorf("the setting changes nothing:\n%s", with)
				}
			})
		}
	}
}

func option(o agent.Option) func() agent.Option { return func() agent.Option { return o } }

// clients are models around a model: itself, and a client of every policy.
func clients() map[string]func(m callwright.Model) callwright.Model {
	out := map[string]func(m callwright.Model) callwright.Model{"no client": func(m callwright.Model) callwright.Model { return m }}
	for _, p := range []callwright.Policy{callwright.PolicyHeal, callwright.PolicyHealHeuristic, callwright.PolicyObserve, callwright.PolicyStrict, callwright.PolicyOff} {
		out[string(p)] = func(m callwright.Model) callwright.Model { return reliable.New(m, reliable.WithPolicy(p)) }
	}
	return out
}

// A verdict needs no more than ok, whatever client the model that gives it is behind: nobody is asked twice for one.
func TestShortVerdicts(t *testing.T) {
	for client, around := range clients() {
		for _, verdict := range []string{`{"ok":true}`, `{"ok":true,"wrong":null}`, `{"ok":true,"wrong":""}`} {
			m := &script{name: "lab/m", answers: []any{"Clear.", verdict}}
			res, err := agent.New(around(m), agent.WithVerifier(agent.Verifier{When: agent.VerifyAlways})).Run(t.Context(), callwright.UserText("How is it in Oslo?"))
			if err != nil || res.Text != "Clear." || len(m.asked) != 2 {
				t.Errorf("%s: %s: %+v, %v after %d requests", client, verdict, res, err, len(m.asked))
			}
		}
	}
}

// A model that takes no tools may be needed for a call where a client conveys them in words.
func TestEnforcedWithoutNativeTools(t *testing.T) {
	m := &script{name: "lab/m", caps: caps.Caps{Tools: caps.No}, answers: []any{"<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>", "Clear."}}
	var called []string
	res, err := agent.New(reliable.New(m), agent.Tools(weather(&called)), agent.WithMode(agent.ModeEnforced)).Run(t.Context(), callwright.UserText("How is it in Oslo?"))
	if err != nil || res.Text != "Clear." || len(called) != 1 {
		t.Errorf("%+v, %v, called %v", res, err, called)
	}
}
