package balance

import (
	"crypto/sha256"
	"encoding/hex"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright/internal/provider/internal/livetext"
)

// MaxTargets is the most targets that a Set has.
const MaxTargets = 256

// MaxWeight is the greatest weight of a key or a host.
const MaxWeight = 100

// maxModels bounds the models of a Set: names come from clients.
const maxModels = 1024

// An Entry is a key or a host of a Set.
type Entry struct {
	Name   string // for people
	Secret string // tells the entry from others: the key, or the address; only a digest of it is kept
	Weight int    // 1 where it is not positive
	// Text returns the key as it is now, nil for one that does not change: another text ends the cooldowns of the
	// refused one.
	Text func() string
}

// A Set holds the keys and the hosts of one provider. Use New. It is safe for concurrent use.
type Set struct {
	table       *Table
	name        string
	keys, hosts []member
	targets     []Target // key by key, each with all hosts
	equal       bool     // all weights are the same
	models      map[string]*Model
	seen        [1024]atomic.Uint64 // affinities of first requests, by their low bits
}

// A member is a key or a host in a Set.
type member struct {
	*part
	name   string
	weight int
	text   *livetext.Text // nil for one that does not change
}

// A Target is a pair of a key and a host.
type Target struct {
	Key, Host int // their places
	pair      *part
	weight    int
	turn      int // of the smooth weighted round robin

	asked, limited, refused, failed int64
}

// A Model holds the parts of one model of a provider. Its limits are by keys. With one key they are by hosts, and hosts
// is nil.
type Model struct {
	name   string
	all    *part
	limits []*part
	hosts  []*part
}

// The places of the parts of a target.
const (
	byKey = iota
	byHost
	byLimit     // the key for the model
	byHostModel // the host for the model
	byModel
)

// parts returns the parts of a target for a model.
func (s *Set) parts(m *Model, t *Target) [5]*part {
	p := [5]*part{s.keys[t.Key].part, s.hosts[t.Host].part, s.limit(m, t), nil, m.all}
	if p[byHostModel] = p[byLimit]; m.hosts != nil {
		p[byHostModel] = m.hosts[t.Host]
	}
	return p
}

// isCalm reports whether the only target has no trace of a failure: nothing is to be counted or looked at.
func (s *Set) isCalm(m *Model) bool {
	return len(s.targets) == 1 && !s.keys[0].isMarked() && !s.hosts[0].isMarked() && !m.limits[0].isMarked() && !m.all.isMarked()
}

// count changes the requests in flight at a target. Those at the only one are not counted.
func (s *Set) count(m *Model, t *Target, by int) {
	if len(s.targets) == 1 {
		return
	}
	s.keys[t.Key].inFlight += by
	s.hosts[t.Host].inFlight += by
	s.limit(m, t).inFlight += by
	t.pair.inFlight += by
}

// limit returns the limit of a model at a target.
func (s *Set) limit(m *Model, t *Target) *part {
	if len(s.keys) > 1 {
		return m.limits[t.Key]
	}
	return m.limits[t.Host]
}

// refusesByHost reports whether a refusal of the key counts for the host alone: there is one key, and several hosts.
func (s *Set) refusesByHost() bool { return len(s.keys) == 1 && len(s.hosts) > 1 }

// New makes a Set of a provider's keys and hosts, one of either at least, whose product is at most MaxTargets.
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

// digest returns a digest of texts, which names a part without revealing it.
func digest(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		_, _ = h.Write(append([]byte(t), 0)) // it never fails
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Model returns a model of the provider, the same one each time.
func (s *Set) Model(name string) *Model {
	s.table.mu.Lock()
	defer s.table.mu.Unlock()
	if m := s.models[name]; m != nil {
		return m
	}
	if len(s.models) >= maxModels {
		for other := range s.models { // any of them: who has it keeps it, and it is only listed no more
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

// KeyName and HostName return the names of a target's key and host, "" for the only one.
func (s *Set) KeyName(t *Target) string  { return nameIn(s.keys, t.Key) }
func (s *Set) HostName(t *Target) string { return nameIn(s.hosts, t.Host) }

func nameIn(list []member, i int) string {
	if len(list) < 2 {
		return ""
	}
	return list[i].name
}

// Hosts and Keys return their numbers.
func (s *Set) Hosts() int { return len(s.hosts) }
func (s *Set) Keys() int  { return len(s.keys) }

// Affinity returns the affinity of a conversation of that name. It is the same in every process.
func Affinity(conversation string) uint64 { return hashOf(conversation) }

// IsRepeated reports whether the same affinity was asked about before. It remembers about a thousand of them.
func (s *Set) IsRepeated(affinity uint64) bool {
	return s.seen[affinity%uint64(len(s.seen))].Swap(affinity) == affinity
}

// Away returns the reason for which a request for a model with a fallback is sent to no target, and the time. The zero
// Skip is that a target is free.
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

// Limit returns the time for which a model cannot be asked, since each target is avoided for a time that the provider
// stated; 0 if one can be asked.
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

// lookAtKeys reads the present keys that have a trace of a failure, for forgetReplaced. The lock is not held.
func (s *Set) lookAtKeys(m *Model) {
	for i := range s.keys {
		if key := &s.keys[i]; key.text != nil && s.hasTrace(m, i) {
			key.text.Look()
		}
	}
}

// hasTrace reports whether a failure of a key left a trace. It needs no lock.
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

// forgetReplaced ends the cooldowns of refused keys that lookAtKeys found replaced. The lock is held.
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

// shorter returns the shorter one of two times, of which 0 is none.
func shorter(a, b time.Duration) time.Duration {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
