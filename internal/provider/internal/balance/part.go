package balance

import (
	"hash/fnv"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
)

// The durations of cooldowns.
const (
	// longest is the maximum cooldown, even if the provider states a longer one.
	longest = time.Hour
	// trial is the maximum time for which other requests avoid a part while one request tests it after a cooldown.
	trial = 10 * time.Second
	// firstRest is the first cooldown after a failure for which the provider states no duration. It doubles with each
	// consecutive failure, up to lastRest.
	firstRest = 5 * time.Second
	lastRest  = time.Minute
	// firstRefusal and lastRefusal replace firstRest and lastRest if the provider refuses the key, the account or the
	// model's name.
	firstRefusal = time.Minute
	lastRefusal  = 15 * time.Minute
)

// isRefusal reports whether errors of a kind are refusals of the key, the account or the model's name.
func isRefusal(kind callwright.Kind) bool {
	first, _ := restOf(kind)
	return first == firstRefusal
}

// restOf returns the first and the longest cooldown after failures of a kind for which the provider states no duration.
func restOf(kind callwright.Kind) (first, last time.Duration) {
	switch kind {
	case callwright.KindAuth, callwright.KindPermission, callwright.KindBilling, callwright.KindNotFound:
		return firstRefusal, lastRefusal
	}
	return firstRest, lastRest
}

// failuresInARow is the number of consecutive failures after which a host gets a cooldown. A failed connection counts
// as that many failures.
const failuresInARow = 3

// A part is a unit of cooldown: a key, a host, a pair of them, a model, or a key or a host for one model. Callers must
// hold the lock of its Table, except for isMarked.
type part struct {
	id       string // id for sharing cooldowns between gateways; "" for none
	hash     uint64
	inFlight int

	kind   callwright.Kind // kind of the failure that began the cooldown
	stated bool            // whether the provider stated the end
	until  int64           // end of the cooldown in Unix nanoseconds; 0 after a success
	trial  int64           // until when other requests avoid the part while one tests it
	row    int             // number of consecutive failures
	rest   time.Duration   // last duration that the provider did not state
	secret uint64          // hash of the refused key; 0 for none, or for a key that does not change

	marked atomic.Bool // whether until, row or rest is set
}

// isMarked reports whether the part has data of a failure. It needs no lock.
func (p *part) isMarked() bool { return p.marked.Load() }

// mark updates the result of isMarked.
func (p *part) mark() {
	if m := p.until != 0 || p.row != 0 || p.rest != 0; m != p.marked.Load() {
		p.marked.Store(m)
	}
}

func newPart(id string) *part { return &part{id: id, hash: hashOf(id)} }

// hashOf returns a hash of text that is the same in every process and never 0.
func hashOf(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // it never fails
	return max(mix(h.Sum64()), 1)
}

// mix scrambles the bits of a number, as the finalizer of SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// timeLeft returns how long the part is still avoided, 0 if it is not. now is in Unix nanoseconds.
func (p *part) timeLeft(now int64) time.Duration {
	switch {
	case p.until == 0:
		return 0
	case now < p.until:
		return time.Duration(p.until - now)
	case now < p.trial:
		return time.Duration(p.trial - now)
	}
	return 0
}

// cool begins a cooldown that ends at until. It does not shorten a cooldown whose end the provider stated. It reports
// whether the kind or the end (by more than a second) changed.
func (p *part) cool(kind callwright.Kind, until int64, stated bool, now int64) bool {
	until = min(until, now+int64(longest))
	if until <= now || p.stated && now < p.until && (!stated || until <= p.until) {
		return false
	}
	moved := p.kind != kind || until-p.until > int64(time.Second) || p.until-until > int64(time.Second)
	p.kind, p.stated, p.until, p.trial, p.secret = kind, stated, until, 0, 0
	p.mark()
	return moved
}

// coolFor begins the cooldown after a failure, and reports whether that changed the cooldown, as cool does. wait is the
// duration that the provider states, 0 for none. Without a stated duration it does not extend a running cooldown, since
// the failed request may have been sent before that began.
func (p *part) coolFor(kind callwright.Kind, wait time.Duration, now int64) bool {
	switch {
	case wait > 0:
		return p.cool(kind, now+int64(wait), true, now)
	case now < p.until:
		return false
	}
	first, last := restOf(kind)
	p.rest = min(max(2*p.rest, first), last)
	return p.cool(kind, now+int64(p.rest), false, now)
}

// answer records a success. It ends a cooldown whose end the provider did not state, and resets the consecutive
// failures.
func (p *part) answer(now int64) {
	p.row, p.rest = 0, 0
	p.open(now)
}

// reach records a response of a host that does not show whether the host accepts the key. It is like answer, but keeps
// the cooldown of a host that refuses the key.
func (p *part) reach(now int64) {
	if !isRefusal(p.kind) {
		p.answer(now)
		return
	}
	p.row = 0
	p.mark()
}

// refuse records the hash of the refused key, 0 for a key that does not change. It keeps the hash of the key that began
// the cooldown.
func (p *part) refuse(secret uint64) {
	if p.secret == 0 {
		p.secret = secret
	}
}

// forget ends the cooldown of a refused key if the key has changed. secret is the hash of the present key. If no hash
// is known for the cooldown, as for one from another gateway, secret is recorded.
func (p *part) forget(secret uint64) {
	if p.until == 0 || p.stated {
		return
	}
	switch p.secret {
	case 0: // another gateway sent the cooldown
		p.secret = secret
	case secret:
	default:
		p.until, p.trial, p.kind, p.rest = 0, 0, "", 0
		p.mark()
	}
}

// open ends a cooldown whose end the provider did not state or that is over. It is called when a response header
// arrives.
func (p *part) open(now int64) {
	if !p.stated || now >= p.until {
		p.until, p.trial, p.kind, p.stated = 0, 0, "", false
	}
	p.mark()
}

// begin records that a request is sent. It reports whether this request tests the part after a cooldown.
func (p *part) begin(now int64) bool {
	if p.until == 0 || now < p.until {
		return false
	}
	p.stated, p.trial = false, now+int64(trial)
	return true
}

// fail adds n consecutive failures of a host, and reports whether they are enough for a cooldown.
func (p *part) fail(n int) bool {
	p.row += n
	p.mark()
	return p.row >= failuresInARow
}
