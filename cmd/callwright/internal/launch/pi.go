package launch

import (
	"cmp"
	"path/filepath"
)

// pi loads additional providers from an extension, which is a file of the session.
var pi = Agent{
	Name: "pi", Title: "pi", Program: "pi", Package: "@mariozechner/pi-coding-agent",
	Setup: func(t Target) (Setup, error) {
		main := t.Models.For(RoleMain)
		model := map[string]any{
			"id": main.Name, "name": main.Name, "reasoning": false, "input": []string{"text", "image"},
			"cost": map[string]int{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
			// pi requires the sizes of a model.
			"contextWindow": cmp.Or(main.Context, assumedContext), "maxTokens": cmp.Or(main.Output, 16_384),
		}
		text, err := document(map[string]any{
			"name": "Callwright", "baseUrl": t.Address + "/v1", "apiKey": KeyVariable, "api": "openai-completions", "models": []any{model},
		})
		path := filepath.Join(t.Folder, "callwright.js")
		return Setup{
			Env:   []Variable{{KeyVariable, t.Key}},
			Args:  []string{"--extension", path, "--provider", providerName, "--model", main.Name},
			Files: []File{{path, "export default function (pi) {\n  pi.registerProvider(\"" + providerName + "\", " + text + ");\n}\n"}},
		}, err
	},
}
