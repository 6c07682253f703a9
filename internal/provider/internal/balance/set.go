package balance

import (
	"crypto/sha256"
	"encoding/hex"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright/internal/provider/internal/livetext"
)

// MaxTargets is the maximum number of targets of a Set.
const MaxTargets = 256

// MaxWeight is the maximum weight of a key or a host.
const MaxWeight = 100

// maxModels is the maximum number of models that a Set caches. Clients choose the names.
const maxModels = 1024

// An Entry is an API key or a host in the configuration of a Set.
type Entry struct {
	Name   string // for messages
	Secret string // the key or the address, which identifies the entry; only a digest is stored
	Weight int    // 0 or less means 1
	// Text returns the present key, whose change ends the cooldowns of the refused one. Nil means that the key does not
	// change.
	Text func() string
}

// A Set contains the keys and the hosts of one provider. Use New. It is safe for concurrent use.
type Set struct {
	table       *Table
	name        string
	keys, hosts []member
	targets     []Target // sorted by key, then host
	equal       bool     // whether all weights are equal
	models      map[string]*Model
	seen        [1024]atomic.Uint64 // affinities of first requests, indexed by their low bits
}

// A member is a key or a host in a Set.
type member struct {
	*part
	name   string
	weight int
	text   *livetext.Text // nil for a key that does not change
}

// A Target is a pair of a key and a host.
type Target struct {
	Key, Host int // indexes in Set.keys and Set.hosts
	pair      *part
	weight    int
	turn      int // state of the smooth weighted round robin

	asked, limited, refused, failed int64
}

// A Model contains the parts for one model of a provider. limits are the parts for a key and the model, by key. If
// there is one key, they are the parts for a host and the model, by host, and hosts is nil.
type Model struct {
	name   string
	all    *part
	limits []*part
	hosts  []*part
}

// The indexes in the result of parts.
const (
	byKey = iota
	byHost
	byLimit     // the key for the model
	byHostModel // the host for the model
	byModel
)

// parts returns the five parts whose cooldowns apply to a target for a model, at the indexes byKey to byModel.
func (s *Set) parts(m *Model, t *Target) [5]*part {
	p := [5]*part{s.keys[t.Key].part, s.hosts[t.Host].part, s.limit(m, t), nil, m.all}
	if p[byHostModel] = p[byLimit]; m.hosts != nil {
		p[byHostModel] = m.hosts[t.Host]
	}
	return p
}

// isCalm reports whether there is a single target without data of a failure, so that no cooldown needs to be checked.
func (s *Set) isCalm(m *Model) bool {
	return len(s.targets) == 1 && !s.keys[0].isMarked() && !s.hosts[0].isMarked() && !m.limits[0].isMarked() && !m.all.isMarked()
}

// count changes the number of requests in flight at a target by the given number, 1 or -1. It does nothing if the Set
// has a single target.
func (s *Set) count(m *Model, t *Target, by int) {
	if len(s.targets) == 1 {
		return
	}
	s.keys[t.Key].inFlight += by
	s.hosts[t.Host].inFlight += by
	s.limit(m, t).inFlight += by
	t.pair.inFlight += by
}

// limit returns the part for the key of a target and a model. If there is one key, it is the part for the host and the
// model.
func (s *Set) limit(m *Model, t *Target) *part {
	if len(s.keys) > 1 {
		return m.limits[t.Key]
	}
	return m.limits[t.Host]
}

// refusesByHost reports whether a refusal of the key applies to the host alone. It does if there are one key and
// several hosts.
func (s *Set) refusesByHost() bool { return len(s.keys) == 1 && len(s.hosts) > 1 }

// New creates a Set of a provider's keys and hosts. There must be at least one of each, and at most MaxTargets pairs.
func New(t *Table, provider string, keys, hosts []Entry) *Set {
	t.Open()
	t.mu.Lock()
	defer t.mu.Unlock()
	s := &Set{table: t, name: provider, equal: true, models: map[string]*Model{}}
	s.keys, s.hosts = s.members("key", keys), s.members("host", hosts)
	for k := range s.keys {
		for h := range s.hosts {
			s.targets = append(s.targets, Target{
				Key: k, Host: h, pair: t.part(s.keys[k].id + s.hosts[h].id), weight: s.keys[k].weight * s.hosts[h].weight,
			})
		}
	}
	return s
}

func (s *Set) members(kind string, entries []Entry) []member {
	var out []member
	for _, e := range entries {
		w := min(max(e.Weight, 1), MaxWeight)
		out = append(out, member{s.table.part(digest(s.name, kind, e.Secret)), e.Name, w, livetext.New(e.Text)})
		s.equal = s.equal && w == out[0].weight
	}
	return out
}

// digest returns a digest of texts that identifies a part without revealing them.
func digest(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		_, _ = h.Write(append([]byte(t), 0)) // it never fails
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Model returns the state of a model of the provider. It returns the same Model for the same name.
func (s *Set) Model(name string) *Model {
	s.table.mu.Lock()
	defer s.table.mu.Unlock()
	if m := s.models[name]; m != nil {
		return m
	}
	if len(s.models) >= maxModels {
		for other := range s.models { // removes any model; its users keep it, but it is no longer found
			delete(s.models, other)
			break
		}
	}
	m := &Model{name: name, all: s.table.part(digest(s.name, "model", name))}
	limited := s.keys
	if len(s.keys) == 1 {
		limited = s.hosts
	}
	for i := range limited {
		m.limits = append(m.limits, s.table.part(digest(limited[i].id, name)))
	}
	if len(s.keys) > 1 {
		for i := range s.hosts {
			m.hosts = append(m.hosts, s.table.part(digest(s.hosts[i].id, name)))
		}
	}
	s.models[name] = m
	return m
}

// KeyName and HostName return the names of a target's key and host, or "" if there is only one.
func (s *Set) KeyName(t *Target) string  { return nameIn(s.keys, t.Key) }
func (s *Set) HostName(t *Target) string { return nameIn(s.hosts, t.Host) }

func nameIn(list []member, i int) string {
	if len(list) < 2 {
		return ""
	}
	return list[i].name
}

// Hosts and Keys return the numbers of hosts and keys.
func (s *Set) Hosts() int { return len(s.hosts) }
func (s *Set) Keys() int  { return len(s.keys) }

// Affinity returns the affinity of a conversation, a hash that is the same in every process.
func Affinity(conversation string) uint64 { return hashOf(conversation) }

// IsRepeated reports whether it was called with the same affinity before. It remembers at most 1024 affinities: a new
// one replaces the one with the same low bits.
func (s *Set) IsRepeated(affinity uint64) bool {
	return s.seen[affinity%uint64(len(s.seen))].Swap(affinity) == affinity
}

// Away returns the reason and the time for which a request with a fallback is sent to no target. It returns the zero
// Skip if a target is free.
func (s *Set) Away(m *Model) Skip {
	if s.isCalm(m) {
		return Skip{}
	}
	s.lookAtKeys(m)
	s.table.mu.Lock()
	defer s.table.mu.Unlock()
	s.forgetReplaced(m)
	w := s.Begin(m, 0)
	return w.firstFree(s.table.clock())
}

// Limit returns how long a model cannot be requested because the provider stated a limit for every target. It returns 0
// if a target has no such limit.
func (s *Set) Limit(m *Model) (left time.Duration) {
	if s.isCalm(m) {
		return 0
	}
	s.table.mu.Lock()
	defer s.table.mu.Unlock()
	now := s.table.clock()
	for i := range s.targets {
		c := s.cooldownOf(&s.targets[i], m, now)
		if c.class != stated {
			return 0
		}
		left = shorter(left, c.left)
	}
	return left
}

// lookAtKeys reads the present texts of keys with data of a failure, for forgetReplaced. The caller must not hold the
// lock.
func (s *Set) lookAtKeys(m *Model) {
	for i := range s.keys {
		if key := &s.keys[i]; key.text != nil && s.hasTrace(m, i) {
			key.text.Look()
		}
	}
}

// hasTrace reports whether a key has data of a failure, in general or for the model. If it is the only key, data of the
// hosts counts too. It needs no lock.
func (s *Set) hasTrace(m *Model, key int) bool {
	if s.keys[key].isMarked() {
		return true
	}
	if len(s.keys) > 1 {
		return m.limits[key].isMarked()
	}
	for i := range s.hosts {
		if s.hosts[i].isMarked() || m.limits[i].isMarked() {
			return true
		}
	}
	return false
}

// forgetReplaced ends the cooldowns of refused keys that lookAtKeys found changed. The caller holds the lock.
func (s *Set) forgetReplaced(m *Model) {
	for i := range s.targets {
		t := &s.targets[i]
		key := &s.keys[t.Key]
		secret := key.text.Last()
		if secret == 0 {
			continue
		}
		key.forget(secret)
		s.limit(m, t).forget(secret)
		if host := &s.hosts[t.Host]; s.refusesByHost() && isRefusal(host.kind) {
			host.forget(secret)
		}
	}
}

// shorter returns the smaller of two durations, in which 0 means none.
func shorter(a, b time.Duration) time.Duration {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
