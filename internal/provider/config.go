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

// A Config describes a provider. For a name in the table (see Rows) all other fields may be empty.
type Config struct {
	Name string
	// Path is the place of the provider in a configuration, such as providers.groq: errors begin with it, and with the
	// setting behind it. Empty is for programs.
	Path string
	// Wire is the API that the provider speaks: from the table, else openai.
	Wire callwright.WireName
	// BaseURL is the base address in the form of the wire's official SDK: with /v1 for openai, without a version for
	// anthropic.
	BaseURL string
	// APIKey is the key, "env:NAME", or "file:NAME" for a file that is read again when it changes. Empty means the
	// variable that the table names; a local provider, and one at an address of its own, need none.
	APIKey Secret
	// Keys are several keys in place of APIKey, and Hosts several base addresses in place of BaseURL: each pair of them
	// is a target of requests.
	Keys  []WeightedKey
	Hosts []WeightedURL
	// Targets has the state of keys and hosts; Providers of the same ones share it. Nil: this Provider's own.
	Targets *Targets
	Credentials
	// Headers are sent with every request; a value "env:NAME" is read from the environment, "file:NAME" as a key is.
	Headers map[string]string
	// MaxRetries bounds the further tries of one request; nil means 2.
	MaxRetries *int
	// MaxRetryWait is the longest wait, of all tries of one request together, that the provider may ask for
	// (retry-after); 0 means 2 s where the request has a fallback and 10 s where it has none.
	MaxRetryWait time.Duration
	// RetryOn are the kinds of failures after which a request is tried again; nil means all that are transient.
	// RetryPause is the pause before the second try, which doubles with each further one; 0 means half a second.
	RetryOn    []callwright.Kind
	RetryPause time.Duration
	Breaker    BreakerLimits
	Timeouts   Timeouts
	// Skipped returns, for recorded answers, the kind of failure for which the next request of a model was skipped, and
	// the time, 0 for a request that was sent. No model is skipped for another reason. It is nil if the answers are not
	// recorded.
	Skipped func(model string) (callwright.Kind, time.Duration)
	// MaxAnswer bounds the bytes of a whole answer and of one event of a stream; 0 means 64 MiB.
	MaxAnswer int64
	// Caps returns the configured facts about a model, which override the shipped ones. Nil configures none.
	Caps func(model string) caps.Caps
	// Discovery is the mode of asking the provider for the capabilities of its models, beside requests. Discovered facts
	// override shipped ones. Configured facts override both.
	Discovery Discovery
	// Listed is called with each list of models that the provider gives; a complete one has all that it has. The models
	// are not changed. Nil calls nothing.
	Listed func(models []Listing, complete bool)
	// Edits are made on every encoded body, before those of the request.
	Edits []callwright.Edit
	// Transport sends the requests. Nil means a pool of connections of the Provider's own.
	Transport http.RoundTripper
	// Around wraps that transport, given the wire that is spoken. Nil leaves it unwrapped.
	Around func(spoken callwright.WireName, next http.RoundTripper) http.RoundTripper
	// Env looks environment variables up; nil means os.LookupEnv.
	Env func(name string) (value string, ok bool)
}

// Credentials are a source of credentials other than a key. The zero Credentials are for a key.
type Credentials struct {
	// Authorizer puts credentials on requests in place of a key. Nil for a key.
	Authorizer Authorizer
	// Cloud is the cloud whose rows of the table describe a provider that the table does not know by name, see Row.Cloud.
	Cloud Cloud
	// Vars are the variable parts of a row's address, such as region, if BaseURL is empty. Missing is the error if there
	// are none.
	Vars    map[string]string
	Missing error
	// Files has the files of secrets; Providers that share it look at each once. Nil: this Provider's own.
	Files *secretfile.Set
}

// Timeouts bound the phases of one try; 0 means the default, negative no bound. A request as a whole is bounded by its
// context alone.
type Timeouts struct {
	// Connect: until a new connection stands, TLS included. 10 s.
	Connect time.Duration
	// FirstByte: until the head of the answer is there. A whole answer comes when all is said, so this is long: 10 min.
	// 1 min for a stream where another model is asked next.
	FirstByte time.Duration
	// BetweenBytes: silence inside an answer. 5 min.
	BetweenBytes time.Duration
}

const (
	defaultRetries   = 2
	defaultMaxAnswer = 64 << 20

	// The default of MaxRetryWait, for requests with a fallback and without.
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

// A resolvedConfig is a Config with everything looked up and checked.
type resolvedConfig struct {
	row    Row
	base   *url.URL
	keys   []targetKey
	header func() http.Header
	files  []*secretfile.File // that have secrets
}

// resolve fills the Config from the table and the environment.
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

// row returns the row of the provider.
func (c *Config) row() Row { return rowFor(c.Name, c.Wire, c.Cloud) }

// HasKey reports whether there is the key that requests need, or they need none.
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

// findKey returns the key, from the Config or from the environment. A missing key is an error only if the provider is
// known to need one.
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

// header returns a function that returns the header of every request to this provider with a key. Callers must not
// change that header.
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

// token reports whether name can be the name of a header.
func token(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// parseBase reads a base address: http or https, with a host, without credentials. A query is kept for every request
// (an older Azure wants its api-version there). Errors begin with at.
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

// names lists the known providers for an error.
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
