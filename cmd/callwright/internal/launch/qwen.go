package launch

import "path/filepath"

// qwen is configured by variables for the provider, and by settings for the API and the models.
var qwen = Agent{
	Name: "qwen", Title: "Qwen Code", Program: "qwen", Package: "@qwen-code/qwen-code",
	Roles: []Role{RoleSmall},
	Clear: []string{"QWEN_MODEL", "QWEN_DEFAULT_AUTH_TYPE"},
	Setup: func(t Target) (Setup, error) {
		main := t.Models.For(RoleMain)
		model := map[string]any{"name": main.Name}
		if main.Context > 0 {
			model["generationConfig"] = map[string]any{"contextWindowSize": main.Context}
		}
		s, err := qwenSettings.setup(t, filepath.Join(t.Folder, "settings.json"), map[string]any{
			"security":  map[string]any{"auth": map[string]any{"selectedType": "openai"}},
			"model":     model,
			"fastModel": t.Models.For(RoleSmall).Name,
		})
		s.Env = append([]Variable{
			{"OPENAI_BASE_URL", t.Address + "/v1"},
			{"OPENAI_API_KEY", t.Key},
			{"OPENAI_MODEL", main.Name},
		}, s.Env...)
		return s, err
	},
}

var qwenSettings = systemSettings{
	variable: "QWEN_CODE_SYSTEM_SETTINGS_PATH",
	defaults: map[string]string{
		"darwin":  "/Library/Application Support/QwenCode/settings.json",
		"windows": `C:\ProgramData\qwen-code\settings.json`,
		"":        "/etc/qwen-code/settings.json",
	},
}
