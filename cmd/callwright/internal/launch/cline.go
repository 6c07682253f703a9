package launch

import "path/filepath"

// cline reads its providers from a file that a variable names. The session's file contains only the gateway. Its
// sessions run in its own process, because the daemon that it otherwise starts would keep these variables afterwards.
var cline = Agent{
	Name: "cline", Title: "Cline", Program: "cline", Package: "cline",
	Clear: []string{"CLINE_PROVIDER", "CLINE_MODEL", "CLINE_API_KEY"},
	Setup: func(t Target) (Setup, error) {
		const name = "openai-compatible" // cline's name for any provider of this API
		text, err := document(map[string]any{
			"version": 1, "lastUsedProvider": name, "modes": map[string]any{},
			"providers": map[string]any{name: map[string]any{
				"settings": map[string]string{
					"provider": name, "apiKey": t.Key, "model": t.Models.For(RoleMain).Name, "baseUrl": t.Address + "/v1",
				},
				"updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual",
			}},
		})
		path := filepath.Join(t.Folder, "providers.json")
		return Setup{
			Env:   []Variable{{"CLINE_PROVIDER_SETTINGS_PATH", path}, {"CLINE_SESSION_BACKEND_MODE", "local"}},
			Files: []File{{path, text}},
		}, err
	},
}
