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

// A Provider is an endpoint: its address, its credentials, its connections. It is safe for concurrent use. Close it
// when it is no longer needed.
type Provider struct {
	cfg       Config
	row       Row
	base      *url.URL
	header    func() http.Header // behind a function, so that printing does not reach it; never written to
	keys      []targetKey
	targets   *targets
	files     []*secretfile.File // that have secrets of its own
	codec     wire.Codec
	transport http.RoundTripper
	own       *http1.Transport // the pool, where it is the Provider's own
	retries   int
	maxWait   time.Duration // that the provider may ask for, 0 for the default
	maxAnswer int64

	connect, firstByte, betweenBytes phase
	firstBeforeFallback              phase // firstByte of a stream where another model is asked next

	discoverer *discoverer
	missing    atomic.Pointer[string] // why the last request had no credentials, nil where it had some

	mu     sync.RWMutex
	models map[string]*Remote
}

// maxModels bounds the models that a Provider keeps: names come from clients.
const maxModels = 1024

// New makes a Provider of cfg. It resolves cfg by the table and the environment, and sends nothing. An invalid name,
// address or wire is an error of KindInvalid, a missing key one of KindAuth.
func New(cfg Config) (*Provider, error) {
	s, err := cfg.resolve()
	if err != nil {
		return nil, err
	}
	codec, ok := codecs.Of(s.row.Wire)
	if !ok {
		return nil, invalid("%swire %q cannot be spoken: expected %s", cfg.at("wire"), s.row.Wire, codecs.Names())
	}
	path, _ := codec.Target("model", false)
	if first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/"); strings.HasSuffix(s.base.Path, "/"+first) {
		return nil, invalid("%sexpected a base address without /%s at its end: wire %s adds it", cfg.at("base_url"), first, s.row.Wire)
	}
	cfg.Headers = nil // they are in the header now, and may be secrets
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

// Wire returns the API that the provider speaks.
func (p *Provider) Wire() callwright.WireName { return p.row.Wire }

// Quirks returns the quirks that the provider has. The caller owns the list.
func (p *Provider) Quirks() []Quirk { return slices.Clone(p.row.Quirks) }

// Close closes idle connections and stops discovery. Requests in flight are not disturbed; their connections are closed
// soon after. A Transport from the Config is left open.
func (p *Provider) Close() {
	p.discoverer.close()
	if p.own != nil {
		p.own.CloseIdleConnections()
	}
}

// Format prints the provider's name and address and nothing else, whatever the verb.
func (p *Provider) Format(f fmt.State, _ rune) {
	io.WriteString(f, "provider "+p.cfg.Name+" at "+p.redactURL(p.base))
}

// Model returns the model of that name at this provider. It is cheap: the Remote of a name is kept for the next call.
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
		for other := range p.models { // any of them: only the state of its breaker is lost
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

// target returns the address of a model's answers.
func (p *Provider) target(name string, stream bool) *url.URL {
	if path := p.row.Answers.of(name, stream); path != "" {
		return p.join(path, "")
	}
	path, query := p.codec.Target(name, stream)
	return p.join(p.row.Path.Of(path), query)
}

// join returns the base address with a path and a query added. The path may hold escaped characters.
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

// redactURL returns an address for people: without the base address's own query, which may hold more than they should
// see.
func (p *Provider) redactURL(u *url.URL) string {
	v := *u
	if p.base.RawQuery != "" {
		v.RawQuery = ""
	}
	return v.String()
}

func streamType(c wire.Codec) string {
	if c.Lines() {
		return "application/x-ndjson"
	}
	return "text/event-stream"
}
