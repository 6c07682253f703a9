package launch

import "encoding/json"

// opencode is the coding agent opencode. It reads its configuration as JSON from an environment variable, which takes
// precedence over its configuration files.
var opencode = Agent{
	Name: "opencode", Title: "opencode", Program: "opencode", Package: "opencode-ai",
	Roles: []Role{RoleSmall, RolePlanner},
	Clear: []string{"OPENCODE_AUTH_CONTENT"},
	Setup: func(t Target) (Setup, error) {
		models := map[string]any{}
		for _, r := range Roles() {
			m := t.Models.For(r)
			entry := map[string]any{"name": m.Name}
			if m.Context > 0 && m.Output > 0 { // opencode requires both or none
				entry["limit"] = map[string]int{"context": m.Context, "output": m.Output}
			}
			models[m.Name] = entry
		}
		named := func(r Role) string { return providerName + "/" + t.Models.For(r).Name }
		conf := map[string]any{
			"model":       named(RoleMain),
			"small_model": named(RoleSmall),
			"provider": map[string]any{providerName: map[string]any{
				"npm": "@ai-sdk/openai-compatible", "name": "Callwright", "models": models,
				"options": map[string]string{"baseURL": t.Address + "/v1", "apiKey": "{env:" + KeyVariable + "}"},
			}},
		}
		if t.Models.Has(RolePlanner) {
			conf["agent"] = map[string]any{"plan": map[string]string{"model": named(RolePlanner)}}
		}
		text, err := json.Marshal(conf)
		return Setup{Env: []Variable{
			{"OPENCODE_CONFIG_CONTENT", string(text)},
			{KeyVariable, t.Key},
			{"OPENCODE_DISABLE_MODELS_FETCH", "1"},
		}}, err
	},
}
