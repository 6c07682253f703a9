package provider_test

import (
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/provider"
)

// An option changes the Config of a test's model.
type option func(*provider.Config)

func withKey(key string) option {
	return func(c *provider.Config) { c.APIKey = provider.NewSecret(key) }
}

func withBaseURL(base string) option { return func(c *provider.Config) { c.BaseURL = base } }

func withWire(name callwright.WireName) option { return func(c *provider.Config) { c.Wire = name } }

func withRetries(n int) option { return func(c *provider.Config) { c.MaxRetries = &n } }

func withTimeouts(t provider.Timeouts) option { return func(c *provider.Config) { c.Timeouts = t } }

func withTransport(t http.RoundTripper) option { return func(c *provider.Config) { c.Transport = t } }

func withCaps(known caps.Caps) option {
	return func(c *provider.Config) { c.Caps = func(string) caps.Caps { return known } }
}

func withEnv(lookup func(name string) (string, bool)) option {
	return func(c *provider.Config) { c.Env = lookup }
}

func withDiscovery(d provider.Discovery) option { return func(c *provider.Config) { c.Discovery = d } }

// openModel opens a model with the options.
func openModel(model string, opts ...option) (*provider.Remote, error) {
	var cfg provider.Config
	for _, o := range opts {
		o(&cfg)
	}
	return provider.Open(model, cfg)
}
