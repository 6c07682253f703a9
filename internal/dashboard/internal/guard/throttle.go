package guard

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// Limits of failed logins per client address.
const (
	LoginBurst = 10              // number of failed logins allowed at once
	LoginEvery = 6 * time.Second // interval after which one more is allowed
)

// maxAddresses is the maximum number of remembered addresses.
const maxAddresses = 10000

// A Throttle limits failed logins per client address to LoginBurst, and one more every LoginEvery. The zero Throttle is
// ready to use. It is safe for concurrent use.
type Throttle struct {
	mu   sync.Mutex
	full map[netip.Prefix]time.Time // when all failures of an address will have expired
}

// Wait returns how long a client must wait before its next login, 0 if it may try now. After a failed login, call Fail.
func (t *Throttle) Wait(remote string, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	full, ok := t.full[addressOf(remote)]
	if !ok {
		return 0
	}
	return max(full.Sub(now)-(LoginBurst-1)*LoginEvery, 0)
}

// Fail records a failed login.
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

// Succeed resets the failures of an address.
func (t *Throttle) Succeed(remote string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.full, addressOf(remote))
}

// makeRoom removes addresses with at most one unexpired failure or, if there are none, the address whose failures
// expire first.
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

// addressOf returns the address of a connection without its port. For IPv6 it is the /64 network, because one machine
// may use all its addresses.
func addressOf(remote string) netip.Prefix {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Prefix{} // shared by all invalid addresses
	}
	ip = ip.Unmap().WithZone("")
	bits := 64
	if ip.Is4() {
		bits = 32
	}
	p, _ := ip.Prefix(bits)
	return p
}
