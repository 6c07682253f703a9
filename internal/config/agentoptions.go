package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/secretfile"
)

// Options returns the settings as options of an agent. It omits ToolFiles and MCP, which need files and servers, and
// the options that Models returns. It returns a *KeyError for an unknown profile, and for a MaxCost that is invalid or
// lacks prices. The agent reports other wrong values.
func (a *Agent) Options() ([]agent.Option, error) {
	allow, deny, err := a.tools()
	if wrong := a.checkCost(); err == nil && wrong != nil {
		err = &KeyError{"max_cost", wrong}
	}
	if err != nil {
		return nil, err
	}
	out := []agent.Option{
		agent.WithSystem(a.System), agent.WithMode(a.ToolUseMode), agent.WithFailures(a.Failures), agent.WithFallbackRetries(a.FallbackRetries),
		agent.WithAllowed(allow...), agent.WithDenied(deny...), agent.WithApprovalRules(a.Approve...), agent.WithChoice(a.ToolChoice),
		agent.WithMaxTokens(a.MaxTokens), agent.WithMaxTime(a.MaxTime), agent.WithEmptyFinal(a.emptyFinal()),
	}
	for _, o := range []struct {
		said bool
		is   func() agent.Option
	}{
		{a.AllowUnreliable, agent.WithUnreliable},
		{a.CutToolOutput, agent.WithCutOutput},
		{a.AskAboutClaims, agent.WithClaimQuestion},
		{a.MaxSteps != nil, func() agent.Option { return agent.WithMaxSteps(*a.MaxSteps) }},
		{a.MaxArguments != 0, func() agent.Option { return agent.WithMaxArguments(a.MaxArguments) }},
		{a.MaxOutput != 0, func() agent.Option { return agent.WithMaxOutput(a.MaxOutput) }},
		{a.Parallel != 0, func() agent.Option { return agent.WithParallel(a.Parallel) }},
		{a.ToolTimeout != 0, func() agent.Option { return agent.WithToolTimeout(a.ToolTimeout) }},
		{a.Cost != nil, func() agent.Option { return agent.WithMaxCost(a.MaxCost, a.Cost.of) }},
		{len(a.Request) > 0, func() agent.Option { return agent.WithRequest(a.Request.edit) }},
	} {
		if o.said {
			out = append(out, o.is())
		}
	}
	return out, nil
}

// emptyFinal returns the agent's settings for a final answer that is empty.
func (a *Agent) emptyFinal() agent.EmptyFinal {
	no := func(b *bool) bool { return b != nil && !*b }
	return agent.EmptyFinal{Off: no(a.FixEmptyFinal), Text: a.EmptyFinalText, KeepTools: no(a.EmptyFinalBare)}
}

// tools returns the patterns of allowed and of denied tools: those of the agent, followed by those of the profiles in
// ToolProfile. An unknown profile is a *KeyError.
func (a *Agent) tools() (allow, deny []string, err error) {
	allow, deny = slices.Clone(a.Allow), slices.Clone(a.Deny)
	for _, name := range a.ToolProfile {
		p, ok := a.ToolProfiles[name]
		if !ok {
			return nil, nil, &KeyError{"tool_profile", a.unknownProfile(name)}
		}
		allow, deny = append(allow, p.Allow...), append(deny, p.Deny...)
	}
	return allow, deny, nil
}

func (a *Agent) unknownProfile(name string) error {
	if len(a.ToolProfiles) == 0 {
		return fmt.Errorf("unknown profile %q: tool_profiles has none", name)
	}
	return unknown("profile", name, slices.Sorted(maps.Keys(a.ToolProfiles)))
}

// checkCost returns an error if MaxCost is negative or not a number, or if MaxCost is set without prices.
func (a *Agent) checkCost() error {
	if a.MaxCost < 0 || math.IsNaN(a.MaxCost) {
		return fmt.Errorf("expected a number from 0, got %v", a.MaxCost)
	}
	if a.MaxCost > 0 && (a.Cost == nil || a.Cost.Input == 0 && a.Cost.Output == 0) {
		return errors.New("expected cost, the prices of tokens, because max_cost has no effect without them")
	}
	return nil
}

// of returns the cost of one response from its token usage, in the currency of p. Tokens that were read from a prompt
// cache have the price Cached, or Input if Cached is nil.
func (p *Prices) of(u callwright.Usage) float64 {
	cached := p.Input
	if p.Cached != nil {
		cached = *p.Cached
	}
	again := min(u.CacheRead, u.Input)
	return (float64(u.Input-again)*p.Input + float64(again)*cached + float64(u.Output)*p.Output) / 1e6
}

// edit adds the members m to the members that are merged into the body of the request to the provider.
func (m Members) edit(req *callwright.Request) {
	companion.Change(req, func(c *companion.Companion) { c.Edits = append(c.Edits, m...) })
}

// Models returns the agent options for NextModels, MoveToNextModel and Verifier. resolve returns the model of a name,
// as [Registry.Resolve] does. The error is a *KeyError if resolve fails.
func (a *Agent) Models(resolve func(name string) (callwright.Model, error)) ([]agent.Option, error) {
	var out []agent.Option
	var models []callwright.Model
	for _, name := range a.NextModels {
		m, err := resolve(string(name))
		if err != nil {
			return nil, &KeyError{"next_models", err}
		}
		models = append(models, m)
	}
	if len(models) > 0 {
		out = append(out, agent.WithStrongerModels(a.NextModelAfter, models...))
	}
	if a.MoveToNextModel {
		out = append(out, agent.WithModelSwitch())
	}
	if a.Verifier == "" {
		return out, nil
	}
	v := agent.Verifier{When: a.Verifier, Above: a.VerifierConfidence}
	if a.VerifierModel != "" && v.When != agent.VerifyNever {
		m, err := resolve(string(a.VerifierModel))
		if err != nil {
			return nil, &KeyError{"verifier_model", err}
		}
		v.Model = m
	}
	return append(out, agent.WithVerifier(v)), nil
}

// A KeyError is an error in the agent setting Key, such as tool_profile.
type KeyError struct {
	Key string
	Err error
}

// Error returns "agent: KEY: " followed by the error.
func (e *KeyError) Error() string { return "agent: " + e.Key + ": " + e.Err.Error() }

// Unwrap returns Err.
func (e *KeyError) Unwrap() error { return e.Err }

// Environ returns the environment of the MCP server's program as "NAME=value", sorted by name. It resolves values of
// the form env:NAME with env; a nil env means os.LookupEnv. A variable that is not set is an error.
func (s *MCPServer) Environ(env func(name string) (value string, ok bool)) ([]string, error) {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		value, err := resolveSecret(s.Env[name], env)
		if err != nil {
			return nil, fmt.Errorf("agent: mcp: %s: env: %s: %w", s.Name, name, err)
		}
		out = append(out, name+"="+value)
	}
	return out, nil
}

// Header returns the headers of HTTP requests to the MCP server. It resolves values of the form env:NAME with env; a
// nil env means os.LookupEnv. A variable that is not set is an error.
func (s *MCPServer) Header(env func(name string) (value string, ok bool)) (http.Header, error) {
	out := http.Header{}
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		value, err := resolveSecret(s.Headers[name], env)
		if err != nil {
			return nil, fmt.Errorf("agent: mcp: %s: headers: %s: %w", s.Name, name, err)
		}
		out.Add(name, value)
	}
	return out, nil
}

// resolveSecret returns the text of a secret: the value of the environment variable for env:NAME, the contents of the
// file for file:PATH, else the secret itself. A nil env means os.LookupEnv. A variable that is unset or empty and a
// file that cannot be read are errors.
func resolveSecret(s provider.Secret, env func(string) (string, bool)) (string, error) {
	if env == nil {
		env = os.LookupEnv
	}
	if path, ok := s.File(); ok {
		text, err := secretfile.New(path, nil).Get()
		if err != nil {
			return "", fmt.Errorf("the file %s cannot be used: %w", path, err)
		}
		return text, nil
	}
	name, named := strings.CutPrefix(s.Reveal(), "env:")
	if !named {
		return s.Reveal(), nil
	}
	value, _ := env(name)
	if value == "" {
		return "", fmt.Errorf("%s is not set: export %s=...", name, name)
	}
	return value, nil
}
