package access

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
)

// Config is the configuration of a Gate. The zero Config admits requests without a key.
type Config struct {
	Keys []Key
	// Groups are groups of keys, in addition to those of Source.
	Groups []Group
	// File has further keys. It is reloaded when it changes. It may be nil.
	File *File
	// Prices are the prices of models. Nil means the built-in prices.
	Prices *Prices
	// Counters are shared by all gateways that count together. Nil means counters in memory.
	Counters Counters
	// Source has further keys and groups. Keys and groups of Keys, Groups and File have precedence over those of the same
	// name. It may be nil. Prepare ignores it.
	Source Source
	// Ledger records the usage of requests. It may be nil. Prepare ignores it.
	Ledger Ledger
	// Crossed is called when the use of a limit reaches 80 or 100 percent, by the request that reaches it, and must return
	// quickly. Each of the gateways that count together calls its own function. It may be nil. Prepare ignores it.
	Crossed func(Crossing)
	// Streams is the maximum number of concurrent streams of one key, 0 for no limit.
	Streams int
	// Budget is the spending limit of all keys together. The zero Spend is no limit.
	Budget Spend
	// Now returns the current time. Nil means time.Now.
	Now func() time.Time
	// Logger logs reloads and errors of the key file, and models without a price. Nil means no log.
	Logger *slog.Logger
}

// A Gate controls access to models by keys. Use New. It is safe for concurrent use.
type Gate struct {
	counters Counters
	now      func() time.Time
	log      *slog.Logger
	source   Source
	ledger   Ledger
	crossed  func(Crossing)
	anybody  *Caller // the caller if there are no keys
	total    total   // budget of all keys

	ring atomic.Pointer[ring]

	mu       sync.Mutex
	accounts map[string]*account // by name of the key
	grouped  map[string]*account // by name of the group
	hidden   map[string]bool     // names of keys of the source that were logged as unused
	unpriced map[callwright.ModelID]bool

	hiddenGroups map[string]bool // names of groups of the source that were logged as unused
}

// A ring is the set of keys at one time, with the other fields of a Config that Prepare replaces.
type ring struct {
	file    *fileWatch // nil for none
	prices  *Prices
	streams int64

	// keys are first the fixed keys of the configuration, then, up to index listed, those of the key file, then those of
	// the source.
	keys          []Key
	fixed, listed int
	version       uint64                   // version of the source; 0 while its keys are unknown
	own           []Group                  // groups of the configuration
	groups        map[string]*share        // all groups by name
	places        map[Hash]int32           // indexes in keys
	callers       []atomic.Pointer[Caller] // parallel to keys; created at the first use of a key, since most keys are rarely used
}

// New creates a Gate. It returns an error for duplicate names or keys, and for a key file that cannot be read.
func New(cfg Config) (*Gate, error) {
	g := &Gate{
		counters: cfg.Counters, now: cfg.Now, log: cfg.Logger, source: cfg.Source, ledger: cfg.Ledger, crossed: cfg.Crossed,
		accounts: map[string]*account{}, grouped: map[string]*account{}, hidden: map[string]bool{},
		hiddenGroups: map[string]bool{}, unpriced: map[callwright.ModelID]bool{},
	}
	if g.now == nil {
		g.now = time.Now
	}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	if g.counters == nil {
		g.counters = NewMemoryCounters(g.now)
	}
	g.anybody = &Caller{gate: g, key: &Key{Verbs: Verbs()}, account: newAccount(g, "", false)}
	g.total.budget = newBudget(g, allKeys, false, "")
	use, err := g.Prepare(cfg)
	if err != nil {
		return nil, err
	}
	use()
	return g, nil
}

// Prepare checks replacements for the keys, the key file, the groups, the prices, the maximum of streams and the
// budget. It ignores the other fields of cfg. use applies the replacements to later requests and cannot fail. Counts
// are kept by the names of keys. The errors are those of New.
func (g *Gate) Prepare(cfg Config) (use func(), err error) {
	r := &ring{prices: cfg.Prices, streams: int64(cfg.Streams), own: slices.Clone(cfg.Groups)}
	if err := checkGroups(r.own); err != nil {
		return nil, err
	}
	var more []Key
	if cfg.File != nil {
		r.file = &fileWatch{File: *cfg.File}
		if more, err = r.file.read(g.now()); err != nil {
			return nil, err
		}
	}
	fixed := slices.Clone(cfg.Keys)
	if err := CheckKeys(slices.Concat(fixed, more)); err != nil {
		return nil, err
	}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.fill(r, fixed, more)
		g.total.set(cfg.Budget)
		g.ring.Store(r)
	}, nil
}

// Open reports whether requests need no key: there are no keys, and no file or source that could have keys.
func (g *Gate) Open() bool { return g.isOpen(g.currentRing()) }

func (g *Gate) isOpen(r *ring) bool {
	return r.file == nil && len(r.keys) == 0 && (g.source == nil || r.version > 0)
}

// Anybody returns the caller of requests if the gate is open.
func (g *Gate) Anybody() *Caller { return g.anybody }

// Close returns unused amounts to the counters. The gate must not be used afterwards.
func (g *Gate) Close(ctx context.Context) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, accounts := range []map[string]*account{g.accounts, g.grouped} {
		for _, a := range accounts {
			a.close(ctx)
		}
	}
	g.total.budget.close(ctx)
}

// CheckKeys returns an error for invalid keys, and for two keys with the same name or hash.
func CheckKeys(keys []Key) error {
	names, hashes := map[string]bool{}, map[Hash]string{}
	for i := range keys {
		k := &keys[i]
		if err := CheckName(k.Name); err != nil {
			return err
		}
		if names[k.Name] {
			return fmt.Errorf("two keys have the name %q: rename one, or set previous to replace a key", k.Name)
		}
		names[k.Name] = true
		if err := checkModels(k.PerModel); err != nil {
			return fmt.Errorf("%q: %w", k.Name, err)
		}
		for _, h := range []Hash{k.Hash, k.Previous} {
			if h == (Hash{}) {
				continue
			}
			if other, twice := hashes[h]; twice {
				return fmt.Errorf("%q and %q are the same key", other, k.Name)
			}
			hashes[h] = k.Name
		}
		if k.Hash == (Hash{}) {
			return fmt.Errorf("%q has no key", k.Name)
		}
	}
	return nil
}

// maxPattern is the maximum length of a model pattern with limits, in bytes.
const maxPattern = 256

// checkModels returns an error for limits with an empty, too long or duplicate pattern.
func checkModels(list []ModelLimits) error {
	seen := map[string]bool{}
	for _, m := range list {
		switch {
		case m.Models == "" || len(m.Models) > maxPattern:
			return fmt.Errorf("expected a pattern of 1 to %d bytes, got %d", maxPattern, len(m.Models))
		case seen[m.Models]:
			return fmt.Errorf("two limits have the pattern %q", m.Models)
		}
		seen[m.Models] = true
	}
	return nil
}

// set replaces the keys of the key file, if f is still the key file of the gate.
func (g *Gate) set(f *fileWatch, more []Key) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.ring.Load()
	if now.file != f {
		return nil
	}
	fixed := now.keys[:now.fixed]
	if err := CheckKeys(slices.Concat(fixed, more)); err != nil {
		return err
	}
	r := &ring{file: f, prices: now.prices, streams: now.streams, own: now.own}
	g.fill(r, fixed, more)
	g.ring.Store(r)
	return nil
}

// fill sets the keys of a ring to fixed, the keys of the configuration, filed, those of the key file, and those of the
// source. Their limits apply immediately to the counts of their names. The caller holds mu.
func (g *Gate) fill(r *ring, fixed, filed []Key) {
	var more []Key
	var groups []Group
	if g.source != nil {
		more, groups, r.version = g.source.Keys()
	}
	r.fixed, r.listed = len(fixed), len(fixed)+len(filed)
	keys := slices.Concat(fixed, filed)
	keys = slices.Concat(keys, g.withoutConfigured(keys, more))
	r.keys, r.places, r.callers = keys, make(map[Hash]int32, len(keys)), make([]atomic.Pointer[Caller], len(keys))
	g.fillGroups(r, slices.Concat(r.own, g.groupsBeside(r.own, groups)))
	for i := range keys {
		k := &keys[i]
		for _, h := range []Hash{k.Hash, k.Previous} {
			if h != (Hash{}) {
				r.places[h] = int32(i)
			}
		}
		if a := g.accounts[k.Name]; a != nil {
			a.setLimits(g, &k.Limits, k.PerModel)
		}
	}
}

// caller returns the caller of key i, which it creates if needed.
func (g *Gate) caller(r *ring, i int32) *Caller {
	if c := r.callers[i].Load(); c != nil {
		return c
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if c := r.callers[i].Load(); c != nil {
		return c
	}
	k := &r.keys[i]
	a, known := g.accounts[k.Name]
	if !known {
		a = newAccount(g, k.Name, false)
		g.accounts[k.Name] = a
	}
	if !known || r == g.ring.Load() { // an account that was created with an earlier ring has its limits
		a.setLimits(g, &k.Limits, k.PerModel)
	}
	c := g.newCaller(r, k, a)
	r.callers[i].Store(c)
	return c
}

func (g *Gate) newCaller(r *ring, k *Key, a *account) *Caller {
	owner := k.Owner
	if owner == (Owner{}) {
		owner = ownerOf(k.Name)
	}
	c := &Caller{Name: k.Name, Owner: owner, gate: g, key: k, account: a, models: a.budgets(g, k.PerModel)}
	if k.Group != "" {
		c.shared = r.groups[k.Group]
		c.lost = c.shared == nil
	}
	return c
}

// onlooker returns the caller of key i for reading its usage. It does not store a caller that it creates.
func (g *Gate) onlooker(r *ring, i int32) *Caller {
	if c := r.callers[i].Load(); c != nil {
		return c
	}
	k := &r.keys[i]
	g.mu.Lock()
	a := g.accounts[k.Name]
	if a != nil && r == g.ring.Load() {
		a.setLimits(g, &k.Limits, k.PerModel)
	}
	g.mu.Unlock()
	if a == nil {
		a = newAccount(g, k.Name, false)
		a.setLimits(g, &k.Limits, k.PerModel)
	}
	return g.newCaller(r, k, a)
}

// find returns the caller of a key, or nil for an unknown key. It looks up the hash of the key. The duration may reveal
// bits of stored hashes, which are useless without the key.
func (g *Gate) find(r *ring, key []byte) *Caller {
	i, ok := r.places[HashOf(string(key))]
	if !ok {
		return nil
	}
	return g.caller(r, i)
}

// Find returns the caller of the first presented key that is known and usable. Errors are of KindAuth, or of
// KindUnavailable if the keys of the source were not read yet.
func (g *Gate) Find(presented [][]byte) (*Caller, error) {
	g.refresh()
	r := g.currentRing()
	if g.isOpen(r) {
		return g.anybody, nil
	}
	var found *Caller
	var refused error
	for i := len(presented) - 1; i >= 0; i-- {
		c := g.find(r, presented[i])
		if c == nil {
			continue
		}
		if why := c.unusable(presented[i]); why != "" {
			refused = &callwright.Error{Kind: callwright.KindAuth, Message: why}
		} else {
			found = c
		}
	}
	switch {
	case found != nil:
		return found, nil
	case g.source != nil && r.version == 0 && refused == nil && (len(presented) > 0 || len(r.keys) == 0):
		return nil, errUnread
	case len(presented) == 0:
		return nil, &callwright.Error{Kind: callwright.KindAuth,
			Message: "this gateway requires a key, and the request has none: send it as a bearer token, or in x-api-key, x-goog-api-key or api-key"}
	case refused != nil:
		return nil, refused
	}
	return nil, &callwright.Error{Kind: callwright.KindAuth, Message: "the key in the request is not one of this gateway's keys"}
}

// priceUnknown logs, once for each model, that its price is unknown.
func (g *Gate) priceUnknown(m callwright.ModelID, key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.unpriced) < maxUnpriced && !g.unpriced[m] {
		g.unpriced[m] = true
		g.log.Warn("a key with a budget requested a model without a known price", "model",
			callwright.Excerpt(string(m)), "key", key)
	}
}

// maxUnpriced is the maximum number of models without a price that are remembered.
const maxUnpriced = 1000
