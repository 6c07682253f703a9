package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/keyring"
	"github.com/callwright/callwright/internal/store"
)

// soon is within which a change of a key that one gateway made holds at the others.
const soon = 2 * time.Second

// A signalLog is a Log that tells when something was heard.
type signalLog struct {
	keyring.Log
	heard chan struct{}
}

func (l *signalLog) Follow(heard func(keyring.Entry), read func()) {
	tell := func() {
		select {
		case l.heard <- struct{}{}:
		default: // there is one already that says that something was heard
		}
	}
	l.Log.Follow(func(e keyring.Entry) { heard(e); tell() }, func() { read(); tell() })
}

// A keyGateway is what a gateway has of keys.
type keyGateway struct {
	ring *keyring.Ring
	gate *access.Gate
	log  *signalLog
}

func newKeyGateway(t *testing.T, c store.Config) *keyGateway {
	t.Helper()
	g := &keyGateway{log: &signalLog{open(t, c).Keys(), make(chan struct{}, 1)}}
	g.ring = keyring.New(g.log, nil)
	var err error
	if g.gate, err = access.New(access.Config{Keys: []access.Key{{Name: "root", Hash: access.HashOf("root"), Verbs: access.Verbs()}}, Source: g.ring}); err != nil {
		t.Fatal(err)
	}
	g.ring.SetConfigured(g.gate)
	g.ring.Await(t.Context())
	return g
}

// takes waits until the gateway takes a secret, or does not, and returns how long that took.
func (g *keyGateway) takes(t *testing.T, what, secret string, want bool) time.Duration {
	t.Helper()
	begun := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), longestWait)
	defer cancel()
	for {
		if _, err := g.gate.Find([][]byte{[]byte(secret)}); (err == nil) == want {
			return time.Since(begun)
		}
		select {
		case <-g.log.heard:
		case <-ctx.Done():
			t.Fatalf("%s is not heard", what)
		}
	}
}

// TestKeysAreHeard: a key that is made, disabled, enabled, replaced and removed at one gateway holds so at another one within 2 s of the answer, also after
// NATS was started again. Nothing is asked again and again: each wait ends with an event.
func TestKeysAreHeard(t *testing.T) {
	t.Parallel()
	c := single(t)
	conf := c.config(fresh())
	one, other := newKeyGateway(t, conf), newKeyGateway(t, conf)
	var longest time.Duration
	round := func(name string) {
		heard := func(what, secret string, want bool) {
			t.Helper()
			took := other.takes(t, what, secret, want)
			if longest = max(longest, took); took > soon {
				t.Errorf("%s %s is heard after %s", name, what, took)
			}
		}
		_, secret, err := one.ring.Create(t.Context(), "root", name, keyring.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		heard("a new key", secret, true)
		if _, err := one.ring.Change(t.Context(), "root", name, []byte(`{"disabled":true}`)); err != nil {
			t.Fatal(err)
		}
		heard("a disabled key", secret, false)
		if _, err := one.ring.Change(t.Context(), "root", name, []byte(`{"disabled":false}`)); err != nil {
			t.Fatal(err)
		}
		heard("an enabled key", secret, true)
		_, second, err := one.ring.Rotate(t.Context(), "root", name, 0)
		if err != nil {
			t.Fatal(err)
		}
		heard("another secret", second, true)
		heard("the secret before", secret, false)
		if err := one.ring.Delete(t.Context(), "root", name); err != nil {
			t.Fatal(err)
		}
		heard("a removed key", second, false)
	}
	round("before")
	c.stop(0)
	c.start(t, 0)
	eventually(t, "both know the new server", func() bool {
		_, _, err := one.ring.Create(t.Context(), "root", "probe", keyring.Settings{})
		if err == nil {
			return other.takesName("probe")
		}
		_, found := one.ring.Key("probe")
		return found == nil && other.takesName("probe")
	})
	round("after")
	t.Logf("the longest took %s", longest)
}

// takesName reports whether the gateway knows a key of a name.
func (g *keyGateway) takesName(name string) bool {
	_, err := g.ring.Key(name)
	return err == nil
}
