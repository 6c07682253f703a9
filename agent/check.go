package agent

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// badOption returns the KindInvalid error of an invalid option. at is the JSON pointer of the option's key in a
// configuration file, such as "/tool_use_mode"; it becomes Error.Path.
func badOption(at, format string, args ...any) error {
	return callwright.Errorf("agent.options", callwright.KindInvalid, at, format, args...)
}

// check returns the first fault of the agent's options, nil if they are valid.
func (a *Agent) check() error {
	if a.model == nil {
		return badOption("", "expected a model, got nil")
	}
	return cmp.Or(a.checkTools(), a.checkPatterns(), a.checkWords(), a.checkBounds())
}

// checkTools returns an error for a tool that CheckTool rejects, for two tools with equal names, and for a tool with
// the name of a PersonOnly tool in another spelling.
func (a *Agent) checkTools() error {
	seen, alone := map[string]bool{}, withheldOf(a.o.tools)
	for _, t := range a.o.tools {
		if err := CheckTool(t); err != nil {
			return err
		}
		if seen[t.Name] {
			return badOption("/tools", "two tools have the name %q", t.Name)
		}
		if name := alone.alike(t.Name); name != "" && !t.PersonOnly {
			return alikeError(t.Name, name)
		}
		seen[t.Name] = true
	}
	return nil
}

// checkPatterns returns an error for an invalid pattern of tool names and for an unknown approval in an ApprovalRule.
func (a *Agent) checkPatterns() error {
	rules := make([]string, 0, len(a.o.approvals))
	for _, rule := range a.o.approvals {
		if !rule.Approval.isKnown() {
			return badOption("/approve", "unknown approval %q: expected never, once or always", callwright.Excerpt(string(rule.Approval)))
		}
		rules = append(rules, rule.Pattern)
	}
	for _, list := range []struct {
		at       string
		patterns []string
	}{{"/tool_allowlist", a.o.allow}, {"/tool_denylist", a.o.deny}, {"/approve", rules}} {
		for _, p := range list.patterns {
			if _, err := path.Match(p, ""); err != nil {
				return badOption(list.at, "%q is no pattern for names of tools", callwright.Excerpt(p))
			}
		}
	}
	return nil
}

// checkWords returns an error for an unknown value of an option that has a fixed set of values, and for contradicting
// options.
func (a *Agent) checkWords() error {
	switch o := &a.o; {
	case !slices.Contains([]ToolUseMode{"", ModeRelaxed, ModeEnforced, ModeDisabled}, o.mode):
		return badOption("/tool_use_mode", "unknown tool use mode %q: expected enforced, relaxed or disabled", callwright.Excerpt(string(o.mode)))
	case !slices.Contains([]FailurePolicy{"", FailuresFatal, FailuresTolerated, FailuresTold}, o.failures):
		return badOption("/tool_failure_policy", "unknown failure policy %q: expected fatal, tolerated or told",
			callwright.Excerpt(string(o.failures)))
	case !slices.Contains([]VerifyWhen{"", VerifyNever, VerifyAuto, VerifyAlways}, o.verifier.When):
		return badOption("/verifier", "unknown verifier setting %q: expected never, auto or always",
			callwright.Excerpt(string(o.verifier.When)))
	case o.mode == ModeEnforced && o.choice.Mode == callwright.ChoiceNone:
		return badOption("/tool_choice", "the mode enforced requires a call, but the tool choice none forbids calls")
	}
	return nil
}

// checkBounds returns an error for a number outside the range of its option.
func (a *Agent) checkBounds() error {
	o := &a.o
	for _, n := range []struct {
		at    string
		good  bool
		least string
		is    any
	}{
		{"/max_tool_args_bytes", o.maxArguments >= 1, "a number of bytes from 1", o.maxArguments},
		{"/max_tool_output_bytes", o.maxOutput >= 1, "a number of bytes from 1", o.maxOutput},
		{"/fallback_retry_count", o.fallbackRetries >= 0, "a number from 0", o.fallbackRetries},
		{"/max_steps", o.maxSteps >= 0, "a number from 0", o.maxSteps},
		{"/max_tokens", o.maxTokens >= 0, "a number from 0", o.maxTokens},
		{"/max_time", o.maxTime >= 0, "a time from 0", o.maxTime},
		{"/max_cost", o.maxCost >= 0 && !math.IsInf(o.maxCost, 0), "a number from 0", o.maxCost},
		{"/parallel", o.parallel >= 1, "a number from 1", o.parallel},
		{"/tool_timeout", o.timeout > 0, "a time above 0", o.timeout},
		{"/next_model_after", o.failLimit >= 1, "a number from 1", o.failLimit},
		{"/verifier_confidence", o.verifier.Above >= 0 && o.verifier.Above <= 1, "a number from 0 to 1", o.verifier.Above},
	} {
		if !n.good {
			return badOption(n.at, "expected %s, got %s", n.least, fmt.Sprint(n.is))
		}
	}
	return nil
}

// unreliable reports whether the model's capabilities state that it makes tool calls badly.
func unreliable(c caps.Caps) bool { return c.ToolCallReliable == caps.No }
