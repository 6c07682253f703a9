package guard_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/dashboard/internal/guard"
)

// TestThrottle: an address that fails too often waits, others do not, and it may try again in time.
func TestThrottle(t *testing.T) {
	var limit guard.Throttle
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	const here, neighbour, elsewhere = "192.0.2.1:1000", "192.0.2.1:2000", "192.0.2.2:1000"
	tried := 0
	for range 120 { // in 0.6 s
		if limit.Wait(here, now) == 0 {
			limit.Fail(here, now)
			tried++
		}
		now = now.Add(5 * time.Millisecond)
	}
	if tried != guard.LoginBurst {
		t.Errorf("%d of 120 were tried", tried)
	}
	if wait := limit.Wait(neighbour, now); wait <= 0 || wait > guard.LoginEvery {
		t.Errorf("another port waits %s", wait)
	}
	if wait := limit.Wait(elsewhere, now); wait != 0 {
		t.Errorf("another address waits %s", wait)
	}
	if now = now.Add(limit.Wait(here, now)); limit.Wait(here, now) != 0 {
		t.Error("it waits longer than was said")
	}
	if limit.Fail(here, now); limit.Wait(here, now) != guard.LoginEvery {
		t.Errorf("after one more it waits %s", limit.Wait(here, now))
	}
	now = now.Add(guard.LoginBurst * guard.LoginEvery)
	for range guard.LoginBurst {
		if limit.Wait(here, now) != 0 {
			t.Error("an hour later it still waits")
		}
		limit.Fail(here, now)
	}
	if limit.Succeed(here); limit.Wait(here, now) != 0 {
		t.Error("it waits after a login")
	}
}

// TestThrottleAddresses: a machine does not get round the limit by the addresses of its network, and many addresses do not fill the memory.
func TestThrottleAddresses(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct{ one, other string }{
		"IPv6": {"[2001:db8::1]:1", "[2001:db8::ffff:2]:2"}, "mapped": {"[::ffff:192.0.2.1]:1", "192.0.2.1:2"}, "zone": {"[fe80::1%eth0]:1", "[fe80::1%eth1]:1"}, "none": {"@", ""},
	} {
		var limit guard.Throttle
		for range guard.LoginBurst {
			limit.Fail(c.one, now)
		}
		if limit.Wait(c.other, now) == 0 {
			t.Errorf("%s: %s does not wait for %s", name, c.other, c.one)
		}
	}
	var limit guard.Throttle
	const busy = "198.51.100.1:1"
	for range 2 * guard.LoginBurst {
		limit.Fail(busy, now)
	}
	for i := range 30000 {
		limit.Fail(fmt.Sprintf("10.%d.%d.%d:1", i>>16, i>>8&255, i&255), now)
	}
	if limit.Wait(busy, now) == 0 {
		t.Error("an address that failed often is forgotten for others that failed once")
	}
}
