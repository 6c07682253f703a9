package balance

import (
	"time"

	"github.com/callwright/callwright"
)

// An About is the part of a target that a failure is about.
type About int

// The parts.
const (
	Nothing    About = iota // an answer, or a failure that is about the request alone
	Unknown                 // the client left, or the request was not sent
	Key                     // the key, for all models until one is answered
	KeyModel                // the key for this model
	WholeModel              // the model, whichever the key and the host
	HostModel               // the host for this model: it states when it is to be asked again
	Host                    // the host, whose answer failed
	HostsLink               // the host, which cannot be reached
)

// A Result is the result of a request to a target.
type Result struct {
	About About
	Kind  callwright.Kind
	// Wait is the time for which the provider states that the part is to be avoided, 0 for none.
	Wait time.Duration
	// Aside is set for a request that is not for an answer of the model, such as one for the list of models. It begins and
	// ends no cooldown of a key or a model. A failure of the host counts as that of any request. So does an answer, except
	// that it ends no cooldown of a host that refuses the key.
	Aside bool
}

// End ends the request to the current target, and begins the cooldown of the part that failed. Targets that share the
// part count as tried. Without a request in flight it does nothing.
func (w *Way) End(r Result) {
	s, t := w.set, w.at
	if t == nil {
		return
	}
	w.at = nil
	if r.About == Nothing && s.isCalm(w.model) {
		w.failed, w.tried[0] = true, 1
		return
	}
	s.table.mu.Lock()
	now := s.table.clock()
	s.count(w.model, t, -1)
	cooled := w.conclude(t, &r, now)
	if r.About != Unknown {
		w.markTried(t, r.About)
	}
	var told Cooldown
	if cooled != nil {
		told = Cooldown{cooled.id, cooled.kind, time.Unix(0, cooled.until), cooled.stated}
	}
	tell := s.table.tell
	s.table.mu.Unlock()
	if cooled != nil && tell != nil {
		tell(told)
	}
}

// conclude updates the cooldowns of a target after a request. It returns the part to share with other gateways, nil for
// none.
func (w *Way) conclude(t *Target, r *Result, now int64) (cooled *part) {
	s := w.set
	parts := s.parts(w.model, t)
	about := r.About
	if r.Aside && about < Host {
		if about == Nothing {
			parts[byHost].reach(now)
		}
		about = Unknown
	}
	switch about {
	case Nothing:
		for _, p := range parts {
			p.answer(now)
		}
	case Unknown:
		if w.trial { // another request tries it
			for _, p := range parts {
				p.trial = 0
			}
		}
	case Key, KeyModel, WholeModel:
		cooled = w.refuse(t, &parts, r, now)
	case HostModel:
		t.failed++
		if p := parts[byHostModel]; p.coolFor(r.Kind, r.Wait, now) {
			cooled = p
		}
	case Host, HostsLink:
		t.failed++
		n := 1
		if r.About == HostsLink {
			n = failuresInARow
		}
		if parts[byHost].fail(n) && len(s.hosts) > 1 {
			parts[byHost].coolFor(r.Kind, 0, now)
		}
	}
	return cooled
}

// refuse begins the cooldowns after an answer that refuses the key or the model. It returns the part to share with
// other gateways, nil for none.
func (w *Way) refuse(t *Target, parts *[5]*part, r *Result, now int64) (cooled *part) {
	s := w.set
	if p := parts[byHostModel]; p != parts[byLimit] {
		p.open(now)
	}
	p := parts[byLimit]
	switch {
	case r.About == WholeModel:
		p = parts[byModel]
	case r.About == Key && s.refusesByHost(): // one host refuses it
		p = parts[byHost]
	case r.About == Key:
		p = parts[byKey]
	}
	if p == parts[byHost] {
		p.reach(now) // its rest doubles, and failures of requests at the same time begin none
	} else {
		parts[byHost].answer(now)
	}
	t.refuse(r.Kind)
	if p.coolFor(r.Kind, r.Wait, now) {
		cooled = p
	}
	p.refuse(w.secret)
	if r.About == Key { // an answer of another model ends that of the key, and not this one
		parts[byLimit].coolFor(r.Kind, r.Wait, now)
		parts[byLimit].refuse(w.secret)
	}
	return cooled
}

// refuse counts a refusal of the key.
func (t *Target) refuse(k callwright.Kind) {
	switch k {
	case callwright.KindRateLimited:
		t.limited++
	case callwright.KindNotFound:
	default:
		t.refused++
	}
}

// shares reports whether a failure at a target is one at another target, too.
func (s *Set) shares(t, other *Target, a About) bool {
	switch a {
	case Key, KeyModel:
		return other.Key == t.Key && (len(s.keys) > 1 || other.Host == t.Host)
	case WholeModel:
		return true
	case HostModel, Host, HostsLink:
		return other.Host == t.Host && (len(s.hosts) > 1 || other.Key == t.Key)
	}
	return other == t
}

// Again allows tried targets to be chosen again, for a try after a pause.
func (w *Way) Again() { w.tried = [MaxTargets / 64]uint64{} }

// markTried marks a target as tried, with the targets that share the failed part.
func (w *Way) markTried(t *Target, a About) {
	w.failed = true
	if a == Nothing {
		i := t.Key*len(w.set.hosts) + t.Host
		w.tried[i/64] |= 1 << (i % 64)
		return
	}
	for i := range w.set.targets {
		if w.set.shares(t, &w.set.targets[i], a) {
			w.tried[i/64] |= 1 << (i % 64)
		}
	}
}
