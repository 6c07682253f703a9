package conformance

import (
	"cmp"
	"net/http"
	"time"
)

// Options say which server is checked and bound the requests. API, URL and Model are required; [Find] gives the URL of
// a server.
type Options struct {
	API   string // one of [APIs]
	URL   string // the address of the server, with or without the version of the API
	Model string

	Key         string      // is sent as the API wants it; "" sends none
	KeyVariable string      // the name of the environment variable that has the key, for the lines that are shown
	KeyHeader   string      // the name of the field that has the key alone; "" sends it as the API wants it
	Header      http.Header // is sent with every request, and shown by name alone

	Timeout     time.Duration // of one request; 0 means 2 minutes
	Silence     time.Duration // the longest pause in a stream; 0 means 1 minute
	MaxTokens   int           // of the output of one request; 0 means 1024
	Tries       int           // of a model check; 0 means 3
	Concurrency int           // requests at a time; 0 means 2
	Areas       []string      // only checks of these areas; empty means all

	// Prompt rewrites each text that the model reads last. It is for models that answer to words of their own.
	Prompt    func(text string) string
	Transport http.RoundTripper
	Progress  func(Check) // is called for each check when its result is known, again where it changes, by one goroutine at a time
}

// The defaults of Options. Idle connections are closed after 60 s by nginx:
// https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_read_timeout
const (
	defaultTimeout     = 2 * time.Minute
	defaultSilence     = time.Minute
	defaultMaxTokens   = 1024
	defaultTries       = 3
	defaultConcurrency = 2
)

// withDefaults returns the options with the defaults in place of zero values.
func (o Options) withDefaults() Options {
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	o.Silence = cmp.Or(o.Silence, defaultSilence)
	o.MaxTokens = cmp.Or(o.MaxTokens, defaultMaxTokens)
	o.Tries = cmp.Or(o.Tries, defaultTries)
	o.Concurrency = max(1, cmp.Or(o.Concurrency, defaultConcurrency))
	o.KeyVariable = cmp.Or(o.KeyVariable, "API_KEY")
	return o
}
