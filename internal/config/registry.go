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

// maxClients is the maximum number of cached clients. maxName is the maximum length in bytes of a requested model name.
const (
	maxClients = 512
	maxName    = 512
)

// A Registry creates and caches clients for model names. It creates each provider once, and each client at the first
// request for its name. All clients share the capability store, the reasoning-signature store and the compiled schemas.
// It is safe for concurrent use. The caller must close it.
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
	ids         func(prefix string) string // nil: clients create the ids themselves
	prober      *background.Prober         // nil if no setting enables background probes
	routing     routing

	mu        sync.RWMutex
	clients   map[string]*reliable.Client
	endpoints map[endpointKey]endpoint
	bare      map[string]bool // the names of cached clients that contain no provider
	changes   int             // the number of changes of the model lists, by which names without a provider are resolved
	lists     *modellist.Lists
	asksLists bool
	named     map[string][]string // the models of each provider that the configuration names

	targets *provider.Targets // shared by clients, and by successive configurations

	authorizers map[string]provider.Authorizer // by provider; all variants of its endpoint share one
	files       *secretfile.Set                // files that contain secrets
}

type endpointKey struct{ name, variant string }

type endpoint struct {
	p   *provider.Provider
	err error
}

// An Option is an option of NewRegistry.
type Option func(*Registry)

// WithEnv makes the registry look up environment variables with lookup. The default is os.LookupEnv.
func WithEnv(lookup func(name string) (value string, ok bool)) Option {
	return func(r *Registry) { r.env = lookup }
}

// WithClock sets the function that returns the current time.
func WithClock(now func() time.Time) Option { return func(r *Registry) { r.now = now } }

// WithIDs sets the function that creates the ids of calls and reports, see [reliable.WithIDs].
func WithIDs(mint func(prefix string) string) Option { return func(r *Registry) { r.ids = mint } }

// WithLogger sets the logger for background probes. The default is no log.
func WithLogger(l *slog.Logger) Option { return func(r *Registry) { r.log = l } }

// WithoutKeys permits missing API keys, for programs that preview requests without sending them.
func WithoutKeys() Option { return func(r *Registry) { r.withoutKeys = true } }

// Around returns the HTTP transport of a provider. next is its default transport. spoken is the API of the provider.
type Around func(provider string, spoken callwright.WireName, next http.RoundTripper) http.RoundTripper

// WithSimulated makes List include the models of the simulator even if no configuration names it, see [Discover].
func WithSimulated() Option { return func(r *Registry) { r.simulated = true } }

// WithTransport wraps the HTTP transports of all providers with around.
func WithTransport(around Around) Option { return func(r *Registry) { r.around = around } }

// Offline makes only the transports of WithTransport answer requests, for example from a recording. API keys are not
// needed, requests are not retried, no other requests are sent, and nothing is written to state.dir.
func Offline() Option { return func(r *Registry) { r.offline, r.withoutKeys = true, true } }

// WithSkipped sets, for an Offline registry, a function that reports whether the next request to a provider was skipped
// in the recording. The function returns the kind of the failure and the duration of the skip, or 0 if the request was
// sent.
func WithSkipped(skipped func(provider string) (callwright.Kind, time.Duration)) Option {
	return func(r *Registry) { r.skipped = skipped }
}

// WithSignatures sets the reasoning-signature store, which may be shared. The default is a store in memory for this
// registry, with the limits in state.vault.
func WithSignatures(v signature.Store) Option { return func(r *Registry) { r.signatures = v } }

// WithCapsStore sets the capability store, which may be shared. The default is the folder of state.dir, or memory
// without state.dir.
func WithCapsStore(s caps.Store) Option { return func(r *Registry) { r.capsStore = s } }

// WithTargets sets the table of the cooldowns of API keys, hosts and models. The default is a table for this registry.
func WithTargets(t *provider.Targets) Option { return func(r *Registry) { r.targets = t } }

// withFiles makes the registry share the secret files of another registry. A file that becomes unreadable keeps its
// last secret.
func withFiles(s *secretfile.Set) Option { return func(r *Registry) { r.files = s } }

// NewRegistry creates a Registry from a configuration, which must not change afterwards. A name in the configuration
// that cannot be resolved is an error, as in Parse. A provider that cannot be used is an error only for requests to its
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

// openCapsStore opens the capability store of the configuration, unless WithCapsStore set one.
func (r *Registry) openCapsStore() error {
	if r.capsStore != nil {
		return nil
	}
	if dir := r.c.State.Dir; dir != "" && !r.offline {
		kept, err := factfile.Open(filepath.Join(dir, factsFolder), r.now)
		if err != nil {
			return fmt.Errorf("state.dir: %w: choose a writable folder", err)
		}
		r.capsStore = kept
		return nil
	}
	r.capsStore = caps.NewMemory(r.now)
	return nil
}

// Resolve returns the client for an alias, a group, a name that a pattern matches, provider/model, or a model name that
// exactly one configured provider has. An unknown name is a *callwright.Error of KindNotFound. If the provider of the
// first model cannot be used, the client uses the fallbacks, and without fallbacks its requests fail with
// KindUnavailable or KindAuth.
func (r *Registry) Resolve(name string) (*reliable.Client, error) {
	r.mu.RLock()
	client := r.clients[name]
	r.mu.RUnlock()
	if client != nil {
		return client, nil
	}
	if len(name) > maxName {
		return nil, notFound(fmt.Errorf("expected a model name of at most %d bytes, got %d", maxName, len(name)))
	}
	name = strings.Clone(name) // the name is retained, and may be a substring of a longer text such as a URL
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
		return client, nil // a later request may resolve the name to another provider
	}
	if len(r.clients) >= maxClients {
		for other := range r.clients { // removes any client; it is created again at the next request for it
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

// notFound returns the error for a name that cannot be resolved.
func notFound(err error) error {
	return &callwright.Error{Kind: callwright.KindNotFound, Code: "model_not_found", Message: err.Error()}
}

// open creates the client of a fallback chain. The function as, if not nil, wraps the first model. whole is true if the
// client may be cached: the provider of its first model can be used. Otherwise, for example if its API key is missing,
// the client uses the fallbacks and is created again for the next request.
func (r *Registry) open(candidates []*resolvedModel, as func(callwright.Model) callwright.Model) (client *reliable.Client, whole bool, err error) {
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
		} // skip a fallback that cannot be used; the warnings of the configuration mention it
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

// unavailable returns the error of a model whose provider cannot be used: KindAuth if credentials are missing, else
// KindUnavailable.
func unavailable(id callwright.ModelID, err error) *callwright.Error {
	kind := callwright.KindUnavailable
	if callwright.KindOf(err) == callwright.KindAuth {
		kind = callwright.KindAuth
	}
	return &callwright.Error{Kind: kind, Model: id, Message: plain(err), NoRetry: true}
}

// Forget deletes the learned fact with the given key about the model of a name, or all its learned facts if key is
// empty. It returns the deleted facts. An unknown name and a failure of the capability store are errors.
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

// Direct returns the model of a name without fallbacks and repairs. An unknown name and a provider that cannot be used
// are errors.
func (r *Registry) Direct(name string) (callwright.Model, error) {
	candidates, err := r.chain(name)
	if err != nil {
		return nil, notFound(err)
	}
	f := *candidates[0]
	f.settings.Probe = ProbeOff // requests of direct callers start no background probe
	return r.model(&f)
}

// Learn adds facts about the model of a name to the capability store. A probe's success rates of the modes replace the
// rates that were counted in requests. An unknown name, an unknown fact and a failure of the store are errors.
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

// model returns the model of a resolved name, with its settings applied.
func (r *Registry) model(f *resolvedModel) (callwright.Model, error) {
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

// provider returns the endpoint of a provider for models with settings s. It creates the endpoint at the first call.
// After a failure it tries again, since a missing key may have become available.
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

// Close stops background probes and capability requests, and closes idle connections. Requests in flight continue.
func (r *Registry) Close() {
	if r.prober != nil {
		r.prober.Close()
	}
	r.mu.RLock()
	made := slices.Collect(maps.Values(r.endpoints))
	r.mu.RUnlock()
	for _, e := range made { // capability requests of an endpoint may still call the registry
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
