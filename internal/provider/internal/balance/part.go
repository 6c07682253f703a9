package balance

import (
	"hash/fnv"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
)

// The times of cooldowns.
const (
	// longest bounds a cooldown, whatever a provider says.
	longest = time.Hour
	// trial bounds the time for which other requests avoid a part while one request tries it after a cooldown.
	trial = 10 * time.Second
	// firstRest is the first cooldown after a failure whose time nobody states. It doubles with each that follows
	// without an answer between, up to lastRest.
	firstRest = 5 * time.Second
	lastRest  = time.Minute
	// firstRefusal and lastRefusal are those of a refusal: of the key, of the account, or of the model's name.
	firstRefusal = time.Minute
	lastRefusal  = 15 * time.Minute
)

// isRefusal reports whether a failure of a kind is a refusal of the key, of the account or of the model's name.
func isRefusal(kind callwright.Kind) bool {
	first, _ := restOf(kind)
	return first == firstRefusal
}

// restOf returns the first and the longest cooldown after failures of a kind whose time nobody states.
func restOf(kind callwright.Kind) (first, last time.Duration) {
	switch kind {
	case callwright.KindAuth, callwright.KindPermission, callwright.KindBilling, callwright.KindNotFound:
		return firstRefusal, lastRefusal
	}
	return firstRest, lastRest
}

// failuresInARow is how many answers in a row fail before their host cools down. A connection that fails counts for all
// of them.
const failuresInARow = 3

// A part is a unit of cooldown: a key, a host, a pair of them, a model, or a key or a host for one model. Callers hold
// the lock of its Table, except for isMarked.
type part struct {
	id       string // under which gateways share its cooldowns, "" for none
	hash     uint64
	inFlight int

	kind   callwright.Kind // of the failure that began the cooldown
	stated bool            // the provider stated the time
	until  int64           // of the cooldown, in nanoseconds of the epoch; 0 after an answer
	trial  int64           // until when others avoid it while one request tries it
	row    int             // failures in a row
	rest   time.Duration   // the last cooldown whose time nobody stated
	secret uint64          // the hash of the key that was refused, 0 for none and for one that does not change

	marked atomic.Bool // a field above says something
}

// isMarked reports whether the part has a trace of a failure. It needs no lock.
func (p *part) isMarked() bool { return p.marked.Load() }

// mark updates the result of isMarked.
func (p *part) mark() {
	if m := p.until != 0 || p.row != 0 || p.rest != 0; m != p.marked.Load() {
		p.marked.Store(m)
	}
}

func newPart(id string) *part { return &part{id: id, hash: hashOf(id)} }

// hashOf returns a hash that is the same in every process, never 0.
func hashOf(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // it never fails
	return max(mix(h.Sum64()), 1)
}

// mix spreads the bits of a number, as the finalizer of SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// timeLeft returns the time for which the part is avoided.
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

// cool begins a cooldown, and reports whether it ends at another time than the one before. A time that the provider
// stated is not shortened.
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

// coolFor begins the cooldown after a failure, and reports whether it ends at another time than the one before. wait is
// the time that the provider states, 0 for none. Failures of requests that were sent before the cooldown began do not
// lengthen it.
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

// answer notes a whole answer. It ends a cooldown whose time nobody stated, and the row of failures.
func (p *part) answer(now int64) {
	p.row, p.rest = 0, 0
	p.open(now)
}

// reach records that a host gave an answer that does not show whether it accepts the key: a cooldown of a host that
// refuses the key is kept, with its doubled time.
func (p *part) reach(now int64) {
	if !isRefusal(p.kind) {
		p.answer(now)
		return
	}
	p.row = 0
	p.mark()
}

// refuse records the hash of the refused key, 0 for a key that does not change. The hash of the key that began the
// cooldown is kept.
func (p *part) refuse(secret uint64) {
	if p.secret == 0 {
		p.secret = secret
	}
}

// forget ends a cooldown that a refused key began, if the key has changed. secret is the hash of the present key.
func (p *part) forget(secret uint64) {
	if p.until == 0 || p.stated {
		return
	}
	switch p.secret {
	case 0: // another gateway told of it
		p.secret = secret
	case secret:
	default:
		p.until, p.trial, p.kind, p.rest = 0, 0, "", 0
		p.mark()
	}
}

// open ends a cooldown whose time nobody stated, after the head of an answer.
func (p *part) open(now int64) {
	if !p.stated || now >= p.until {
		p.until, p.trial, p.kind, p.stated = 0, 0, "", false
	}
	p.mark()
}

// begin notes that a request is sent, and reports whether it is the one that tries the part after a cooldown.
func (p *part) begin(now int64) bool {
	if p.until == 0 || now < p.until {
		return false
	}
	p.stated, p.trial = false, now+int64(trial)
	return true
}

// fail counts failures in a row of a host, and reports whether they are enough for a cooldown.
func (p *part) fail(n int) bool {
	p.row += n
	p.mark()
	return p.row >= failuresInARow
}
