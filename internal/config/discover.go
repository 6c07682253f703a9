package config

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/callwright/callwright/internal/config/internal/ollamahost"
	"github.com/callwright/callwright/internal/provider"
)

// Discover creates a configuration without a file. It has each built-in provider whose API key variable is set, the
// local Ollama (at OLLAMA_HOST if set) if probe reports that it listens, and always the simulator. The returned hint is
// a sentence for users that lists the providers, or says how to get one. A nil env means os.LookupEnv. A nil probe
// means a short TCP connection to the address.
func Discover(ctx context.Context, env func(name string) (value string, ok bool), probe func(addr string) bool) (*Config, string) {
	c := &Config{}
	names, address := c.discover(ctx, env, probe)
	c.Providers = append(c.Providers, Provider{Name: SimulatorName, unlisted: true})
	if len(names) == 0 {
		return c, "the environment has no provider's key, and no Ollama listens at " + address + ": only simulated models are available\n" +
			"(request " + SimulatorName + "/native, or a fault such as " + SimulatorName +
			"/hermes-unclosed; for real models set a key such as GROQ_API_KEY, or write a configuration)"
	}
	return c, fmt.Sprintf("no configuration; found %s; simulated models are named %s/NAME", strings.Join(names, ", "), SimulatorName)
}

// AddDiscovered adds the providers that [Discover] finds, except the simulator, to a configuration whose text lacks the
// key providers. The hint is a sentence that names the added providers or says that there are none. It is empty if the
// text has the key providers, even with no provider. AddDiscovered must be called before a Registry is created.
func (c *Config) AddDiscovered(ctx context.Context, env func(name string) (value string, ok bool),
	probe func(addr string) bool) (hint string) {
	if _, said := c.places["providers"]; said || len(c.Providers) > 0 {
		return ""
	}
	names, address := c.discover(ctx, env, probe)
	if len(names) == 0 {
		return "the configuration has no providers, the environment has no provider's key, and no Ollama listens at " + address
	}
	return "the configuration has no providers; providers from the environment are used: " + strings.Join(names, ", ")
}

// discover adds the built-in providers that the environment configures, and the local Ollama if probe finds it. It
// returns their names, and the address at which it looked for the Ollama.
func (c *Config) discover(ctx context.Context, env func(string) (string, bool), probe func(addr string) bool) (names []string,
	address string) {
	if env == nil {
		env = os.LookupEnv
	}
	if probe == nil {
		probe = func(addr string) bool { return ollamahost.Listens(ctx, addr) }
	}
	base, address := ollamahost.Of(env)
	for _, r := range provider.Rows() {
		key, _ := env(r.Key)
		found := !r.Local && r.Beside == "" && r.Key != "" && r.Base != "" && strings.TrimSpace(key) != ""
		if r.Local && r.Beside == "" && strings.Contains(r.Base, ollamahost.Default) {
			found = probe(address)
		}
		if found {
			p := Provider{Name: r.Name}
			if r.Local {
				p.BaseURL = base
			}
			c.Providers = append(c.Providers, p)
			names = append(names, r.Name)
		}
	}
	return names, address
}
