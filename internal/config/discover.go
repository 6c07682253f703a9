package config

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/provider"
)

// ollamaAddress is where a local Ollama listens.
const (
	ollamaPort    = "11434"
	ollamaAddress = "127.0.0.1:" + ollamaPort
)

// probeTime bounds the look at it.
const probeTime = 200 * time.Millisecond

// Discover makes a configuration where none was written: the providers whose key variables are set, an Ollama where probe finds
// one, at OLLAMA_HOST where that is set, and always the simulator. The hint says in plain words what was found and what can be done when nothing was. A nil
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
	base, address := ollamaAt(env)
	for _, r := range provider.Rows() {
		key, _ := env(r.Key)
		found := !r.Local && r.Beside == "" && r.Key != "" && r.Base != "" && strings.TrimSpace(key) != ""
		if r.Local && r.Beside == "" && strings.Contains(r.Base, ollamaAddress) {
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
	c.Providers = append(c.Providers, Provider{Name: SimulatorName})
	if len(names) == 0 {
		return c, "no provider's key is set in the environment and no Ollama listens at " + address + ", so only simulated models answer\n" +
			"(ask for " + SimulatorName + "/native, or for a fault such as " + SimulatorName + "/hermes-unclosed; set for instance GROQ_API_KEY, or give a configuration, for real ones)"
	}
	return c, fmt.Sprintf("no configuration given; found %s; simulated models are there as %s/NAME", strings.Join(names, ", "), SimulatorName)
}

// ollamaAt returns the base address of the Ollama that OLLAMA_HOST names, as Ollama reads it, "" for the table's, and what to dial. A server
// told to listen everywhere is asked at loopback.
func ollamaAt(env func(string) (string, bool)) (base, address string) {
	said, _ := env("OLLAMA_HOST")
	said = strings.Trim(strings.TrimSpace(said), `"'`)
	if said == "" {
		return "", ollamaAddress
	}
	scheme, rest, ok := strings.Cut(said, "://")
	port := map[string]string{"http": "80", "https": "443"}[scheme]
	if !ok {
		scheme, rest, port = "http", said, ollamaPort
	}
	rest, path, _ := strings.Cut(rest, "/")
	host := strings.Trim(rest, "[]")
	if h, p, err := net.SplitHostPort(rest); err == nil {
		host = h
		if _, err := strconv.ParseUint(p, 10, 16); err == nil {
			port = p
		}
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	address = net.JoinHostPort(host, port)
	base = scheme + "://" + address
	if path = strings.Trim(path, "/"); path != "" {
		base += "/" + path
	}
	if (scheme != "http" && scheme != "https") || checkBase(base) != nil {
		return "", ollamaAddress
	}
	return base, address
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
