package main

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/config"
	"github.com/spf13/cobra"
)

// runSettings are the flags that say what the agent of the configuration says otherwise.
type runSettings struct {
	given             config.Agent // by flags that hold what their key does
	mode, failing     string
	choice            string
	allow, deny       []string
	profiles          []string
	steps             int
	fixEmpty          bool
	noToolsAfterEmpty bool // no tools are allowed after an empty answer
}

// flags adds the flags. Each has the name of its key.
func (s *runSettings) flags(c *cobra.Command) {
	f, a := c.Flags(), &s.given
	f.StringVar(&a.System, "system", "", "`INSTRUCTIONS` before the conversation")
	f.StringSliceVar(&s.allow, "allow", nil, "offer only tools of these names, a `PATTERN` or several with commas; may be repeated")
	f.StringSliceVar(&s.deny, "deny", nil, "do not offer tools of these names, a `PATTERN` or several with commas; may be repeated")
	f.StringSliceVar(&s.profiles, "tool-profile", nil, "the `NAME` of a profile of the configuration; may be repeated")
	f.StringVar(&s.mode, "tool-use-mode", "", "enforced, relaxed or disabled")
	f.BoolVar(&a.AllowUnreliable, "allow-unreliable", false, "take a model that is known to make calls badly, with the mode enforced")
	f.IntVar(&a.FallbackRetries, "fallback-retry-count", 0, "ask a model that fails with tools so often again, before it is asked without")
	f.StringVar(&s.failing, "tool-failure-policy", "", "fatal or tolerated")
	f.StringVar(&s.choice, "tool-choice", "", "whether tools are to be called first: auto, none, required or a `NAME`")
	f.IntVar(&a.MaxArguments, "max-tool-args-bytes", 0, "bytes of the arguments of a call")
	f.IntVar(&a.MaxOutput, "max-tool-output-bytes", 0, "bytes of what a tool gives back")
	f.BoolVar(&a.CutToolOutput, "cut-tool-output", false, "keep the head and the tail of what is too long")
	f.IntVar(&s.steps, "max-steps", 0, "answers of the model in a run; 0 is no bound")
	f.IntVar(&a.MaxTokens, "max-tokens", 0, "tokens of a run")
	f.DurationVar(&a.MaxTime, "max-time", 0, "time of a run")
	f.Float64Var(&a.MaxCost, "max-cost", 0, "cost of a run, by the prices of the configuration")
	f.DurationVar(&a.ToolTimeout, "tool-timeout", 0, "time of one call")
	f.IntVar(&a.Parallel, "parallel", 0, "calls that run at a time")
	f.BoolVar(&s.fixEmpty, "fix-empty-final", true, "ask once more after an empty answer")
	f.StringVar(&a.EmptyFinalText, "fix-empty-final-user-text", "", "what the model is told then")
	f.BoolVar(&s.noToolsAfterEmpty, "fix-empty-final-disable-tools", true, "allow no tools then")
	completeNames(c, "tool-use-mode", []string{string(agent.ModeEnforced), string(agent.ModeRelaxed), string(agent.ModeDisabled)})
	completeNames(c, "tool-failure-policy", []string{string(agent.FailuresFatal), string(agent.FailuresTolerated)})
}

// over lays the flags that were given over what the configuration says.
func (s *runSettings) over(c *cobra.Command, a *config.Agent) {
	for flag, set := range map[string]func(){
		"system":                        func() { a.System = s.given.System },
		"allow":                         func() { a.Allow = s.allow },
		"deny":                          func() { a.Deny = append(a.Deny, s.deny...) },
		"tool-profile":                  func() { a.ToolProfile = s.profiles },
		"tool-use-mode":                 func() { a.ToolUseMode = agent.ToolUseMode(s.mode) },
		"allow-unreliable":              func() { a.AllowUnreliable = s.given.AllowUnreliable },
		"fallback-retry-count":          func() { a.FallbackRetries = s.given.FallbackRetries },
		"tool-failure-policy":           func() { a.Failures = agent.FailurePolicy(s.failing) },
		"tool-choice":                   func() { a.ToolChoice = choiceOf(s.choice) },
		"max-tool-args-bytes":           func() { a.MaxArguments = s.given.MaxArguments },
		"max-tool-output-bytes":         func() { a.MaxOutput = s.given.MaxOutput },
		"cut-tool-output":               func() { a.CutToolOutput = s.given.CutToolOutput },
		"max-steps":                     func() { a.MaxSteps = &s.steps },
		"max-tokens":                    func() { a.MaxTokens = s.given.MaxTokens },
		"max-time":                      func() { a.MaxTime = s.given.MaxTime },
		"max-cost":                      func() { a.MaxCost = s.given.MaxCost },
		"tool-timeout":                  func() { a.ToolTimeout = s.given.ToolTimeout },
		"parallel":                      func() { a.Parallel = s.given.Parallel },
		"fix-empty-final":               func() { a.FixEmptyFinal = &s.fixEmpty },
		"fix-empty-final-user-text":     func() { a.EmptyFinalText = s.given.EmptyFinalText },
		"fix-empty-final-disable-tools": func() { a.EmptyFinalBare = &s.noToolsAfterEmpty },
	} {
		if c.Flags().Changed(flag) {
			set()
		}
	}
}

// choiceOf reads auto, none, required, or the name of a tool.
func choiceOf(text string) callwright.Choice {
	switch mode := callwright.ChoiceMode(text); mode {
	case callwright.ChoiceAuto, callwright.ChoiceNone, callwright.ChoiceRequired, "":
		return callwright.Choice{Mode: mode}
	}
	return callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{text}}
}
