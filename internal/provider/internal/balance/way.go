package balance

import (
	"math"
	"time"

	"github.com/callwright/callwright"
)

// StickyRequests is how many requests a key or a host of a conversation has in flight before it can be overloaded.
const StickyRequests = 4

// overload is the factor by which a key or a host may exceed its share of the requests in flight before conversations
// avoid it.
const overload = 2

// A Way is the targets of one request, one after the other. Use Set.Begin. It is used by one goroutine at a time.
type Way struct {
	set      *Set
	model    *Model
	affinity uint64
	at       *Target // nil while nothing is sent
	tried    [MaxTargets / 64]uint64
	failed   bool   // one was tried
	trial    bool   // the request is the one that asks after a cooldown
	allFree  bool   // no part cools down, and none was tried
	secret   uint64 // the hash of the key when the target was chosen, 0 for one that does not change
}

// A Skip says why no target was chosen. The zero Skip says that each one was tried.
type Skip struct {
	Kind callwright.Kind // of the failure that began the cooldown which ends first
	Left time.Duration
	// Stated says that the provider stated the time.
	Stated bool
}

// Begin begins the way of a request. affinity is that of its conversation, 0 for a request of none.
func (s *Set) Begin(m *Model, affinity uint64) Way { return Way{set: s, model: m, affinity: affinity} }

// Target returns the target that is asked, nil for none.
func (w *Way) Target() *Target { return w.at }

// Next chooses a target that was not tried, and counts a request in flight there until End. Where none is free, and
// urgent is set, it is one whose cooldown nobody stated. It returns nil and the reason where there is none.
func (w *Way) Next(urgent bool) (*Target, Skip) {
	s := w.set
	if !w.failed && s.isCalm(w.model) {
		w.at, w.secret = &s.targets[0], s.keys[0].text.Look()
		return w.at, Skip{}
	}
	s.lookAtKeys(w.model)
	t, skip := w.choose(urgent)
	if t != nil {
		w.secret = s.keys[t.Key].text.Look()
	}
	return t, skip
}

// choose is Next where a failure left something, or there are several targets.
func (w *Way) choose(urgent bool) (*Target, Skip) {
	s := w.set
	s.table.mu.Lock()
	defer s.table.mu.Unlock()
	now, cooling := int64(0), s.isCooling(w.model)
	if cooling {
		now = s.table.clock()
		s.forgetReplaced(w.model)
	}
	w.allFree = !cooling && !w.failed
	t := w.sticky(now)
	if t == nil {
		t = w.leastLoaded(now)
	}
	if t == nil {
		if !urgent {
			return nil, w.firstFree(now)
		}
		var skip Skip
		if t, skip = w.soonest(now); t == nil {
			return nil, skip
		}
	}
	if cooling {
		w.trial = false
		for _, p := range s.parts(w.model, t) {
			w.trial = p.begin(now) || w.trial
		}
	}
	s.count(w.model, t, 1)
	t.asked++
	w.at = t
	return t, Skip{}
}

// isCooling reports whether any part may cool down.
func (s *Set) isCooling(m *Model) bool {
	for i := range s.keys {
		if s.keys[i].until != 0 {
			return true
		}
	}
	for _, p := range m.limits {
		if p.until != 0 {
			return true
		}
	}
	for i := range s.hosts {
		if s.hosts[i].until != 0 {
			return true
		}
	}
	for _, p := range m.hosts {
		if p.until != 0 {
			return true
		}
	}
	return m.all.until != 0
}

func (w *Way) isTried(i int) bool { return w.tried[i/64]&(1<<(i%64)) != 0 }

// isFree reports whether a target was not tried and no part of it cools down.
func (w *Way) isFree(i int, now int64) bool {
	if w.allFree {
		return true
	}
	if w.isTried(i) {
		return false
	}
	for _, p := range w.set.parts(w.model, &w.set.targets[i]) {
		if p.timeLeft(now) > 0 {
			return false
		}
	}
	return true
}

// sticky returns the target that the request's conversation ranks first, of those that are free and not overloaded; nil
// for none.
func (w *Way) sticky(now int64) *Target {
	if w.affinity == 0 {
		return nil
	}
	s := w.set
	hosts, keys := loadOf(s.hosts), loadOf(s.keys)
	var best *Target
	var rank float64
	for h := range s.hosts {
		host := s.score(&s.hosts[h], w.affinity)
		if best != nil && host <= rank || hosts.isOver(&s.hosts[h]) {
			continue
		}
		var at *Target
		var most float64
		for k := range s.keys {
			i := k*len(s.hosts) + h
			if !w.isFree(i, now) || keys.isOver(&s.keys[k]) {
				continue
			}
			if key := s.score(&s.keys[k], w.affinity); at == nil || key > most {
				at, most = &s.targets[i], key
			}
		}
		if at != nil {
			best, rank = at, host
		}
	}
	return best
}

// score ranks a key or a host for a conversation: the greatest one is the first. With weights w it is -w/ln(u), of a
// uniform u (https://en.wikipedia.org/wiki/Rendezvous_hashing#Weighted_rendezvous_hash).
func (s *Set) score(m *member, affinity uint64) float64 {
	u := float64(mix(m.hash^affinity)>>11+1) / (1<<53 + 1)
	if s.equal {
		return u
	}
	return -float64(m.weight) / math.Log(u)
}

// A load is the requests in flight of all keys, or of all hosts.
type load struct{ members, inFlight, weight int }

func loadOf(list []member) (l load) {
	l.members = len(list)
	for i := range list {
		l.inFlight += list[i].inFlight
		l.weight += list[i].weight
	}
	return l
}

// isOver reports whether one more request would overload a key or a host.
func (l *load) isOver(m *member) bool {
	n := m.inFlight + 1
	return l.members > 1 && n > StickyRequests && n*l.weight > overload*(l.inFlight+1)*m.weight
}

// leastLoaded returns the free target with the fewest requests in flight relative to its weight, equal ones in turn;
// nil for none.
func (w *Way) leastLoaded(now int64) *Target {
	s := w.set
	var least *Target
	for i := range s.targets {
		if t := &s.targets[i]; (least == nil || t.pair.inFlight*least.weight < least.pair.inFlight*t.weight) && w.isFree(i, now) {
			least = t
		}
	}
	if least == nil {
		return nil
	}
	var next *Target
	total := 0
	for i := range s.targets {
		t := &s.targets[i]
		if t.pair.inFlight*least.weight != least.pair.inFlight*t.weight || !w.isFree(i, now) {
			continue
		}
		t.turn += t.weight
		total += t.weight
		if next == nil || t.turn > next.turn {
			next = t
		}
	}
	next.turn -= total
	return next
}

// A class orders cooldowns by whether a request may ignore them.
type class int

const (
	free    class = iota
	failing       // the host failed, or the key is limited for a time that nobody stated
	refused       // the key, or the model's name, was refused
	stated        // the provider stated the time
)

// A cooling is the cooldown of a target: of its parts, the one of the highest class that ends last.
type cooling struct {
	class class
	kind  callwright.Kind
	left  time.Duration
}

func (s *Set) cooldownOf(t *Target, m *Model, now int64) (c cooling) {
	for _, p := range s.parts(m, t) {
		left := p.timeLeft(now)
		if left == 0 {
			continue
		}
		of := failing
		switch {
		case p.stated:
			of = stated
		case isRefusal(p.kind):
			of = refused
		}
		if of > c.class || of == c.class && left > c.left {
			c = cooling{of, p.kind, left}
		}
	}
	return c
}

// soonest returns, of the targets that were not tried and cool down, the one to ask all the same: of the lowest class
// the one whose cooldown ends first. A key that was refused is left alone while another one is only limited. The Skip
// is the cooldown of the first of that class.
func (w *Way) soonest(now int64) (*Target, Skip) {
	s := w.set
	var least [stated + 1]struct {
		*Target
		cooling
	}
	for i := range s.targets {
		if w.isTried(i) {
			continue
		}
		t := &s.targets[i]
		c := s.cooldownOf(t, w.model, now)
		if l := &least[c.class]; l.Target == nil || c.left < l.left {
			l.Target, l.cooling = t, c
		}
	}
	skip := func(c class) Skip { return Skip{least[c].kind, least[c].left, c == stated} }
	switch {
	case least[failing].Target != nil:
		return least[failing].Target, skip(failing)
	case least[stated].Target != nil:
		return nil, skip(stated)
	case least[refused].Target != nil:
		return least[refused].Target, skip(refused)
	}
	return nil, Skip{}
}

// firstFree says which cooldown of a target that was not tried ends first. The zero Skip says that one is free, or that
// each was tried. The lock is held.
func (w *Way) firstFree(now int64) (first Skip) {
	s := w.set
	for i := range s.targets {
		if w.isTried(i) {
			continue
		}
		c := s.cooldownOf(&s.targets[i], w.model, now)
		if c.class == free {
			return Skip{}
		}
		if first.Left == 0 || c.left < first.Left {
			first = Skip{c.kind, c.left, c.class == stated}
		}
	}
	return first
}

// NoteAnswer notes that the head of an answer came. The request is in flight until End.
func (w *Way) NoteAnswer() {
	s, t := w.set, w.at
	if t == nil || s.isCalm(w.model) {
		return
	}
	s.table.mu.Lock()
	defer s.table.mu.Unlock()
	now := s.table.clock()
	for _, p := range s.parts(w.model, t) {
		p.open(now)
	}
}

// Wait returns how long it takes until the first of the targets that the provider limits may be asked, 0 where it
// limits none.
func (w *Way) Wait() (left time.Duration) {
	s := w.set
	s.table.mu.Lock()
	defer s.table.mu.Unlock()
	now := s.table.clock()
	for i := range s.targets {
		if c := s.cooldownOf(&s.targets[i], w.model, now); c.class == stated {
			left = shorter(left, c.left)
		}
	}
	return left
}

// HasNext reports whether a target was not tried that a failure of the one that is asked says nothing about, whether it
// cools down or not. Where none is asked, any target that was not tried counts.
func (w *Way) HasNext(r Result) bool {
	for i := range w.set.targets {
		if !w.isTried(i) && (w.at == nil || !w.set.shares(w.at, &w.set.targets[i], r.About)) {
			return true
		}
	}
	return false
}
