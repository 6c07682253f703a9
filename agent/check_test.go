package agent_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// The same options give the same errors whichever way they are wrong.
func TestBadOptions(t *testing.T) {
	m := &script{answers: []any{"x"}}
	for want, a := range map[string]*agent.Agent{
		"agent.options: expected a model, got nil":                                                                           agent.New(nil),
		`agent.options: unknown tool use mode "hard": expected enforced, relaxed or disabled`:                                agent.New(m, agent.WithMode("hard")),
		`agent.options: unknown failure policy "no": expected fatal or tolerated`:                                            agent.New(m, agent.WithFailures("no")),
		`agent.options: "[" is no pattern for names of tools`:                                                                agent.New(m, agent.WithAllowed("[")),
		`agent.options: "[a" is no pattern for names of tools`:                                                               agent.New(m, agent.WithApprovals(agent.ApprovalRule{Pattern: "[a", Approval: agent.ApproveNever})),
		`agent.options: unknown approval "maybe": expected never, once or always`:                                            agent.New(m, agent.WithApprovals(agent.ApprovalRule{Pattern: "*", Approval: "maybe"})),
		"agent.options: expected limits of at least 1 byte, got 0 and 200000":                                                agent.New(m, agent.WithMaxArguments(0)),
		"agent.options: expected 0 or more retries, tokens, time and cost, and a timeout above 0, got 0, -1, 0s, 0 and 2m0s": agent.New(m, agent.WithMaxTokens(-1)),
		"agent.options: the mode enforced needs a call, and the choice none forbids it":                                      agent.New(m, agent.WithMode(agent.ModeEnforced), agent.WithChoice(callwright.Choice{Mode: callwright.ChoiceNone})),
		"agent.options: expected a verifier with a Check, got nil":                                                           agent.New(m, agent.WithVerifier(agent.Verifier{When: agent.VerifyAuto})),
		`agent.options: two tools have the name "weather"`:                                                                   agent.New(m, agent.Tools(weather(new([]string)), weather(new([]string)))),
		"agent.run: expected at least one message":                                                                           agent.New(m),
	} {
		if _, err := a.Run(t.Context()); err == nil || err.Error() != want || callwright.KindOf(err) != callwright.KindInvalid {
			t.Errorf("got %v, expected %q", err, want)
		}
	}
}
