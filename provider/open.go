package provider

import (
	"net/http"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/provider"
)

// Open returns the model named "provider/name". Options override the values of the provider table and the environment.
// Open sends nothing. An unknown provider without WithBaseURL is an error of KindInvalid. A missing API key is an
// error of KindAuth.
func Open(model string, opts ...Option) (*Model, error) {
	var cfg config
	for _, o := range opts {
		o(&cfg)
	}
	r, err := provider.Open(model, cfg)
	if err != nil {
		return nil, err
	}
	return &Model{remote: r}, nil
}

// An Option is a setting of [Open], such as a host or a key.
type Option func(*config)

type config = provider.Config

// WithKey sets the API key. "env:NAME" reads it from the environment variable NAME. "file:NAME" reads it from the file
// NAME, again whenever the file changes.
func WithKey(key string) Option { return func(c *config) { c.APIKey = provider.NewSecret(key) } }

// WithBaseURL sets the base URL in the format of the official SDK of the API: with /v1 for openai and responses,
// without a version for the other APIs.
func WithBaseURL(base string) Option { return func(c *config) { c.BaseURL = base } }

// WithWire sets the HTTP API of the provider. The default is the API in the provider table, or openai for a provider
// that the table lacks.
func WithWire(name callwright.WireName) Option { return func(c *config) { c.Wire = name } }

// WithHeader adds a header to every request. A value "env:NAME" or "file:NAME" is read as by WithKey.
func WithHeader(name, value string) Option {
	return func(c *config) {
		if c.Headers == nil {
			c.Headers = map[string]string{}
		}
		c.Headers[name] = value
	}
}

// WithRetries sets the maximum number of transport retries of a request. The default is 2.
func WithRetries(n int) Option { return func(c *config) { c.MaxRetries = &n } }

// Timeouts limit the phases of one HTTP try. Zero means the default, a negative value means no limit. To limit a
// request as a whole, use its context.
type Timeouts struct {
	// Connect limits connection setup, including TLS. The default is 10 s.
	Connect time.Duration
	// FirstByte limits the wait for the response header. The default is 10 min, or 1 min for a stream if a fallback model
	// follows.
	FirstByte time.Duration
	// BetweenBytes limits each pause within a response body. The default is 5 min.
	BetweenBytes time.Duration
}

// WithTimeouts sets the timeouts of each HTTP try.
func WithTimeouts(t Timeouts) Option {
	return func(c *config) { c.Timeouts = provider.Timeouts(t) }
}

// WithTransport sends requests through t. By default each Model returned by Open has its own connection pool.
func WithTransport(t http.RoundTripper) Option { return func(c *config) { c.Transport = t } }

// WithMaxAnswer limits the size of a complete response, and of one event of a stream, in bytes. The default is 64 MiB.
func WithMaxAnswer(bytes int64) Option { return func(c *config) { c.MaxAnswer = bytes } }

// WithCaps sets facts about the model. They override shipped and discovered facts.
func WithCaps(known caps.Caps) Option {
	return func(c *config) { c.Caps = func(string) caps.Caps { return known } }
}

// WithEdits applies edits to every encoded request body.
func WithEdits(edits ...callwright.Edit) Option {
	return func(c *config) { c.Edits = append(c.Edits, edits...) }
}

// WithEnv replaces os.LookupEnv as the source of environment variables.
func WithEnv(lookup func(name string) (value string, ok bool)) Option {
	return func(c *config) { c.Env = lookup }
}

// WithDiscovery requests the capabilities of the provider's models in the background. Close stops it.
func WithDiscovery() Option { return func(c *config) { c.Discovery = provider.DiscoverOn } }
