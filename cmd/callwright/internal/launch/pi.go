package launch

import (
	"cmp"
	"path/filepath"
)

// pi takes further providers from an extension, which a file of the session is.
var pi = Agent{
	Name: "pi", Title: "pi", Program: "pi", Package: "@mariozechner/pi-coding-agent",
	Setup: func(t Target) (Setup, error) {
		main := t.Models.For(RoleMain)
		model := map[string]any{
			"id": main.Name, "name": main.Name, "reasoning": false, "input": []string{"text", "image"},
			"cost": map[string]int{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
			// It takes no model without sizes.
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
