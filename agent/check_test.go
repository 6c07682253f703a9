package agent_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// The same options give the same errors whichever way they are wrong.
func TestBadOptions(t *testing.T) {
	m := &script{answers: []any{"x"}}
	for want, a := range map[string]*agent.Agent{
		"agent.options: expected a model, got nil":                                                               agent.New(nil),
		`agent.options: /tool_use_mode: unknown tool use mode "hard": expected enforced, relaxed or disabled`:    agent.New(m, agent.WithMode("hard")),
		`agent.options: /tool_failure_policy: unknown failure policy "no": expected fatal, tolerated or told`:    agent.New(m, agent.WithFailures("no")),
		`agent.options: /tool_allowlist: "[" is no pattern for names of tools`:                                   agent.New(m, agent.WithAllowed("[")),
		`agent.options: /approve: "[a" is no pattern for names of tools`:                                         agent.New(m, agent.WithApprovalRules(agent.ApprovalRule{Pattern: "[a", Approval: agent.ApproveNever})),
		`agent.options: /approve: unknown approval "maybe": expected never, once or always`:                      agent.New(m, agent.WithApprovalRules(agent.ApprovalRule{Pattern: "*", Approval: "maybe"})),
		"agent.options: /max_tool_args_bytes: expected a number of bytes from 1, got 0":                          agent.New(m, agent.WithMaxArguments(0)),
		"agent.options: /max_tokens: expected a number from 0, got -1":                                           agent.New(m, agent.WithMaxTokens(-1)),
		"agent.options: /tool_choice: the mode enforced requires a call, but the tool choice none forbids calls": agent.New(m, agent.WithMode(agent.ModeEnforced), agent.WithChoice(callwright.Choice{Mode: callwright.ChoiceNone})),
		`agent.options: /tools: two tools have the name "weather"`:                                               agent.New(m, agent.Tools(weather(new([]string)), weather(new([]string)))),
		"agent.options: /max_steps: expected a number from 0, got -1":                                            agent.New(m, agent.WithMaxSteps(-1)),
		"agent.options: /parallel: expected a number from 1, got 0":                                              agent.New(m, agent.WithParallel(0)),
		"agent.options: /max_tool_output_bytes: expected a number of bytes from 1, got -7":                       agent.New(m, agent.WithMaxOutput(-7)),
		"agent.options: /fallback_retry_count: expected a number from 0, got -1":                                 agent.New(m, agent.WithFallbackRetries(-1)),
		"agent.options: /max_time: expected a time from 0, got -1s":                                              agent.New(m, agent.WithMaxTime(-time.Second)),
		"agent.options: /max_cost: expected a number from 0, got NaN":                                            agent.New(m, agent.WithMaxCost(math.NaN(), nil)),
		"agent.options: /max_cost: expected a number from 0, got +Inf":                                           agent.New(m, agent.WithMaxCost(math.Inf(1), nil)),
		"agent.options: /tool_timeout: expected a time above 0, got 0s":                                          agent.New(m, agent.WithToolTimeout(0)),
		"agent.options: /next_model_after: expected a number from 1, got -1":                                     agent.New(m, agent.WithStrongerModels(-1)),
		"agent.options: /verifier_confidence: expected a number from 0 to 1, got 1.5":                            agent.New(m, agent.WithVerifier(agent.Verifier{Above: 1.5})),
		`agent.options: /verifier: unknown verifier setting "often": expected never, auto or always`:             agent.New(m, agent.WithVerifier(agent.Verifier{When: "often"})),
		"agent.run: expected at least one message":                                                               agent.New(m),
	} {
		if _, err := a.Run(t.Context()); err == nil || err.Error() != want || callwright.KindOf(err) != callwright.KindInvalid {
			t.Errorf("got %v, expected %q", err, want)
		}
	}
}

// A call that is asked for and cannot be made is an error before anything is kept or asked.
func TestNothingToCall(t *testing.T) {
	look := tool("look_up", func(context.Context) (string, error) { return "", nil })
	named := func(name string) agent.Option {
		return agent.WithChoice(callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{name}})
	}
	enforced := agent.WithMode(agent.ModeEnforced)
	for name, c := range map[string]struct {
		opts []agent.Option
		want string
	}{
		"enforced, and no tool":         {[]agent.Option{enforced}, "agent.options: /tool_use_mode: the mode enforced requires a call, but no tool is offered"},
		"enforced, and none of sources": {[]agent.Option{enforced, agent.From(given{})}, "agent.options: /tool_use_mode: the mode enforced requires a call, but no tool is offered"},
		"enforced, and none allowed":    {[]agent.Option{enforced, agent.Tools(look), agent.WithDenied("*")}, "agent.options: /tool_use_mode: the mode enforced requires a call, but no tool is offered: none of the 1 tools may be offered"},
		"enforced, and a bad one":       {[]agent.Option{enforced, agent.From(given{{Name: "no function"}})}, "agent.options: /tool_use_mode: the mode enforced requires a call, but no tool is offered: none of the 1 tools may be offered"},
		"a misspelt choice":             {[]agent.Option{named("lookup2"), agent.Tools(look)}, `agent.options: /tool_choice: no tool "lookup2" is offered: did you mean look_up?`},
		"a choice of nothing like it":   {[]agent.Option{named("telepathy"), agent.Tools(look)}, `agent.options: /tool_choice: no tool "telepathy" is offered`},
		"a choice that is denied":       {[]agent.Option{named("look_up"), agent.Tools(look), agent.WithDenied("look*")}, `agent.options: /tool_choice: no tool "look_up" is offered`},
		"a choice for persons":          {[]agent.Option{named("facts_commit"), agent.Tools(look, personTool(t))}, `agent.options: /tool_choice: no tool "facts_commit" is offered`},
		"disabled":                      {[]agent.Option{named("look_up"), agent.WithMode(agent.ModeDisabled)}, ""},
		"relaxed":                       {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m, j := &script{answers: []any{"Done."}}, agent.NewMemory()
			res, err := agent.New(m, append(c.opts, agent.WithJournal(j))...).Run(t.Context(), callwright.UserText("Go."))
			runs, _ := j.Runs(t.Context())
			if got := errorText(err); got != c.want || c.want != "" && (res != nil || len(m.asked)+len(runs) > 0 || callwright.KindOf(err) != callwright.KindInvalid) {
				t.Errorf("%v after %d requests; %d runs are kept", err, len(m.asked), len(runs))
			}
		})
	}
}
