package config

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config/internal/tuned"
	"github.com/callwright/callwright/internal/provider"
)

// isSimulator reports whether the provider is the model simulator that runs in this process.
func (p *Provider) isSimulator() bool { return p.Name == SimulatorName && p.BaseURL == "" }

// endpoint returns the configuration of package provider for this provider, with the retries, timeouts and facts of the
// model settings s.
func (p *Provider) endpoint(s *Settings, env func(string) (string, bool)) provider.Config {
	cfg := provider.Config{
		Name: p.Name, Path: joinPath("providers", p.Name), Wire: p.Wire, BaseURL: p.BaseURL, APIKey: p.APIKey, Keys: p.keys(),
		Hosts: p.hosts(), MaxRetries: cmp.Or(s.Retries.Max, s.MaxRetries), MaxRetryWait: s.MaxRetryWait,
		RetryOn: s.Retries.kinds(), RetryPause: s.Retries.Backoff, Breaker: s.Breaker.limits(), Env: env,
		Timeouts: provider.Timeouts{Connect: s.Timeouts.Connect, FirstByte: s.Timeouts.FirstByte, BetweenBytes: s.Timeouts.BetweenBytes},
	}
	p.place(&cfg, env)
	for name, value := range p.Headers {
		if cfg.Headers == nil {
			cfg.Headers = make(map[string]string, len(p.Headers))
		}
		cfg.Headers[name] = value.Reveal()
	}
	if stated := s.statedFacts(); len(stated) > 0 {
		known := tuned.Lay(caps.Caps{}, stated)
		cfg.Caps = func(string) caps.Caps { return known }
	}
	return cfg
}

// variant returns a string that is equal for settings that can share an endpoint: it contains the facts, retries,
// timeouts and the circuit breaker. Models with different variants get separate endpoints.
func (s *Settings) variant() string {
	var b strings.Builder
	b.WriteString(s.MaxRetryWait.String())
	if n := cmp.Or(s.Retries.Max, s.MaxRetries); n != nil {
		b.WriteString(" " + strconv.Itoa(*n))
	}
	t := s.Timeouts
	fmt.Fprint(&b, s.Retries.On, s.Retries.Backoff, s.Breaker, t.Connect, t.FirstByte, t.BetweenBytes)
	for _, f := range s.statedFacts() {
		b.WriteString("\x00" + f.Key + "=" + f.Value)
	}
	return b.String()
}
