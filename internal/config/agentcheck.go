package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/config/internal/variable"
	"github.com/callwright/callwright/internal/provider"
)

// agent reports wrong values and contradictory combinations in the key agent. It applies the checks that package agent
// makes when an agent is created.
func (k *checker) agent() {
	a := &k.c.Agent
	if a.Model != "" {
		k.reachable("agent.model", a.Model)
	}
	for i, next := range a.NextModels {
		k.reachable(fmt.Sprintf("agent.next_models[%d]", i), next)
	}
	if a.MoveToNextModel && len(a.NextModels) == 0 && !k.bad("agent.next_models") {
		k.warn("agent.move_to_next_model", "has no effect without next_models")
	}
	if a.Verifier == "" || a.Verifier == agent.VerifyNever {
		for _, key := range []string{"verifier_model", "verifier_confidence"} {
			if _, said := k.d.places["agent."+key]; said && !k.bad("agent.verifier") {
				k.warn("agent."+key, "has no effect without verifier")
			}
		}
	}
	if a.VerifierModel != "" {
		k.reachable("agent.verifier_model", a.VerifierModel)
	}
	k.agentNumbers("agent")
	k.choice(a)
	if err := a.checkCost(); err != nil && !k.bad("agent.cost") {
		k.fail("agent.max_cost", "%v", err)
	}
	for _, name := range slices.Sorted(maps.Keys(a.ToolProfiles)) {
		if path := joinPath("agent.tool_profiles", name); (name == "" || strings.ContainsAny(name, ", \t")) && !k.bad(path) {
			k.fail(path, "expected a name without commas and spaces, got %q", name)
		}
	}
	for i, name := range a.ToolProfile {
		if _, ok := a.ToolProfiles[name]; !ok && !k.bad("agent.tool_profiles") {
			k.fail(fmt.Sprintf("agent.tool_profile[%d]", i), "%v", a.unknownProfile(name))
		}
	}
	for i := range a.MCP {
		k.mcp(&a.MCP[i])
	}
}

// agentNumbers reports numbers out of range among the agent settings below path. It checks only keys that the
// configuration contains.
func (k *checker) agentNumbers(path string) {
	a := &k.c.Agent
	said := func(key string) (at string, check bool) {
		at = joinPath(path, key)
		_, said := k.d.places[at]
		return at, said && !k.bad(at)
	}
	for _, n := range []struct {
		key string
		is  int
	}{
		{"max_tool_args_bytes", a.MaxArguments}, {"max_tool_output_bytes", a.MaxOutput}, {"parallel", a.Parallel},
		{"next_model_after", a.NextModelAfter},
	} {
		if at, check := said(n.key); check && n.is < 1 {
			k.fail(at, "expected a whole number from 1, got %d", n.is)
		}
	}
	if at, check := said("verifier_confidence"); check && (a.VerifierConfidence <= 0 || a.VerifierConfidence > 1) {
		k.fail(at, "expected a number above 0 and up to 1, got %v", a.VerifierConfidence)
	}
}

// choice reports an agent.tool_choice that contradicts tool_use_mode. It warns if the name of a tool resembles one of
// auto, none and required.
func (k *checker) choice(a *Agent) {
	const path = "agent.tool_choice"
	switch c := a.ToolChoice; {
	case c.Mode == callwright.ChoiceNone && a.ToolUseMode == agent.ModeEnforced:
		k.fail(path, "none forbids calls, but tool_use_mode enforced requires one: set auto or required, or another tool_use_mode")
	case c.Mode == callwright.ChoiceNamed:
		if near := Nearest(c.Names[0], toolChoices); near != "" {
			k.warn(path, "is the name of a tool: did you mean %s?", near)
		}
	}
}

// maxServerName is the maximum length of the name of an MCP server in bytes.
const maxServerName = 32

// mcp reports errors in the settings of one MCP server.
func (k *checker) mcp(s *MCPServer) {
	path := joinPath("agent.mcp", s.Name)
	command := len(s.Command.Words) > 0 || s.Command.Line != ""
	odd := strings.Trim(s.Name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")
	switch {
	case s.Name == "" || len(s.Name) > maxServerName || odd != "":
		k.fail(path, "expected a name of up to %d letters, digits, '_', '-' and '.', got %q", maxServerName, s.Name)
	case k.bad(path):
	case command && s.URL != "":
		k.fail(path, "expected command or url, got both")
	case !command && s.URL == "":
		k.fail(path, "expected command or url, got neither")
	case command && len(s.Headers) > 0:
		k.fail(path+".headers", "apply only to a server with url: for a command, set env")
	case s.URL != "" && len(s.Env) > 0:
		k.fail(path+".env", "applies only to a server with command: for a url, set headers")
	case s.URL != "" && s.Dir != "":
		k.fail(path+".dir", "applies only to a server with command")
	case len(s.Command.Words) > 0 && s.Command.Words[0] == "":
		k.fail(path+".command", "expected the name of a program, got nothing")
	case s.URL != "":
		k.hideUser(s.URL)
		if err := checkAddress(s.URL, "headers"); err != nil {
			k.fail(path+".url", "%v", err)
		}
	}
	for name := range s.Env {
		if !variable.IsName(name) {
			k.fail(joinPath(path+".env", name), "expected the name of an environment variable, got %q", name)
		}
	}
	k.secrets(path+".env", s.Env)
	k.secrets(path+".headers", s.Headers)
}

// secrets checks each secret in a mapping as the method secret does, and reports whether all can be resolved. path is
// the path of the mapping.
func (k *checker) secrets(path string, all map[string]provider.Secret) bool {
	there := true
	for _, name := range slices.Sorted(maps.Keys(all)) {
		there = k.secret(joinPath(path, name), all[name]) && there
	}
	return there
}
