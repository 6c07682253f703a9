package launch

import (
	"fmt"
	"strconv"
)

// codex is configured by settings in arguments. It would first try a WebSocket unless the provider's settings state
// that WebSockets are not supported.
var codex = Agent{
	Name: "codex", Title: "Codex", Program: "codex", Package: "@openai/codex",
	Setup: func(t Target) (Setup, error) {
		main := t.Models.For(RoleMain)
		settings := []string{
			"model=" + strconv.Quote(main.Name),
			"model_provider=" + strconv.Quote(providerName),
			fmt.Sprintf(`model_providers.%s={name="Callwright",base_url=%q,env_key=%q,wire_api="responses",supports_websockets=false}`,
				providerName, t.Address+"/v1", KeyVariable),
		}
		if main.Context > 0 {
			settings = append(settings, fmt.Sprintf("model_context_window=%d", main.Context))
		}
		s := Setup{Env: []Variable{{KeyVariable, t.Key}}}
		for _, text := range settings {
			s.Args = append(s.Args, "-c", text)
		}
		return s, nil
	},
}
