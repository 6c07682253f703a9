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

// maxClients bounds the clients that are kept, and maxName their names: these come from outside.
const (
	maxClients = 512
	maxName    = 512
)

// A Registry makes clients of names. Providers are made once, clients when they are first asked for; all of them share
// what is learned, the state that clients cannot keep, and the compiled schemas. It is safe for concurrent use. Close
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
	shelf       caps.Store
	vault       signature.Store
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

// WithIDs sets how the ids of calls and reports are made, see [reliable.WithIDs].
func WithIDs(mint func(prefix string) string) Option { return func(r *Registry) { r.ids = mint } }

// WithLogger logs what the registry does of its own: probes in the background. The default is no log.
func WithLogger(l *slog.Logger) Option { return func(r *Registry) { r.log = l } }

// WithoutKeys makes missing keys no error, for programs that look at what would be sent and send nothing.
func WithoutKeys() Option { return func(r *Registry) { r.withoutKeys = true } }

// Around makes the transport of a provider out of the one that it would have, given the wire that is spoken to it.
type Around func(provider string, spoken callwright.WireName, next http.RoundTripper) http.RoundTripper

// WithSimulated puts the models of the simulator into lists where no configuration names it, see [Discover].
func WithSimulated() Option { return func(r *Registry) { r.simulated = true } }

// WithTransport puts around around the transports of all providers.
func WithTransport(around Around) Option { return func(r *Registry) { r.around = around } }

// Offline has the transports that WithTransport makes answer alone, such as with what was recorded: no key is needed,
// each request is tried once, and nothing is asked beside requests or kept in the folder of the configuration.
func Offline() Option { return func(r *Registry) { r.offline, r.withoutKeys = true, true } }

// WithSkipped says, of an Offline registry, whether the next request to a provider was skipped when the answers were
// recorded: for which kind of failure, and for how long, 0 where it was sent.
func WithSkipped(skipped func(provider string) (callwright.Kind, time.Duration)) Option {
	return func(r *Registry) { r.skipped = skipped }
}

// WithVault keeps the state that clients cannot keep in a vault that others may share; the default is one in memory, of
// the registry's own, as large as state.vault says.
func WithVault(v signature.Store) Option { return func(r *Registry) { r.vault = v } }

// WithShelf keeps what is learned of models on a shelf that others may share; the default is the folder of state.dir,
// or memory without one.
func WithShelf(s caps.Store) Option { return func(r *Registry) { r.shelf = s } }

// WithTargets has the cooldowns of keys, hosts and models; the default is a table of the registry's own.
func WithTargets(t *provider.Targets) Option { return func(r *Registry) { r.targets = t } }

// withFiles has secrets read from files that another registry has read: one that cannot be read any more keeps its last
// secret.
func withFiles(s *secretfile.Set) Option { return func(r *Registry) { r.files = s } }

// NewRegistry makes a Registry of a configuration, which must not change afterwards. A configuration that leads
// nowhere, as Parse finds it, is an error; a provider that cannot be used is one only for who asks for its models.
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
	if r.vault == nil {
		r.vault = signature.NewMemory(r.now, c.State.Vault.Vault())
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
	if err := r.openShelf(); err != nil {
		return nil, err
	}
	for i := range c.Models {
		m := &c.Models[i]
		if m.general() {
			continue
		}
		rungs, err := c.ladder(m.Name)
		if err != nil {
			return nil, fmt.Errorf("models: %s: %w", m.Name, err)
		}
		r.addNamed(rungs)
	}
	if err := r.routing.prepare(r); err != nil {
		return nil, err
	}
	if c.probes() && !r.offline {
		r.prober = r.newProber()
	}
	return r, nil
}

// openShelf opens the shelf that the configuration says, where it was given none.
func (r *Registry) openShelf() error {
	if r.shelf != nil {
		return nil
	}
	if dir := r.c.State.Dir; dir != "" && !r.offline {
		kept, err := factfile.Open(filepath.Join(dir, factsFolder), r.now)
		if err != nil {
			return fmt.Errorf("state.dir: %w: name a folder that can be written", err)
		}
		r.shelf = kept
		return nil
	}
	r.shelf = caps.NewMemory(r.now)
	return nil
}

// Resolve returns the client for an alias, a name that a pattern fits, provider/model, or a model that exactly one
// configured provider is known to have. Errors are *callwright.Error of KindNotFound for a name that leads nowhere. A
// client whose provider cannot be used goes on to its fallbacks, and fails with KindUnavailable without one.
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
	rungs, err := r.ladder(name)
	if err != nil {
		return nil, notFound(err)
	}
	client, whole, err := r.openName(rungs)
	if err != nil || !whole {
		return client, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	isBare := rungs[0].trail[0] != name
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

// notFound is the error of a name that leads nowhere.
func notFound(err error) error {
	return &callwright.Error{Kind: callwright.KindNotFound, Code: "model_not_found", Message: err.Error()}
}

// open makes the client of a name by its ladder, whose first model becomes what as makes of it. whole says that it may
// be kept: the provider of its first model can be used. Where it cannot, as when its key is not there, the client goes
// on to the fallbacks, and is made anew for the next request.
func (r *Registry) open(rungs []*found, as func(callwright.Model) callwright.Model) (client *reliable.Client, whole bool, err error) {
	var first callwright.Model
	var models []callwright.Model
	whole = true
	for i, f := range rungs {
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
	formats := toolFormats(rungs)
	marks, err := reading(formats)
	if err != nil {
		return nil, false, &callwright.Error{Kind: callwright.KindInvalid, Message: err.Error()}
	}
	opts := append(append(rungs[0].settings.options(formats), marks...),
		reliable.WithCapsStore(r.shelf), reliable.WithSignatures(r.vault), reliable.WithIDs(r.ids),
		reliable.WithSchemas(r.schemas), reliable.WithClock(r.now), reliable.WithFallback(models...))
	if as != nil {
		first = as(first)
	}
	return reliable.New(first, opts...), whole, nil
}

// unavailable is the error of a model whose provider cannot be used. A key that is not there is an error of
// authentication, everything else says that the model cannot be had.
func unavailable(id callwright.ModelID, err error) *callwright.Error {
	kind := callwright.KindUnavailable
	if callwright.KindOf(err) == callwright.KindAuth {
		kind = callwright.KindAuth
	}
	return &callwright.Error{Kind: kind, Model: id, Message: plain(err), NoRetry: true}
}

// Forget drops the facts of a key that were found about the model that a name stands for, or all of them where key is
// empty. It gives those that there were. Errors are of a name that leads nowhere, and of a folder that cannot be
// written.
func (r *Registry) Forget(ctx context.Context, name, key string) ([]caps.Fact, error) {
	rungs, err := r.ladder(name)
	if err != nil {
		return nil, err
	}
	id := string(rungs[0].id)
	facts, err := r.shelf.Facts(ctx, id)
	if err != nil {
		return nil, err
	}
	if key != "" {
		facts = slices.DeleteFunc(slices.Clone(facts), func(f caps.Fact) bool { return f.Key != key })
	}
	return facts, r.shelf.Forget(ctx, id, key)
}

// Direct returns the model that a name stands for, as its provider has it: without fallbacks, and nothing of its
// answers is mended. Errors are of a name that leads nowhere, and of a provider that cannot be used.
func (r *Registry) Direct(name string) (callwright.Model, error) {
	rungs, err := r.ladder(name)
	if err != nil {
		return nil, notFound(err)
	}
	f := *rungs[0]
	f.settings.Probe = ProbeOff // who asks it directly knows what for
	return r.model(&f)
}

// Learn keeps facts about the model that a name stands for, beside those that were found before. A measurement of the
// modes takes the place of what was counted. Errors are of a name that leads nowhere, of a fact that does not exist,
// and of a folder that cannot be written.
func (r *Registry) Learn(ctx context.Context, name string, facts []caps.Fact) error {
	rungs, err := r.ladder(name)
	if err != nil {
		return err
	}
	for _, f := range facts {
		if f.Key == modestat.Fact && f.Source == caps.Probed {
			if err := r.shelf.Forget(ctx, string(rungs[0].id), f.Key); err != nil {
				return err
			}
		}
		if err := r.shelf.Learn(ctx, string(rungs[0].id), f); err != nil {
			return err
		}
	}
	return nil
}

// model returns what a name stands for, as a model with its settings.
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

// provider returns the endpoint of a provider for models with these settings, made when it is first asked for. One that
// could not be made is tried again: a key may have come.
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
	if p.simulated() {
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

// Close ends what runs in the background and what is asked of providers beside requests, and closes the connections
// that are idle. Requests under way are not disturbed.
func (r *Registry) Close() {
	if r.prober != nil {
		r.prober.Close()
	}
	r.mu.RLock()
	made := slices.Collect(maps.Values(r.endpoints))
	r.mu.RUnlock()
	for _, e := range made { // what they are asked for beside requests may still call the registry
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
