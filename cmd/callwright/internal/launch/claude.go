package launch

import (
	"cmp"
	"path/filepath"
)

// claude is configured by variables, which it reads from its settings before its environment: those of an argument come
// before those of the user. It assumes a window of a million tokens for unknown models, unless it is told, and tool
// search is off behind addresses other than its maker's unless it is switched on. Its own text in front of the system
// prompt changes with every conversation and would spoil the prompt caches of other providers.
var claude = Agent{
	Name: "claude", Title: "Claude Code", Program: "claude", Package: "@anthropic-ai/claude-code",
	Roles: []Role{RoleSmall, RolePlanner},
	Clear: []string{
		"ANTHROPIC_API_KEY", "ANTHROPIC_SMALL_FAST_MODEL", "ANTHROPIC_DEFAULT_MODEL", "ANTHROPIC_UNIX_SOCKET",
		"ANTHROPIC_CUSTOM_HEADERS", "CLAUDE_CODE_OAUTH_TOKEN",
		"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY", "CLAUDE_CODE_USE_MANTLE", "CLAUDE_CODE_USE_GATEWAY",
		"CLAUDE_CODE_USE_ANTHROPIC_AWS", "CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD", "CLAUDE_CODE_SUBAGENT_MODEL",
	},
	Setup: func(t Target) (Setup, error) {
		start, main := t.Models.For(RoleMain).Name, t.Models.For(RoleMain).Name
		if t.Models.Has(RolePlanner) {
			start = "opusplan" // the one called opus plans, the one called sonnet does the rest
		}
		env := []Variable{
			{"ANTHROPIC_BASE_URL", t.Address},
			{"ANTHROPIC_AUTH_TOKEN", t.Key},
			{"ANTHROPIC_MODEL", start},
			{"ANTHROPIC_DEFAULT_OPUS_MODEL", t.Models.For(RolePlanner).Name},
			{"ANTHROPIC_DEFAULT_SONNET_MODEL", main},
			{"ANTHROPIC_DEFAULT_FABLE_MODEL", main},
			{"ANTHROPIC_DEFAULT_HAIKU_MODEL", t.Models.For(RoleSmall).Name},
			{"ENABLE_TOOL_SEARCH", "true"},
			{"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
			{"CLAUDE_CODE_ATTRIBUTION_HEADER", "0"},
		}
		m := t.Models.For(RoleMain)
		m.Context = cmp.Or(m.Context, assumedContext)
		env = append(env, sizes("CLAUDE_CODE_MAX_CONTEXT_TOKENS", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", m)...)
		values := map[string]string{}
		for _, v := range env {
			values[v.Name] = v.Value
		}
		text, err := document(map[string]any{"env": values})
		path := filepath.Join(t.Folder, "settings.json")
		return Setup{Env: env, Args: []string{"--settings", path}, Files: []File{{path, text}}}, err
	},
}
