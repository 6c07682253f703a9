package balance

import (
	"math"
	"time"

	"github.com/callwright/callwright"
)

// StickyRequests is the number of requests in flight up to which a key or a host is never overloaded.
const StickyRequests = 4

// overload is the factor by which a key or a host may exceed its share of the requests in flight before conversations
// avoid it.
const overload = 2

// A TargetSequence is the sequence of targets of one request. Use Set.Begin. It must not be used concurrently.
type TargetSequence struct {
	set      *Set
	model    *Model
	affinity uint64
	at       *Target // the target of the request in flight; nil for none
	tried    [MaxTargets / 64]uint64
	failed   bool   // whether a target was tried
	trial    bool   // whether the request tests a part after a cooldown
	allFree  bool   // whether no part is in a cooldown and no target was tried
	secret   uint64 // hash of the key when the target was chosen; 0 for a key that does not change
}

// A Skip is the reason why no target was chosen. The zero Skip means that all targets were tried.
type Skip struct {
	Kind callwright.Kind // kind of the failure that began the cooldown that ends first
	Left time.Duration
	// Stated reports whether the provider stated the end of the cooldown.
	Stated bool
}

// Begin begins the sequence of targets of a request. affinity is the affinity of its conversation, 0 for none.
func (s *Set) Begin(m *Model, affinity uint64) TargetSequence {
	return TargetSequence{set: s, model: m, affinity: affinity}
}

// Target returns the target of the request in flight, nil for none.
func (w *TargetSequence) Target() *Target { return w.at }

// Next chooses a target that was not tried. The target counts a request in flight until End. If no target is free and
// urgent is set, it chooses one whose cooldown the provider did not state. It returns nil and the reason if there is no
// target.
func (w *TargetSequence) Next(urgent bool) (*Target, Skip) {
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

// choose is Next for several targets, or after a failure.
func (w *TargetSequence) choose(urgent bool) (*Target, Skip) {
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

// isCooling reports whether any part may be in a cooldown.
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

func (w *TargetSequence) isTried(i int) bool { return w.tried[i/64]&(1<<(i%64)) != 0 }

// isFree reports whether target i was not tried and no part of it is in a cooldown.
func (w *TargetSequence) isFree(i int, now int64) bool {
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

// sticky returns the target that the request's conversation ranks first among the targets that are free and not
// overloaded. It returns nil if there is none, or no conversation.
func (w *TargetSequence) sticky(now int64) *Target {
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

// score returns the rank of a key or a host for a conversation. The greatest is the first. It is a hash u, uniform in
// (0, 1), if all weights are equal. Otherwise it is -w/ln(u) for the weight w
// (https://en.wikipedia.org/wiki/Rendezvous_hashing#Weighted_rendezvous_hash).
func (s *Set) score(m *member, affinity uint64) float64 {
	u := float64(mix(m.hash^affinity)>>11+1) / (1<<53 + 1)
	if s.equal {
		return u
	}
	return -float64(m.weight) / math.Log(u)
}

// A load is the total number and weight of all keys or all hosts, and their requests in flight.
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

// leastLoaded returns the free target with the fewest requests in flight relative to its weight. Equal targets take
// turns. It returns nil if no target is free.
func (w *TargetSequence) leastLoaded(now int64) *Target {
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

// A class orders cooldowns: a request ignores a lower class first.
type class int

const (
	free    class = iota
	failing       // the host failed, or the key is limited for a time that the provider did not state
	refused       // the key or the model's name was refused
	stated        // the provider stated the end
)

// A cooling is the cooldown of a target: the one of the highest class among its parts, and of these the one that ends
// last.
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

// soonest chooses a target although all untried targets are in a cooldown. It prefers the class failing. Otherwise it
// returns nil if a target has the class stated, else it chooses the class refused. Within a class it takes the target
// whose cooldown ends first. The Skip is that cooldown, or the zero Skip if all targets were tried.
func (w *TargetSequence) soonest(now int64) (*Target, Skip) {
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

// firstFree returns the cooldown that ends first among the untried targets. It returns the zero Skip if a target is
// free or all were tried. The caller holds the lock.
func (w *TargetSequence) firstFree(now int64) (first Skip) {
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

// NoteAnswer records that a response header arrived. The request is in flight until End.
func (w *TargetSequence) NoteAnswer() {
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

// Wait returns the time until the first target with a stated limit can be requested, 0 if no target has one.
func (w *TargetSequence) Wait() (left time.Duration) {
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

// HasNext reports whether there is an untried target to which the failure r of the current target does not apply. That
// target may be in a cooldown. Without a current target any untried target counts.
func (w *TargetSequence) HasNext(r Result) bool {
	for i := range w.set.targets {
		if !w.isTried(i) && (w.at == nil || !w.set.shares(w.at, &w.set.targets[i], r.FailedPart)) {
			return true
		}
	}
	return false
}
