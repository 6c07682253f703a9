package provider

import (
	"net/http"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/provider"
)

// Open returns the model named "provider/name". Options replace the values that the table of providers and the
// environment give. Open sends nothing. An unknown provider without a base address is an error of KindInvalid, a
// missing key is one of KindAuth.
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

// An Option changes how Open reaches a model.
type Option func(*config)

type config = provider.Config

// WithKey sets the API key, "env:NAME" for the environment variable that holds it, or "file:NAME" for a file, which is
// read again when it changes.
func WithKey(key string) Option { return func(c *config) { c.APIKey = provider.NewSecret(key) } }

// WithBaseURL sets the base address in the form that the official SDK of the wire takes: with /v1 for openai and
// responses, without a version for the others.
func WithBaseURL(base string) Option { return func(c *config) { c.BaseURL = base } }

// WithWire sets the API that the provider speaks. The default is the table's, else openai.
func WithWire(name callwright.WireName) Option { return func(c *config) { c.Wire = name } }

// WithHeader adds a header to every request. A value "env:NAME" is read from the environment, "file:NAME" as WithKey
// does.
func WithHeader(name, value string) Option {
	return func(c *config) {
		if c.Headers == nil {
			c.Headers = map[string]string{}
		}
		c.Headers[name] = value
	}
}

// WithRetries bounds the transport retries of one request. The default is 2.
func WithRetries(n int) Option { return func(c *config) { c.MaxRetries = &n } }

// Timeouts bound the phases of one try. Zero means the default, a negative value no bound. The context bounds a request
// as a whole.
type Timeouts struct {
	// Connect bounds making a connection, TLS included. The default is 10 s.
	Connect time.Duration
	// FirstByte bounds the wait for the head of the answer. The default is 10 min, and 1 min for a stream where another
	// model is asked next.
	FirstByte time.Duration
	// BetweenBytes bounds silence inside an answer. The default is 5 min.
	BetweenBytes time.Duration
}

// WithTimeouts sets the timeouts of each try.
func WithTimeouts(t Timeouts) Option {
	return func(c *config) { c.Timeouts = provider.Timeouts(t) }
}

// WithTransport sends the requests through t. The default is a pool of connections of the Model's own.
func WithTransport(t http.RoundTripper) Option { return func(c *config) { c.Transport = t } }

// WithMaxAnswer bounds the bytes of a whole answer and of one event of a stream. The default is 64 MiB.
func WithMaxAnswer(bytes int64) Option { return func(c *config) { c.MaxAnswer = bytes } }

// WithCaps sets facts about the model that take precedence over the shipped and the discovered ones.
func WithCaps(known caps.Caps) Option {
	return func(c *config) { c.Caps = func(string) caps.Caps { return known } }
}

// WithEdits makes edits on every request body after it is encoded.
func WithEdits(edits ...callwright.Edit) Option {
	return func(c *config) { c.Edits = append(c.Edits, edits...) }
}

// WithEnv replaces the lookup of environment variables.
func WithEnv(lookup func(name string) (value string, ok bool)) Option {
	return func(c *config) { c.Env = lookup }
}

// WithDiscovery asks the provider, beside the requests, for the capabilities of its models. Close ends it.
func WithDiscovery() Option { return func(c *config) { c.Discovery = provider.DiscoverOn } }
