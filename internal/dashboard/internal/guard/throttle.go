package guard

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// Limits of logins that fail, by the address that they come from.
const (
	LoginBurst = 10              // in a row
	LoginEvery = 6 * time.Second // one more
)

// maxAddresses bounds the addresses that are remembered.
const maxAddresses = 10000

// A Throttle bounds the logins that fail: LoginBurst from one address, and one more each LoginEvery. The zero Throttle
// has seen none; it is safe for concurrent use.
type Throttle struct {
	mu   sync.Mutex
	full map[netip.Prefix]time.Time // when an address will have its burst again
}

// Wait returns how long a login from an address has to wait, 0 where it may be tried now. The caller calls Fail for one
// that was tried and failed.
func (t *Throttle) Wait(remote string, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	full, ok := t.full[addressOf(remote)]
	if !ok {
		return 0
	}
	return max(full.Sub(now)-(LoginBurst-1)*LoginEvery, 0)
}

// Fail counts a login that failed.
func (t *Throttle) Fail(remote string, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.full == nil {
		t.full = map[netip.Prefix]time.Time{}
	}
	at := addressOf(remote)
	if len(t.full) >= maxAddresses {
		t.makeRoom(now)
	}
	from := t.full[at]
	if from.Before(now) {
		from = now
	}
	t.full[at] = from.Add(LoginEvery)
}

// Succeed forgets the failures of an address.
func (t *Throttle) Succeed(remote string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.full, addressOf(remote))
}

// makeRoom forgets the addresses that have their burst again or lack one login of it, or, where there is none, the one
// that has it first.
func (t *Throttle) makeRoom(now time.Time) {
	var first netip.Prefix
	for at, full := range t.full {
		if full.Sub(now) <= LoginEvery {
			delete(t.full, at)
			continue
		}
		if !first.IsValid() || full.Before(t.full[first]) {
			first = at
		}
	}
	if len(t.full) >= maxAddresses {
		delete(t.full, first)
	}
}

// addressOf returns the address of a connection without its port: of IPv6 the network of 64 bits, all of which one
// machine may have.
func addressOf(remote string) netip.Prefix {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Prefix{} // all unknown ones together
	}
	ip = ip.Unmap().WithZone("")
	bits := 64
	if ip.Is4() {
		bits = 32
	}
	p, _ := ip.Prefix(bits)
	return p
}
