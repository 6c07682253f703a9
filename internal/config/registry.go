package config

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config/internal/insideplay"
	"github.com/callwright/callwright/internal/config/internal/modellist"
	"github.com/callwright/callwright/internal/config/internal/tuned"
	"github.com/callwright/callwright/internal/config/internal/unusable"
	"github.com/callwright/callwright/internal/factfile"
	"github.com/callwright/callwright/internal/modestat"
	"github.com/callwright/callwright/internal/probe/background"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/secretfile"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/signature"
)

// maxClients bounds the clients that are kept, and maxName their names, which come from outside.
const (
	maxClients = 512
	maxName    = 512
)

// A Registry makes clients of names. Providers are made once, clients when they are first asked for. All of them share
// the capability store, the reasoning-signature store, and the compiled schemas. It is safe for concurrent use. Close
// it when it is no longer needed.
type Registry struct {
	c           *Config
	env         func(string) (string, bool)
	now         func() time.Time
	withoutKeys bool
	around      Around
	offline     bool
	simulated   bool
	skipped     func(provider string) (callwright.Kind, time.Duration)
	sim         http.RoundTripper
	capsStore   caps.Store
	signatures  signature.Store
	schemas     *schema.Cache
	log         *slog.Logger
	ids         func(prefix string) string // nil: as a client makes them
	prober      *background.Prober         // nil where no model is to be probed
	routing     routing

	mu        sync.RWMutex
	clients   map[string]*reliable.Client
	endpoints map[endpointKey]endpoint
	bare      map[string]bool // the names of clients that have no provider in them
	changes   int             // of the lists of models, by which such names are found
	lists     *modellist.Lists
	asksLists bool
	named     map[string][]string // models by providers, as the configuration names them

	targets *provider.Targets // likewise, and of the configurations that replace one another

	authorizers map[string]provider.Authorizer // by providers, which share one: variants have the same credentials
	files       *secretfile.Set                // of secrets
}

type endpointKey struct{ name, variant string }

type endpoint struct {
	p   *provider.Provider
	err error
}

// An Option changes how a Registry works.
type Option func(*Registry)

// WithEnv looks environment variables up by lookup; the default is os.LookupEnv.
func WithEnv(lookup func(name string) (value string, ok bool)) Option {
	return func(r *Registry) { r.env = lookup }
}

// WithClock sets the source of time.
func WithClock(now func() time.Time) Option { return func(r *Registry) { r.now = now } }

// WithIDs sets the function that makes the ids of calls and reports, see [reliable.WithIDs].
func WithIDs(mint func(prefix string) string) Option { return func(r *Registry) { r.ids = mint } }

// WithLogger logs the background work of the registry: probes. The default is no log.
func WithLogger(l *slog.Logger) Option { return func(r *Registry) { r.log = l } }

// WithoutKeys accepts missing keys, for programs that only preview requests and send none.
func WithoutKeys() Option { return func(r *Registry) { r.withoutKeys = true } }

// Around returns the transport of a provider, given its default transport and the wire that is spoken.
type Around func(provider string, spoken callwright.WireName, next http.RoundTripper) http.RoundTripper

// WithSimulated lists the models of the simulator, even if no configuration names it, see [Discover].
func WithSimulated() Option { return func(r *Registry) { r.simulated = true } }

// WithTransport wraps the transports of all providers by around.
func WithTransport(around Around) Option { return func(r *Registry) { r.around = around } }

// Offline has only the transports of WithTransport answer requests, such as from a recording. No key is needed, each
// request is tried once, no other requests are made, and nothing is kept in the folder of the configuration.
func Offline() Option { return func(r *Registry) { r.offline, r.withoutKeys = true, true } }

// WithSkipped sets, for an Offline registry, a function that reports whether the next request to a provider was skipped
// when the answers were recorded. It returns the kind of failure and the time for which it skips, 0 for a sent request.
func WithSkipped(skipped func(provider string) (callwright.Kind, time.Duration)) Option {
	return func(r *Registry) { r.skipped = skipped }
}

// WithSignatures sets the reasoning-signature store, which others may share. The default is a store of the registry's
// own in memory, of the size in state.signature store.
func WithSignatures(v signature.Store) Option { return func(r *Registry) { r.signatures = v } }

// WithCapsStore sets the capability store, which others may share; the default is the folder of state.dir, or memory
// without one.
func WithCapsStore(s caps.Store) Option { return func(r *Registry) { r.capsStore = s } }

// WithTargets sets the table of the cooldowns of keys, hosts and models; the default is a table of the registry's own.
func WithTargets(t *provider.Targets) Option { return func(r *Registry) { r.targets = t } }

// withFiles shares the secret files of another registry. A file that has become unreadable keeps its last secret.
func withFiles(s *secretfile.Set) Option { return func(r *Registry) { r.files = s } }

// NewRegistry makes a Registry of a configuration, which must not change afterwards. A name in the configuration that
// cannot be resolved is an error, as in Parse. A provider that cannot be used is an error only for requests to its
// models.
func NewRegistry(c *Config, opts ...Option) (*Registry, error) {
	r := &Registry{
		c: c, env: os.LookupEnv, now: time.Now, sim: insideplay.New(), schemas: schema.NewCache(0),
		clients: map[string]*reliable.Client{}, endpoints: map[endpointKey]endpoint{}, bare: map[string]bool{}, named: map[string][]string{},
		authorizers: map[string]provider.Authorizer{},
	}
	r.lists = modellist.New(func() time.Time { return r.now() }, r.listsChanged)
	for _, o := range opts {
		o(r)
	}
	if r.signatures == nil {
		r.signatures = signature.NewMemory(r.now, c.State.Signatures.Signatures())
	}
	if r.targets == nil {
		r.targets = &provider.Targets{}
	}
	if !r.offline {
		r.targets.Open()
	}
	if r.files == nil {
		r.files = secretfile.NewSet(r.now)
	}
	if err := r.openCapsStore(); err != nil {
		return nil, err
	}
	for i := range c.Models {
		m := &c.Models[i]
		if m.general() {
			continue
		}
		candidates, err := c.chain(m.Name)
		if err != nil {
			return nil, fmt.Errorf("models: %s: %w", m.Name, err)
		}
		r.addNamed(candidates)
	}
	if err := r.routing.prepare(r); err != nil {
		return nil, err
	}
	if c.probes() && !r.offline {
		r.prober = r.newProber()
	}
	return r, nil
}

// openCapsStore opens the capability store of the configuration, unless WithCapsStore has set one.
func (r *Registry) openCapsStore() error {
	if r.capsStore != nil {
		return nil
	}
	if dir := r.c.State.Dir; dir != "" && !r.offline {
		kept, err := factfile.Open(filepath.Join(dir, factsFolder), r.now)
		if err != nil {
			return fmt.Errorf("state.dir: %w: name a folder that can be written", err)
		}
		r.capsStore = kept
		return nil
	}
	r.capsStore = caps.NewMemory(r.now)
	return nil
}

// Resolve returns the client for an alias, a name that a pattern matches, provider/model, or a model that exactly one
// configured provider is known to have. An unknown name is a *callwright.Error of KindNotFound. A client whose provider
// cannot be used uses its fallbacks, and fails with KindUnavailable without one.
func (r *Registry) Resolve(name string) (*reliable.Client, error) {
	r.mu.RLock()
	client := r.clients[name]
	r.mu.RUnlock()
	if client != nil {
		return client, nil
	}
	if len(name) > maxName {
		return nil, notFound(fmt.Errorf("expected the name of a model of at most %d bytes, got %d", maxName, len(name)))
	}
	name = strings.Clone(name) // it is kept, and may be a piece of a longer text, such as a request's address
	r.mu.RLock()
	changes := r.changes
	r.mu.RUnlock()
	candidates, err := r.chain(name)
	if err != nil {
		return nil, notFound(err)
	}
	client, whole, err := r.openName(candidates)
	if err != nil || !whole {
		return client, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	isBare := candidates[0].trail[0] != name
	if first := r.clients[name]; first != nil {
		return first, nil
	} else if isBare && changes != r.changes {
		return client, nil // the provider may be another one for the next request
	}
	if len(r.clients) >= maxClients {
		for other := range r.clients { // any of them: it is made again when it is asked for
			delete(r.clients, other)
			delete(r.bare, other)
			break
		}
	}
	r.clients[name] = client
	if isBare {
		r.bare[name] = true
	}
	return client, nil
}

// notFound returns the error of a name that cannot be resolved.
func notFound(err error) error {
	return &callwright.Error{Kind: callwright.KindNotFound, Code: "model_not_found", Message: err.Error()}
}

// open makes the client of a name by its fallback chain. as, if not nil, wraps the first model. whole reports whether
// the client may be kept, since the provider of its first model can be used. Otherwise, such as without a key, the
// client uses the fallbacks, and is made again for the next request.
func (r *Registry) open(candidates []*found, as func(callwright.Model) callwright.Model) (client *reliable.Client, whole bool, err error) {
	var first callwright.Model
	var models []callwright.Model
	whole = true
	for i, f := range candidates {
		m, err := r.model(f)
		switch {
		case err == nil && i == 0:
			first = m
		case err == nil:
			models = append(models, m)
		case i == 0:
			whole = false
			first = unusable.New(f.id, unavailable(f.id, err))
		} // a fallback that cannot be used is none; the warnings of the configuration speak of it
	}
	formats := toolFormats(candidates)
	marks, err := reading(formats)
	if err != nil {
		return nil, false, &callwright.Error{Kind: callwright.KindInvalid, Message: err.Error()}
	}
	opts := append(append(candidates[0].settings.options(formats), marks...),
		reliable.WithCapsStore(r.capsStore), reliable.WithSignatures(r.signatures), reliable.WithIDs(r.ids),
		reliable.WithSchemas(r.schemas), reliable.WithClock(r.now), reliable.WithFallback(models...))
	if as != nil {
		first = as(first)
	}
	return reliable.New(first, opts...), whole, nil
}

// unavailable returns the error of a model whose provider cannot be used: of authentication for a missing key, and of
// availability for all other reasons.
func unavailable(id callwright.ModelID, err error) *callwright.Error {
	kind := callwright.KindUnavailable
	if callwright.KindOf(err) == callwright.KindAuth {
		kind = callwright.KindAuth
	}
	return &callwright.Error{Kind: kind, Model: id, Message: plain(err), NoRetry: true}
}

// Forget drops the facts of a key about the model of a name, or all of its facts if key is empty. It returns the
// dropped facts. An unknown name and a folder that cannot be written are errors.
func (r *Registry) Forget(ctx context.Context, name, key string) ([]caps.Fact, error) {
	candidates, err := r.chain(name)
	if err != nil {
		return nil, err
	}
	id := string(candidates[0].id)
	facts, err := r.capsStore.Facts(ctx, id)
	if err != nil {
		return nil, err
	}
	if key != "" {
		facts = slices.DeleteFunc(slices.Clone(facts), func(f caps.Fact) bool { return f.Key != key })
	}
	return facts, r.capsStore.Forget(ctx, id, key)
}

// Direct returns the model of a name as its provider has it: without fallbacks and without repairs. An unknown name and
// a provider that cannot be used are errors.
func (r *Registry) Direct(name string) (callwright.Model, error) {
	candidates, err := r.chain(name)
	if err != nil {
		return nil, notFound(err)
	}
	f := *candidates[0]
	f.settings.Probe = ProbeOff // direct callers know the purpose of their request
	return r.model(&f)
}

// Learn adds facts about the model of a name to the capability store. A measurement of the modes replaces the counts of
// traffic. An unknown name, an unknown fact and a folder that cannot be written are errors.
func (r *Registry) Learn(ctx context.Context, name string, facts []caps.Fact) error {
	candidates, err := r.chain(name)
	if err != nil {
		return err
	}
	for _, f := range facts {
		if f.Key == modestat.Fact && f.Source == caps.Probed {
			if err := r.capsStore.Forget(ctx, string(candidates[0].id), f.Key); err != nil {
				return err
			}
		}
		if err := r.capsStore.Learn(ctx, string(candidates[0].id), f); err != nil {
			return err
		}
	}
	return nil
}

// model returns the model of a resolved name, with its settings.
func (r *Registry) model(f *found) (callwright.Model, error) {
	p, err := r.provider(f.provider, &f.settings)
	if err != nil {
		return nil, err
	}
	s, err := f.settings.tuning(r.prober)
	if err != nil {
		return nil, err
	}
	_, name := f.id.Split()
	if s.FallbackOn = kindsOf(f.on); r.routing.records != nil {
		s.Attempted = r.routing.records.Add
	}
	return tuned.New(p.Model(name), s), nil
}

// provider returns the endpoint of a provider for models with these settings, made on first use. A failed one is tried
// again: a key may have come.
func (r *Registry) provider(p Provider, s *Settings) (*provider.Provider, error) {
	key := endpointKey{p.Name, s.variant()}
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.endpoints[key]; ok && e.err == nil {
		return e.p, nil
	}
	cfg := p.endpoint(s, r.env)
	cfg.Targets, cfg.Files = r.targets, r.files
	cfg.Listed = func(models []provider.Listing, complete bool) { r.lists.Put(p.Name, models, complete) }
	cfg.Discovery = cmp.Or(p.Discover, r.c.Discover, provider.DiscoverAuto)
	if p.isSimulator() {
		cfg.Discovery = provider.DiscoverOff
		insideplay.Play(&cfg, r.sim)
	}
	if r.around != nil {
		cfg.Around = func(spoken callwright.WireName, next http.RoundTripper) http.RoundTripper {
			return r.around(p.Name, spoken, next)
		}
	}
	if r.offline {
		cfg.Keys, cfg.Hosts = nil, nil
		cfg.Discovery, cfg.MaxRetries, cfg.Skipped = provider.DiscoverOff, new(int),
			func(string) (kind callwright.Kind, left time.Duration) { return "", 0 }
		if r.skipped != nil {
			cfg.Skipped = func(string) (callwright.Kind, time.Duration) { return r.skipped(p.Name) }
		}
	}
	var made *provider.Provider
	err := r.authorize(&cfg, &p)
	if err == nil {
		made, err = provider.New(cfg)
	}
	if r.withoutKeys && callwright.KindOf(err) == callwright.KindAuth {
		cfg.WithoutCredentials()
		made, err = provider.New(cfg)
	}
	r.endpoints[key] = endpoint{made, err}
	return made, err
}

// Close stops the background work and the requests for capabilities, and closes idle connections. Requests in flight
// are not disturbed.
func (r *Registry) Close() {
	if r.prober != nil {
		r.prober.Close()
	}
	r.mu.RLock()
	made := slices.Collect(maps.Values(r.endpoints))
	r.mu.RUnlock()
	for _, e := range made { // requests of an endpoint for capabilities may still call the registry
		if e.p != nil {
			e.p.Close()
		}
	}
	r.mu.RLock()
	authorizers := slices.Collect(maps.Values(r.authorizers))
	r.mu.RUnlock()
	for _, a := range authorizers {
		closeAuthorizer(a)
	}
}
