package balance

import (
	"hash/fnv"
	"time"

	"github.com/callwright/callwright"
)

// The times of cooldowns.
const (
	// longest bounds a cooldown, whatever a provider says.
	longest = time.Hour
	// trial bounds the time for which other requests avoid a part while one request tries it after a cooldown.
	trial = 10 * time.Second
	// firstRest is the first cooldown of a host that fails. It doubles with each that follows without an answer between, up to lastRest.
	firstRest = 5 * time.Second
	lastRest  = time.Minute
)

// failuresInARow is how many answers in a row fail before their host cools down. A connection that fails counts for all of them.
const failuresInARow = 3

// A part is what cools down as a whole: a key, a host, or a key for one model. The lock of its Table is held.
type part struct {
	id       string // under which gateways share its cooldowns, "" for none
	hash     uint64
	inFlight int

	kind   callwright.Kind // of the failure that began the cooldown
	stated bool            // the provider stated the time
	until  int64           // of the cooldown, in nanoseconds of the epoch; 0 after an answer
	trial  int64           // until when others avoid it while one request tries it
	row    int             // failures in a row
	rest   time.Duration   // the last cooldown of a host
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

// left returns how long the part is avoided.
func (p *part) left(now int64) time.Duration {
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

// cool begins a cooldown, and reports whether it ends at another time than the one before. A time that the provider stated is not
// shortened.
func (p *part) cool(kind callwright.Kind, until int64, stated bool, now int64) bool {
	until = min(until, now+int64(longest))
	if until <= now || p.stated && now < p.until && (!stated || until <= p.until) {
		return false
	}
	moved := p.kind != kind || until-p.until > int64(time.Second) || p.until-until > int64(time.Second)
	p.kind, p.stated, p.until, p.trial = kind, stated, until, 0
	return moved
}

// answer notes an answer. It ends a cooldown that nobody stated.
func (p *part) answer(now int64) {
	p.row, p.rest = 0, 0
	if !p.stated || now >= p.until {
		p.until, p.trial, p.kind, p.stated = 0, 0, "", false
	}
}

// begin notes that a request is sent.
func (p *part) begin(now int64) {
	p.inFlight++
	if p.until != 0 && now >= p.until {
		if p.stated { // the provider said when it is over
			p.until, p.kind, p.stated = 0, "", false
		} else {
			p.trial = now + int64(trial)
		}
	}
}

// fail counts a failure of a host, and returns how long it rests, 0 for not.
func (p *part) fail(n int) time.Duration {
	if p.row += n; p.row < failuresInARow {
		return 0
	}
	p.rest = min(max(2*p.rest, firstRest), lastRest)
	return p.rest
}
