package agent

import (
	"math"
	"path"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// check reports what is wrong with an agent's options.
func (a *Agent) check() error {
	bad := func(format string, args ...any) error {
		return callwright.Errorf("agent.options", callwright.KindInvalid, "", format, args...)
	}
	if a.model == nil {
		return bad("expected a model, got nil")
	}
	seen, alone := map[string]bool{}, withheldOf(a.o.tools)
	for _, t := range a.o.tools {
		if err := CheckTool(t); err != nil {
			return err
		}
		if seen[t.Name] {
			return bad("two tools have the name %q", t.Name)
		}
		if name := alone.alike(t.Name); name != "" && !t.PersonOnly {
			return alikeError(t.Name, name)
		}
		seen[t.Name] = true
	}
	patterns := slices.Concat(a.o.allow, a.o.deny)
	for _, rule := range a.o.approvals {
		if !rule.Approval.known() {
			return bad("unknown approval %q: expected never, once or always", callwright.Excerpt(string(rule.Approval)))
		}
		patterns = append(patterns, rule.Pattern)
	}
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil {
			return bad("%q is no pattern for names of tools", callwright.Excerpt(p))
		}
	}
	switch o := &a.o; {
	case o.mode != "" && o.mode != ModeRelaxed && o.mode != ModeEnforced && o.mode != ModeDisabled:
		return bad("unknown tool use mode %q: expected enforced, relaxed or disabled", callwright.Excerpt(string(o.mode)))
	case o.failures != "" && o.failures != FailuresFatal && o.failures != FailuresTolerated:
		return bad("unknown failure policy %q: expected fatal or tolerated", callwright.Excerpt(string(o.failures)))
	case o.maxArguments < 1, o.maxOutput < 1:
		return bad("expected limits of at least 1 byte, got %d and %d", o.maxArguments, o.maxOutput)
	case o.fallbackRetries < 0, o.maxTokens < 0, o.maxTime < 0, o.maxCost < 0, math.IsNaN(o.maxCost), o.timeout <= 0:
		return bad("expected 0 or more retries, tokens, time and cost, and a timeout above 0, got %d, %d, %s, %g and %s", o.fallbackRetries, o.maxTokens, o.maxTime, o.maxCost, o.timeout)
	case o.mode == ModeEnforced && o.choice.Mode == callwright.ChoiceNone:
		return bad("the mode enforced needs a call, and the choice none forbids it")
	case o.verifier.When != "" && o.verifier.When != VerifyNever && o.verifier.When != VerifyAuto && o.verifier.When != VerifyAlways:
		return bad("unknown time %q of the verifier: expected never, auto or always", callwright.Excerpt(string(o.verifier.When)))
	case o.verifier.When != "" && o.verifier.When != VerifyNever && o.verifier.Check == nil:
		return bad("expected a verifier with a Check, got nil")
	}
	return nil
}

// unreliable reports whether a model is known to make calls badly.
func unreliable(c caps.Caps) bool { return c.ToolCallReliable == caps.No || c.Tools == caps.No }
