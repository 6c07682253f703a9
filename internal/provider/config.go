package provider

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/secretfile"
)

// A Config describes a provider. For a built-in provider (see [Rows]) all fields except Name may be empty.
type Config struct {
	Name string
	// Path is the path of the provider in a configuration file, such as providers.groq. Errors begin with it and the name
	// of the setting. It is empty if there is no file.
	Path string
	// Wire is the API of the provider. The default is the built-in provider's API, else openai.
	Wire callwright.WireName
	// BaseURL is the base address as the official SDK of the API expects it: with /v1 for openai, without a version for
	// anthropic.
	BaseURL string
	// APIKey is the API key, "env:NAME" for an environment variable, or "file:NAME" for a file that is reloaded when it
	// changes. Empty means the variable of the built-in provider. A local provider and a custom BaseURL need no key.
	APIKey Secret
	// Keys are several API keys in place of APIKey, and Hosts are several base addresses in place of BaseURL. Requests are
	// distributed over all pairs of a key and a host.
	Keys  []WeightedKey
	Hosts []WeightedURL
	// Targets is the state of keys and hosts, which Providers may share. Nil means a separate state for this Provider.
	Targets *Targets
	Credentials
	// Headers are sent with every request. A value may be "env:NAME" or "file:NAME", as in APIKey.
	Headers map[string]string
	// MaxRetries is the maximum number of retries of a request. Nil means 2.
	MaxRetries *int
	// MaxRetryWait is the maximum total time of the waits in a request that the provider demands by Retry-After. 0 means 2
	// s for a request with a fallback and 10 s without.
	MaxRetryWait time.Duration
	// RetryOn are the kinds of errors after which a request is retried. Nil means all transient errors. RetryPause is the
	// pause before the first retry, which doubles with each further one. 0 means 0.5 s.
	RetryOn    []callwright.Kind
	RetryPause time.Duration
	Breaker    BreakerLimits
	Timeouts   Timeouts
	// Skipped is set for a replay of recorded responses. It returns the kind of error for which the next request to a
	// model was skipped in the recording and the duration of the skip, or 0 if the request was sent. Models are then not
	// skipped for any other reason.
	Skipped func(model string) (callwright.Kind, time.Duration)
	// MaxAnswer is the maximum size in bytes of a complete response and of one event of a stream. 0 means 64 MiB.
	MaxAnswer int64
	// Caps returns the configured facts about a model, which override the built-in ones. It may be nil.
	Caps func(model string) caps.Caps
	// Discovery decides whether the provider is asked for the capabilities of its models, in addition to requests.
	// Discovered facts override built-in facts. Configured facts override both.
	Discovery Discovery
	// Listed is called with each model list from the provider. complete reports whether it contains all models. It must
	// not change models. It may be nil.
	Listed func(models []Listing, complete bool)
	// Edits are applied to every encoded request body, before the edits of the request.
	Edits []callwright.Edit
	// Transport sends the requests. Nil means a separate connection pool for this Provider.
	Transport http.RoundTripper
	// Around wraps the transport. spoken is the API of the provider. It may be nil.
	Around func(spoken callwright.WireName, next http.RoundTripper) http.RoundTripper
	// Env looks up environment variables. Nil means os.LookupEnv.
	Env func(name string) (value string, ok bool)
}

// Credentials describe credentials other than an API key. The zero Credentials mean an API key.
type Credentials struct {
	// Authorizer adds credentials to requests in place of an API key. Nil means an API key.
	Authorizer Authorizer
	// Cloud is the cloud whose table row describes a provider with an unknown name, see Row.Cloud.
	Cloud Cloud
	// Vars are the variables of a row's address, such as region, used if BaseURL is empty. Missing is the error if they
	// are unknown.
	Vars    map[string]string
	Missing error
	// Files caches files that contain secrets. Providers may share it. Nil means a separate cache for this Provider.
	Files *secretfile.Set
}

// Timeouts limit the phases of one try. 0 means the default, a negative value no limit. The whole request is limited
// only by its context.
type Timeouts struct {
	// Connect limits the time until a connection is established, including TLS. The default is 10 s.
	Connect time.Duration
	// FirstByte limits the time until the response header. A provider sends a complete response only when it is generated,
	// so the default is 10 min. It is 1 min for a stream whose request has a fallback.
	FirstByte time.Duration
	// BetweenBytes limits the time without data during a response. The default is 5 min.
	BetweenBytes time.Duration
}

const (
	defaultRetries   = 2
	defaultMaxAnswer = 64 << 20

	// The defaults of MaxRetryWait for requests with and without a fallback.
	waitBeforeFallback  = 2 * time.Second
	waitWithoutFallback = 10 * time.Second

	// The default of Timeouts.FirstByte for streams with a fallback.
	firstByteBeforeFallback = time.Minute
)

func (t Timeouts) orDefault() Timeouts {
	for _, d := range []struct {
		at   *time.Duration
		want time.Duration
	}{{&t.Connect, 10 * time.Second}, {&t.FirstByte, 10 * time.Minute}, {&t.BetweenBytes, 5 * time.Minute}} {
		switch {
		case *d.at == 0:
			*d.at = d.want
		case *d.at < 0:
			*d.at = 0
		}
	}
	return t
}

// A resolvedConfig is a validated Config with its table row, keys and headers.
type resolvedConfig struct {
	row    Row
	base   *url.URL
	keys   []targetKey
	header func() http.Header
	files  []*secretfile.File // files that contain secrets
}

// resolve completes and validates the Config by the table of built-in providers and the environment.
func (c *Config) resolve() (*resolvedConfig, *callwright.Error) {
	if c.Name == "" || strings.Contains(c.Name, "/") {
		return nil, invalid("expected the name of a provider without a slash, got %q", c.Name)
	}
	row := c.row()
	s := &resolvedConfig{row: row}
	if c.Files == nil {
		c.Files = secretfile.NewSet(nil)
	}
	if len(c.Hosts) > 0 {
		c.BaseURL = c.Hosts[0].URL
	}
	switch {
	case c.BaseURL != "":
		s.row.Base = c.BaseURL
	case row.Base == "" && row.Template != "" && c.Missing != nil:
		return nil, errorOf(c.Missing, callwright.KindAuth, opNew)
	case row.Base == "":
		s.row.Base = row.fill(c.Vars)
	}
	switch {
	case s.row.Base == "" && row.Note != "":
		return nil, invalid("%sexpected a base address: %s", c.at("base_url"), row.Note)
	case s.row.Base == "":
		return nil, invalid("unknown provider %q: expected a base address, or one of %s", c.Name, names())
	}
	var err *callwright.Error
	if s.base, err = parseBase(c.at("base_url"), s.row.Base); err != nil {
		return nil, err
	}
	if s.keys, err = c.findKeys(row); err != nil {
		return nil, err
	}
	s.header, err = c.header(s, s.keys[0].secret)
	return s, err
}

// row returns the table row of the provider.
func (c *Config) row() Row { return rowFor(c.Name, c.Wire, c.Cloud) }

// HasKey reports whether the API key that requests need is available, or none is needed.
func (c *Config) HasKey() bool {
	_, err := c.findKeys(c.row())
	return err == nil
}

func (c *Config) keyVariable(row Row) string {
	if c.Authorizer != nil {
		return ""
	}
	written := c.APIKey.Reveal()
	if variable, named := strings.CutPrefix(written, "env:"); named || written != "" {
		if !named {
			variable = ""
		}
		return variable
	}
	return row.Key
}

// findKey returns the API key from the Config or the environment. A missing key is an error only if the provider needs
// one.
func (c *Config) findKey(row Row) (Secret, *callwright.Error) {
	written, variable := c.APIKey.Reveal(), c.keyVariable(row)
	named := strings.HasPrefix(written, "env:")
	path, inFile := c.APIKey.File()
	switch {
	case c.Authorizer != nil:
		return Secret{}, nil
	case inFile:
		_, err := c.secretIn("api_key", path)
		return c.APIKey, err
	case written != "" && !named:
		return c.APIKey, nil
	}
	if variable != "" {
		if v, ok := c.lookup(variable); ok && strings.TrimSpace(v) != "" {
			return NewSecret(strings.TrimSpace(v)), nil
		}
	}
	if !named && (variable == "" || row.Local || row.Auth == NoAuth || c.BaseURL != "") {
		return Secret{}, nil
	}
	e := invalid("%s", c.unset("api_key", variable, " with a key of "+c.Name))
	e.Kind = callwright.KindAuth
	return Secret{}, e
}

func (c *Config) lookup(name string) (string, bool) {
	if c.Env != nil {
		return c.Env(name)
	}
	return os.LookupEnv(name)
}

// header returns a function that returns the header of every request with the given API key. Callers must not modify
// that header.
func (c *Config) header(s *resolvedConfig, key Secret) (func() http.Header, *callwright.Error) {
	row, h, live := s.row, http.Header{}, &liveHeader{}
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", "callwright")
	for name, value := range row.Headers {
		h.Set(name, value)
	}
	if !key.Empty() {
		name, value := row.Auth.Header(key.Reveal())
		if path, ok := key.File(); ok && name != "" {
			if err := c.addLive(s, live, "api_key", name, path, row.Auth.Header); err != nil {
				return nil, err
			}
		} else if name != "" {
			h.Set(name, value)
		}
	}
	for name, value := range c.Headers {
		h.Del(name)
		live.remove(name)
		if path, ok := NewSecret(value).File(); ok {
			if err := c.addLive(s, live, "headers."+name, name, path, nil); err != nil {
				return nil, err
			}
			continue
		}
		if variable, ok := strings.CutPrefix(value, "env:"); ok {
			if value, ok = c.lookup(variable); !ok {
				return nil, invalid("%s", c.unset("headers."+name, variable, " with the value of the header"))
			}
		}
		h.Set(name, value)
	}
	for name, values := range live.headerToCheck(h) {
		if !token(name) || strings.ContainsFunc(values[0], func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return nil, invalid("%sthe header %q cannot be sent: expected a header name and a value on one line", c.at("headers"), name)
		}
	}
	return live.over(h), nil
}

// token reports whether name is a valid name of an HTTP header.
func token(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// parseBase parses a base address: http or https, with a host and without credentials. A query is sent with every
// request, since older Azure APIs need api-version. at is the prefix of errors.
func parseBase(at, base string) (*url.URL, *callwright.Error) {
	u, err := url.Parse(base)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, invalid("%sexpected a base address with http:// or https://", at)
	case u.User != nil:
		return nil, invalid("%sexpected a base address without credentials: they belong in the key", at)
	}
	u.Path, u.RawPath, u.Fragment = strings.TrimRight(u.Path, "/"), "", ""
	return u, nil
}

// names returns the names of the built-in providers, separated by commas, for an error.
func names() string {
	var b strings.Builder
	for i, r := range rows {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(r.Name)
	}
	return b.String()
}
