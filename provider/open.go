package provider

import (
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// Open returns the model of that name, "provider/name", through a Provider and a pool of connections of its own. What the
// options leave open comes from the table and the environment, as New says. Programs that use several models of one
// provider make a Provider and share it.
func Open(model string, opts ...Option) (*Remote, error) {
	name, rest := callwright.ModelID(model).Split()
	if name == "" || rest == "" {
		return nil, invalid("expected a model as provider/name, got %q", model)
	}
	cfg := Config{Name: name}
	for _, o := range opts {
		o(&cfg)
	}
	p, err := New(cfg)
	if err != nil {
		return nil, err
	}
	return p.Model(rest), nil
}

// An Option changes the Config with which Open makes its Provider.
type Option func(*Config)

// WithKey sets the key, or "env:NAME" to read it from the environment.
func WithKey(key Secret) Option { return func(c *Config) { c.APIKey = key } }

// WithBaseURL sets the base address.
func WithBaseURL(base string) Option { return func(c *Config) { c.BaseURL = base } }

// WithWire says which API the provider speaks.
func WithWire(name callwright.WireName) Option { return func(c *Config) { c.Wire = name } }

// WithHeader adds a header to every request.
func WithHeader(name, value string) Option {
	return func(c *Config) {
		if c.Headers == nil {
			c.Headers = map[string]string{}
		}
		c.Headers[name] = value
	}
}

// WithRetries bounds the further tries of one request.
func WithRetries(n int) Option { return func(c *Config) { c.MaxRetries = &n } }

// WithTimeouts bounds the phases of one try.
func WithTimeouts(t Timeouts) Option { return func(c *Config) { c.Timeouts = t } }

// WithTransport sends the requests through t.
func WithTransport(t http.RoundTripper) Option { return func(c *Config) { c.Transport = t } }

// WithCaps lays what is configured about the model over what is shipped.
func WithCaps(known caps.Caps) Option {
	return func(c *Config) { c.Caps = func(string) caps.Caps { return known } }
}

// WithEdits makes edits on every encoded body.
func WithEdits(edits ...callwright.Edit) Option {
	return func(c *Config) { c.Edits = append(c.Edits, edits...) }
}

// WithEnv looks environment variables up by lookup.
func WithEnv(lookup func(name string) (value string, ok bool)) Option {
	return func(c *Config) { c.Env = lookup }
}

// WithDiscovery says whether the provider is asked, beside requests, what its models can do. Close its Provider in the end.
func WithDiscovery(d Discovery) Option { return func(c *Config) { c.Discovery = d } }
