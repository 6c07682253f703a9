package config

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/callwright/callwright/internal/config/internal/ollamahost"
	"github.com/callwright/callwright/internal/provider"
)

// Discover makes a configuration where none was written: the providers whose key variables are set, an Ollama where
// probe finds one, at OLLAMA_HOST where that is set, and always the simulator. The hint lists the findings and, where
// there are none, the remedies. A nil env means os.LookupEnv, a nil probe a short look at the address by TCP.
func Discover(ctx context.Context, env func(name string) (value string, ok bool), probe func(addr string) bool) (*Config, string) {
	c := &Config{}
	names, address := c.discover(ctx, env, probe)
	c.Providers = append(c.Providers, Provider{Name: SimulatorName, unlisted: true})
	if len(names) == 0 {
		return c, "no provider's key is set in the environment and no Ollama listens at " + address + ", so only simulated models answer\n" +
			"(ask for " + SimulatorName + "/native, or for a fault such as " + SimulatorName +
			"/hermes-unclosed; set for instance GROQ_API_KEY, or give a configuration, for real ones)"
	}
	return c, fmt.Sprintf("no configuration given; found %s; simulated models are there as %s/NAME", strings.Join(names, ", "), SimulatorName)
}

// AddDiscovered adds the providers that Discover finds, but for the simulator, to a configuration whose text does not
// say which there are. The hint says which these are; it is empty where the text has providers, even none. It is called
// before a Registry is made.
func (c *Config) AddDiscovered(ctx context.Context, env func(name string) (value string, ok bool),
	probe func(addr string) bool) (hint string) {
	if _, said := c.places["providers"]; said || len(c.Providers) > 0 {
		return ""
	}
	names, address := c.discover(ctx, env, probe)
	if len(names) == 0 {
		return "the configuration has no providers, no provider's key is set in the environment, and no Ollama listens at " + address
	}
	return "the configuration has no providers; those of the environment are used: " + strings.Join(names, ", ")
}

// discover adds the providers of the environment, and returns their names and where an Ollama was looked for.
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
