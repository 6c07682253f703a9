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

// Config holds the keys, limits and prices of a Gate. The zero Config lets everybody in.
type Config struct {
	Keys []Key
	// Groups are the groups that keys name, beside those of Source.
	Groups []Group
	// File has further keys, and is read again when it changes.
	File *File
	// Prices are the prices of models; nil is the built-in table.
	Prices *Prices
	// Counters are shared by all gateways that count together; nil counts in memory.
	Counters Counters
	// Source has further keys and groups. Those of Keys, Groups and File take precedence over others of the same name.
	// Prepare does not replace it.
	Source Source
	// Ledger records the usage of requests; nil records none. Prepare does not replace it.
	Ledger Ledger
	// Crossed is called when the use of a limit reaches a share of it, by the request that notices it, and must return at
	// once. Each of the gateways that count together calls its own. It may be nil. Prepare does not replace it.
	Crossed func(Crossing)
	// Streams bounds the streams of one key that run at a time; 0 is no bound.
	Streams int
	// Budget is the joint spending limit of all keys; the zero Spend is no limit.
	Budget Spend
	// Now is the clock; nil is the clock of the machine.
	Now func() time.Time
	// Logger is told when the file of keys was read again or is wrong, and of models without a price. Nil logs nothing.
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
	anybody  *Caller // where there are no keys
	total    total   // of all keys

	ring atomic.Pointer[ring]

	mu       sync.Mutex
	accounts map[string]*account // by the name of the key
	grouped  map[string]*account // by the name of the group
	hidden   map[string]bool     // names of keys of the source that were logged as not used
	unpriced map[callwright.ModelID]bool

	hiddenGroups map[string]bool // likewise of groups
}

// A ring is the set of known keys at a time, with the other parts of a Config that Prepare replaces.
type ring struct {
	file    *fileWatch // nil for none
	prices  *Prices
	streams int64

	// keys are those of the configuration, so many as fixed says, of its file up to listed, and of the source.
	keys          []Key
	fixed, listed int
	version       uint64                   // of the source; 0 where its keys are not known
	own           []Group                  // of the configuration
	groups        map[string]*share        // by name
	places        map[Hash]int32           // in keys
	callers       []atomic.Pointer[Caller] // beside keys, each made when its key is first used: most of many keys are seldom used
}

// New makes a Gate. Errors are about keys: a name or a key that stands twice, and a file that cannot be read.
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

// Prepare reads replacements for the keys, the file of keys, the groups, the prices, the bound of streams and the
// budget. All other fields of cfg are ignored. use puts the replacements in force for later requests and cannot fail.
// The use that is counted under the names of keys is kept. Errors are those of New.
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

// Open reports whether everybody is let in: there are no keys, and no file or state that could have some.
func (g *Gate) Open() bool { return g.isOpen(g.currentRing()) }

func (g *Gate) isOpen(r *ring) bool {
	return r.file == nil && len(r.keys) == 0 && (g.source == nil || r.version > 0)
}

// Anybody returns the caller of an open gate.
func (g *Gate) Anybody() *Caller { return g.anybody }

// Close gives unused reservations back to the counters. The gate must not be used afterwards.
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

// CheckKeys returns an error for keys that are invalid, or that cannot be told apart.
func CheckKeys(keys []Key) error {
	names, hashes := map[string]bool{}, map[Hash]string{}
	for i := range keys {
		k := &keys[i]
		if err := CheckName(k.Name); err != nil {
			return err
		}
		if names[k.Name] {
			return fmt.Errorf("there are two keys of the name %q: a key that takes another one's place has that as previous", k.Name)
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

// maxPattern bounds the bytes of a pattern that has limits.
const maxPattern = 256

// checkModels returns an error for limits of models that cannot be told apart, or are of none.
func checkModels(list []ModelLimits) error {
	seen := map[string]bool{}
	for _, m := range list {
		switch {
		case m.Models == "" || len(m.Models) > maxPattern:
			return fmt.Errorf("expected a pattern of 1 to %d bytes, got %d", maxPattern, len(m.Models))
		case seen[m.Models]:
			return fmt.Errorf("there are two limits for %q", m.Models)
		}
		seen[m.Models] = true
	}
	return nil
}

// set replaces the keys of the file beside the fixed ones, while f is the file of the gate.
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

// fill puts the keys of the configuration, of its file and of the source into a ring. Their limits apply at once to the
// use that is counted under their names. The caller holds mu.
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

// caller returns the caller of key i.
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
	if !known || r == g.ring.Load() { // one that was used first with an earlier ring has the limits of that
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

// onlooker returns the caller of key i for reading its usage. A caller that no request has created is not kept.
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

// find returns the caller of a key, nil for an unknown key. It looks up the hash of the key: its duration may reveal
// bits of hashes, which are of no use without a key that has them.
func (g *Gate) find(r *ring, key []byte) *Caller {
	i, ok := r.places[HashOf(string(key))]
	if !ok {
		return nil
	}
	return g.caller(r, i)
}

// Find returns the caller of the first of the keys presented that is known and may be used. Errors are of KindAuth, and
// of KindUnavailable while keys may be known to a state that was not read.
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
			Message: "this gateway asks for a key, and none was sent: send it as a bearer token, in x-api-key, in x-goog-api-key or in api-key"}
	case refused != nil:
		return nil, refused
	}
	return nil, &callwright.Error{Kind: callwright.KindAuth, Message: "the key that was sent is not one of this gateway's keys"}
}

// priceUnknown logs, once for a model, that its price is not known.
func (g *Gate) priceUnknown(m callwright.ModelID, key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.unpriced) < maxUnpriced && !g.unpriced[m] {
		g.unpriced[m] = true
		g.log.Warn("the price of a model is not known, and a key that may spend so much asks for it", "model",
			callwright.Excerpt(string(m)), "key", key)
	}
}

// maxUnpriced bounds the models without a price that are remembered.
const maxUnpriced = 1000
