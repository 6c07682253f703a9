package balance

import (
	"time"

	"github.com/callwright/callwright"
)

// A FailedPart is the part of a target that caused a failure.
type FailedPart int

// The values of FailedPart.
const (
	Nothing    FailedPart = iota // no failure, or a failure caused by the request alone
	Unknown                      // the request was cancelled or not sent
	Key                          // the key, for all models, until a request with it succeeds
	KeyModel                     // the key for this model
	WholeModel                   // the model, with any key and host
	HostModel                    // the host for this model; the host states when to retry
	Host                         // the host, which sent an error response
	HostsLink                    // the host, which cannot be reached
)

// A Result is the result of a request to a target.
type Result struct {
	FailedPart FailedPart
	Kind       callwright.Kind
	// Wait is the duration of the cooldown that the provider states, 0 for none.
	Wait time.Duration
	// NotForModel is set for a request that is not a model request, such as one for the model list. It neither begins nor
	// ends a cooldown of a key or a model. A failure of the host counts as for a model request. A success also counts, but
	// does not end the cooldown of a host that refuses the key.
	NotForModel bool
}

// End ends the request to the current target, and begins the cooldown of the part that caused a failure. All targets
// that share the part count as tried. End does nothing if no request is in flight.
func (w *TargetSequence) End(r Result) {
	s, t := w.set, w.at
	if t == nil {
		return
	}
	w.at = nil
	if r.FailedPart == Nothing && s.isCalm(w.model) {
		w.failed, w.tried[0] = true, 1
		return
	}
	s.table.mu.Lock()
	now := s.table.clock()
	s.count(w.model, t, -1)
	cooled := w.conclude(t, &r, now)
	if r.FailedPart != Unknown {
		w.markTried(t, r.FailedPart)
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

// conclude updates the cooldowns of a target after a request. It returns the key, host, model or pair of these whose
// new cooldown other gateways must learn, nil for none.
func (w *TargetSequence) conclude(t *Target, r *Result, now int64) (cooled *part) {
	s := w.set
	parts := s.parts(w.model, t)
	about := r.FailedPart
	if r.NotForModel && about < Host {
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
		if w.trial { // another request will test the part
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
		if r.FailedPart == HostsLink {
			n = failuresInARow
		}
		if parts[byHost].fail(n) && len(s.hosts) > 1 {
			parts[byHost].coolFor(r.Kind, 0, now)
		}
	}
	return cooled
}

// refuse begins the cooldowns after a response that refuses the key or the model. It returns the part whose cooldown
// other gateways must learn, nil for none.
func (w *TargetSequence) refuse(t *Target, parts *[5]*part, r *Result, now int64) (cooled *part) {
	s := w.set
	if p := parts[byHostModel]; p != parts[byLimit] {
		p.open(now)
	}
	p := parts[byLimit]
	switch {
	case r.FailedPart == WholeModel:
		p = parts[byModel]
	case r.FailedPart == Key && s.refusesByHost(): // only one host refuses the key
		p = parts[byHost]
	case r.FailedPart == Key:
		p = parts[byKey]
	}
	if p == parts[byHost] {
		p.reach(now) // doubles the next duration; concurrent failures begin no cooldown
	} else {
		parts[byHost].answer(now)
	}
	t.refuse(r.Kind)
	if p.coolFor(r.Kind, r.Wait, now) {
		cooled = p
	}
	p.refuse(w.secret)
	if r.FailedPart == Key { // a success with another model ends the cooldown of the key, but not this one
		parts[byLimit].coolFor(r.Kind, r.Wait, now)
		parts[byLimit].refuse(w.secret)
	}
	return cooled
}

// refuse counts a refusal of the key for the statistics of the target.
func (t *Target) refuse(k callwright.Kind) {
	switch k {
	case callwright.KindRateLimited:
		t.limited++
	case callwright.KindNotFound:
	default:
		t.refused++
	}
}

// shares reports whether a failure of the part a at target t also applies to the target other.
func (s *Set) shares(t, other *Target, a FailedPart) bool {
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

// Again permits tried targets to be chosen again, for a retry after a pause.
func (w *TargetSequence) Again() { w.tried = [MaxTargets / 64]uint64{} }

// markTried marks a target as tried, with all targets that share the part a.
func (w *TargetSequence) markTried(t *Target, a FailedPart) {
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
