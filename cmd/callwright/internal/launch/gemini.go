package launch

import "path/filepath"

// geminiTasks are the small tasks for which Gemini CLI requests specific Google models.
var geminiTasks = []string{
	"classifier", "prompt-completion", "fast-ack-helper", "edit-corrector", "summarizer-default", "summarizer-shell",
	"web-fetch", "web-fetch-fallback",
	"loop-detection", "loop-detection-double-check", "llm-edit-fixer", "next-speaker-checker", "context-snapshotter",
	"agent-history-provider-summarizer",
	"chat-compression-default", "chat-compression-3-pro", "chat-compression-3-flash", "chat-compression-3.1-flash-lite",
	"chat-compression-2.5-pro",
	"chat-compression-2.5-flash", "chat-compression-2.5-flash-lite",
}

// geminiLogin is the name of the login method with an API key.
const geminiLogin = "gemini-api-key"

// gemini is configured by a settings file, because only settings can set the login method and the models of small
// tasks.
var gemini = Agent{
	Name: "gemini", Title: "Gemini CLI", Program: "gemini", Package: "@google/gemini-cli",
	Roles: []Role{RoleSmall},
	Clear: []string{"GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA", "GOOGLE_VERTEX_BASE_URL"},
	Setup: func(t Target) (Setup, error) {
		tasks := map[string]any{}
		for _, name := range geminiTasks {
			tasks[name] = map[string]any{"extends": "base", "modelConfig": map[string]any{"model": t.Models.For(RoleSmall).Name}}
		}
		s, err := geminiSettings.setup(t, filepath.Join(t.Folder, "settings.json"), map[string]any{
			"security":     map[string]any{"auth": map[string]any{"selectedType": geminiLogin}},
			"modelConfigs": map[string]any{"customAliases": tasks},
		})
		s.Env = append([]Variable{
			{"GOOGLE_GEMINI_BASE_URL", t.Address},
			{"GEMINI_API_KEY", t.Key},
			{"GEMINI_MODEL", t.Models.For(RoleMain).Name},
			{"GEMINI_DEFAULT_AUTH_TYPE", geminiLogin}, // used if an untrusted folder disables settings
		}, s.Env...)
		return s, err
	},
}

var geminiSettings = systemSettings{
	variable: "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
	defaults: map[string]string{
		"darwin":  "/Library/Application Support/GeminiCli/settings.json",
		"windows": `C:\ProgramData\gemini-cli\settings.json`,
		"":        "/etc/gemini-cli/settings.json",
	},
}
