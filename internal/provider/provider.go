package provider

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/provider/internal/http1"
	"github.com/callwright/callwright/internal/secretfile"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// A Provider is an endpoint of a provider: its address, credentials and connections. It is safe for concurrent use. The
// caller must close it.
type Provider struct {
	cfg       Config
	row       Row
	base      *url.URL
	header    func() http.Header // a function, so that printing a Provider does not print it; the header must not be modified
	keys      []targetKey
	targets   *targets
	files     []*secretfile.File // files with secrets in headers and keys
	codec     wire.Codec
	transport http.RoundTripper
	own       *http1.Transport // transport, if it is this Provider's own pool
	retries   int
	maxWait   time.Duration // maximum wait that the provider may demand; 0 for the default
	maxAnswer int64

	connect, firstByte, betweenBytes phase
	firstBeforeFallback              phase // firstByte of a stream whose request has a fallback

	discoverer *discoverer
	missing    atomic.Pointer[string] // why the credentials of the last request could not be obtained; nil if they were

	mu     sync.RWMutex
	models map[string]*Remote
}

// maxModels is the maximum number of models that a Provider caches. Clients choose the names.
const maxModels = 1024

// New creates a Provider from cfg. It resolves cfg by the table of built-in providers and the environment, and sends no
// request. An invalid name, address or API is an error of KindInvalid. A missing API key is an error of KindAuth.
func New(cfg Config) (*Provider, error) {
	s, err := cfg.resolve()
	if err != nil {
		return nil, err
	}
	codec, ok := codecs.Of(s.row.Wire)
	if !ok {
		return nil, invalid("%sunknown wire %q: expected %s", cfg.at("wire"), s.row.Wire, codecs.Names())
	}
	path, _ := codec.Target("model", false)
	if first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/"); strings.HasSuffix(s.base.Path, "/"+first) {
		return nil, invalid("%sexpected a base address without /%s at its end: wire %s adds it", cfg.at("base_url"), first, s.row.Wire)
	}
	cfg.Headers = nil // the header contains them, and they may be secrets
	timeouts := cfg.Timeouts.orDefault()
	p := &Provider{
		cfg: cfg, row: s.row, base: s.base, header: s.header, keys: s.keys, codec: codec,
		retries: defaultRetries, maxWait: cfg.MaxRetryWait, maxAnswer: cfg.MaxAnswer, transport: cfg.Transport, models: map[string]*Remote{},
		connect:   phase{connecting, timeouts.Connect},
		firstByte: phase{"first byte", timeouts.FirstByte}, betweenBytes: phase{"between bytes", timeouts.BetweenBytes},
	}
	p.firstBeforeFallback = p.firstByte
	if cfg.Timeouts.FirstByte == 0 {
		p.firstBeforeFallback.limit = firstByteBeforeFallback
	}
	if p.targets, err = cfg.newTargets(s); err != nil {
		return nil, err
	}
	p.files = s.files
	if cfg.MaxRetries != nil {
		p.retries = max(*cfg.MaxRetries, 0)
	}
	if p.maxAnswer <= 0 {
		p.maxAnswer = defaultMaxAnswer
	}
	if p.transport == nil {
		p.own = newPool(timeouts)
		p.transport = p.own
	}
	if cfg.Around != nil {
		p.transport = cfg.Around(codec.Name(), p.transport)
	}
	p.discoverer = newDiscoverer(p)
	return p, nil
}

// Name returns the provider's name.
func (p *Provider) Name() string { return p.cfg.Name }

// Wire returns the API of the provider.
func (p *Provider) Wire() callwright.WireName { return p.row.Wire }

// Quirks returns the quirks of the provider. The caller may modify the list.
func (p *Provider) Quirks() []Quirk { return slices.Clone(p.row.Quirks) }

// Close closes idle connections and stops discovery. Requests in flight continue, and their connections are closed
// afterwards. It does not close a Transport from the Config.
func (p *Provider) Close() {
	p.discoverer.close()
	if p.own != nil {
		p.own.CloseIdleConnections()
	}
}

// Format prints only the provider's name and address, for every verb.
func (p *Provider) Format(f fmt.State, _ rune) {
	io.WriteString(f, "provider "+p.cfg.Name+" at "+p.redactURL(p.base))
}

// Model returns the model of that name at this provider. The Remote is cached. Model sends no request.
func (p *Provider) Model(name string) *Remote {
	p.mu.RLock()
	r := p.models[name]
	p.mu.RUnlock()
	if r != nil {
		return r
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.models[name]; r != nil {
		return r
	}
	if len(p.models) >= maxModels {
		for other := range p.models { // removes any model; only the state of its circuit breaker is lost
			delete(p.models, other)
			break
		}
	}
	r = p.newRemote(name)
	p.models[name] = r
	return r
}

func (p *Provider) newRemote(name string) *Remote {
	r := &Remote{
		p: p, name: name, id: callwright.ModelID(p.cfg.Name + "/" + name),
		shipped:         caps.ShippedFor(p.cfg.Name, name).Over(caps.ShippedForWire(string(p.row.Wire))),
		wholePrototype:  p.prototype(p.target(name, false), "application/json"),
		streamPrototype: p.prototype(p.target(name, true), streamType(p.codec)),
		breaker:         newBreaker(p.cfg.Breaker),
	}
	if p.cfg.Caps != nil {
		r.configured = p.cfg.Caps(name).From(caps.Configured)
	}
	r.addTargets()
	known := r.Knowing(caps.Caps{})
	r.known.Store(&known)
	return r
}

// target returns the URL for requests to a model, for a complete or a streamed response.
func (p *Provider) target(name string, stream bool) *url.URL {
	if path := p.row.Answers.of(name, stream); path != "" {
		return p.join(path, "")
	}
	path, query := p.codec.Target(name, stream)
	return p.join(p.row.Path.Of(path), query)
}

// join returns the base address with path appended, which may contain escaped characters, and query added.
func (p *Provider) join(path, query string) *url.URL {
	u := *p.base
	if plain, err := url.PathUnescape(path); err == nil {
		u.Path, u.RawPath = p.base.Path+plain, p.base.EscapedPath()+path
	} else {
		u.Path = p.base.Path + path
	}
	switch {
	case u.RawQuery == "":
		u.RawQuery = query
	case query != "":
		u.RawQuery += "&" + query
	}
	return &u
}

// redactURL returns a URL for people. It omits the query if the base address has one, since that may contain a secret.
func (p *Provider) redactURL(u *url.URL) string {
	v := *u
	if p.base.RawQuery != "" {
		v.RawQuery = ""
	}
	return v.String()
}

func streamType(c wire.Codec) string {
	if c.StreamsJSONLines() {
		return "application/x-ndjson"
	}
	return "text/event-stream"
}
