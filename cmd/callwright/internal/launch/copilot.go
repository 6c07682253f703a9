package launch

// copilot is configured by variables. In offline mode it connects only to the provider: no login, telemetry or updates.
var copilot = Agent{
	Name: "copilot", Title: "GitHub Copilot CLI", Program: "copilot", Package: "@github/copilot",
	Clear: []string{
		"COPILOT_PROVIDER_BEARER_TOKEN", "COPILOT_PROVIDER_API_KEY_COMMAND", "COPILOT_PROVIDER_MODEL_ID",
		"COPILOT_PROVIDER_WIRE_MODEL", "COPILOT_PROVIDER_TRANSPORT",
		"COPILOT_PROVIDER_HEADERS",
	},
	Setup: func(t Target) (Setup, error) {
		env := []Variable{
			{"COPILOT_PROVIDER_BASE_URL", t.Address + "/v1"},
			{"COPILOT_PROVIDER_TYPE", "openai"},
			{"COPILOT_PROVIDER_WIRE_API", "completions"},
			{"COPILOT_PROVIDER_API_KEY", t.Key},
			{"COPILOT_MODEL", t.Models.For(RoleMain).Name},
			{"COPILOT_OFFLINE", "true"},
		}
		m := t.Models.For(RoleMain)
		m.Context -= m.Output // the part of the window for the prompt
		return Setup{Env: append(env, sizes("COPILOT_PROVIDER_MAX_PROMPT_TOKENS", "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS", m)...)}, nil
	},
}
