package config

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/callwright/callwright/provider"
)

// ollamaAddress is where a local Ollama listens.
const ollamaAddress = "127.0.0.1:11434"

// probeTime bounds the look at it.
const probeTime = 200 * time.Millisecond

// Discover makes a configuration where none was written: the providers whose key variables are set, a local Ollama where probe
// finds one, and always the simulator. The hint says in plain words what was found and what can be done when nothing was. A nil
// env means os.LookupEnv, a nil probe a short look at the address by TCP.
func Discover(ctx context.Context, env func(name string) (value string, ok bool), probe func(addr string) bool) (*Config, string) {
	if env == nil {
		env = os.LookupEnv
	}
	if probe == nil {
		probe = func(addr string) bool { return listens(ctx, addr) }
	}
	c := &Config{}
	var names []string
	for _, r := range provider.Rows() {
		key, _ := env(r.Key)
		found := !r.Local && r.Beside == "" && r.Key != "" && r.Base != "" && strings.TrimSpace(key) != ""
		if r.Local && r.Beside == "" && strings.Contains(r.Base, ollamaAddress) {
			found = probe(ollamaAddress)
		}
		if found {
			c.Providers = append(c.Providers, Provider{Name: r.Name})
			names = append(names, r.Name)
		}
	}
	c.Providers = append(c.Providers, Provider{Name: SimulatorName})
	if len(names) == 0 {
		return c, "no provider's key is set in the environment and no Ollama listens at " + ollamaAddress + ", so only simulated models answer\n" +
			"(ask for " + SimulatorName + "/native, or for a fault such as " + SimulatorName + "/hermes-unclosed; set for instance GROQ_API_KEY, or give a configuration, for real ones)"
	}
	return c, fmt.Sprintf("no configuration given; found %s; simulated models are there as %s/NAME", strings.Join(names, ", "), SimulatorName)
}

func listens(ctx context.Context, addr string) bool {
	d := net.Dialer{Timeout: probeTime}
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}
