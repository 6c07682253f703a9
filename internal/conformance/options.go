package conformance

import (
	"cmp"
	"net/http"
	"time"
)

// Options configure a run. API, URL and Model are required. [Find] determines the APIs and models of a server.
type Options struct {
	API   string // one of [APIs]
	URL   string // URL of the server, with or without the API version
	Model string

	Key         string      // API key, sent in the header of the API; "" sends none
	KeyVariable string      // environment variable for the key in displayed curl commands; "" means API_KEY
	KeyHeader   string      // header that contains only the key, in place of that of the API; "" for none
	Header      http.Header // additional headers of each request; their values are not displayed

	Timeout     time.Duration // time limit of a request; 0 means 2 minutes
	Silence     time.Duration // maximum pause in a stream; 0 means 1 minute
	MaxTokens   int           // maximum output tokens of a request; 0 means 1024
	Tries       int           // maximum tries of a model check; 0 means 3
	Concurrency int           // maximum concurrent requests; 0 means 2
	Areas       []string      // areas of the checks to run; empty means all

	// Prompt, if not nil, rewrites the last text of each request, for models that need a special syntax.
	Prompt    func(text string) string
	Transport http.RoundTripper
	Progress  func(Check) // called with each new or changed result, never concurrently
}

// The defaults of Options. The maximum pause is the default after which nginx closes a connection:
// https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_read_timeout
const (
	defaultTimeout     = 2 * time.Minute
	defaultSilence     = time.Minute
	defaultMaxTokens   = 1024
	defaultTries       = 3
	defaultConcurrency = 2
)

// withDefaults returns the options with defaults for zero values.
func (o Options) withDefaults() Options {
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	o.Silence = cmp.Or(o.Silence, defaultSilence)
	o.MaxTokens = cmp.Or(o.MaxTokens, defaultMaxTokens)
	o.Tries = cmp.Or(o.Tries, defaultTries)
	o.Concurrency = max(1, cmp.Or(o.Concurrency, defaultConcurrency))
	o.KeyVariable = cmp.Or(o.KeyVariable, "API_KEY")
	return o
}
