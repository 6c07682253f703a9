package balance

import (
	"time"

	"github.com/callwright/callwright"
)

// An About says which part of a target a failure is about.
type About int

// The parts.
const (
	Nothing   About = iota // an answer, or a failure that is about the request alone
	Unknown                // the client left, or the request was not sent
	Key                    // the key, for all models
	KeyModel               // the key for this model
	Host                   // the host, whose answer failed
	HostsLink              // the host, which cannot be reached
)

// A Result is how a request to a target ended.
type Result struct {
	About About
	Kind  callwright.Kind
	// Wait is how long the part is avoided, 0 for the time that failures in a row have. Stated says that the provider stated it.
	Wait   time.Duration
	Stated bool
}

// End ends a request to the target, and begins the cooldown of what failed. Targets that share what failed count as tried. It does nothing
// where nothing is sent.
func (w *Way) End(r Result) {
	s, t := w.set, w.at
	if t == nil {
		return
	}
	w.at = nil
	s.table.mu.Lock()
	now := int64(0)
	if r.About > Unknown {
		now = s.table.clock()
	}
	key, host, limit := s.keys[t.Key].part, s.hosts[t.Host].part, s.limit(w.model, t)
	key.inFlight--
	host.inFlight--
	limit.inFlight--
	t.pair.inFlight--
	var cooled *part
	switch r.About {
	case Unknown:
		key.trial, host.trial, limit.trial = 0, 0, 0 // another request tries it
	case Key, KeyModel:
		host.answer(now)
		p := limit
		if r.About == Key && len(s.keys) > 1 {
			p = key
		} else if r.About == Key {
			p = host
		}
		t.refuse(r.Kind)
		if p.cool(r.Kind, now+int64(r.Wait), r.Stated, now) {
			cooled = p
		}
	case Host, HostsLink:
		t.failed++
		cooled = s.coolHost(host, &r, now)
	}
	if r.About != Unknown {
		w.markTried(t, r.About)
	}
	var told Cooldown
	if cooled != nil {
		told = Cooldown{cooled.id, cooled.kind, time.Unix(0, cooled.until)}
	}
	tell := s.table.tell
	s.table.mu.Unlock()
	if cooled != nil && tell != nil {
		tell(told)
	}
}

// coolHost notes a failure of a host. It returns the host where others are to be told. The only host rests for a time that it stated alone.
func (s *Set) coolHost(host *part, r *Result, now int64) *part {
	if r.Stated {
		if host.cool(r.Kind, now+int64(r.Wait), true, now) {
			return host
		}
		return nil
	}
	n := 1
	if r.About == HostsLink {
		n = failuresInARow
	}
	if rest := host.fail(n); rest > 0 && len(s.hosts) > 1 {
		host.cool(r.Kind, now+int64(rest), false, now)
	}
	return nil
}

// refuse counts a refusal of the key.
func (t *Target) refuse(k callwright.Kind) {
	if k == callwright.KindRateLimited {
		t.limited++
		return
	}
	t.refused++
}

// shares reports whether a failure at a target is one at another target, too.
func (s *Set) shares(t, other *Target, a About) bool {
	switch a {
	case Key, KeyModel:
		return other.Key == t.Key && (len(s.keys) > 1 || other.Host == t.Host)
	case Host, HostsLink:
		return other.Host == t.Host && (len(s.hosts) > 1 || other.Key == t.Key)
	}
	return other == t
}

// markTried notes that a target was tried, with those that share what failed.
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
