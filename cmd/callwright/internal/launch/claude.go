package launch

import (
	"cmp"
	"path/filepath"
)

// claude is configured by variables in a settings argument, which take precedence over the user's settings and the
// environment. For unknown models it would assume a context window of a million tokens. For other addresses than
// Anthropic's it disables tool search by default. The text that it inserts before the system prompt differs for each
// conversation and would defeat the prompt caches of other providers, so the setup disables it.
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
			start = "opusplan" // the model "opus" plans, and "sonnet" does the rest
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
