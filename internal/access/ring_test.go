package access

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
)

// drawnKeys are keys of few names, some of which have limits for models, another owner or a key that they replace.
func drawnKeys(t *rapid.T) (keys []Key) {
	for _, name := range []string{"a", "b"} {
		if rapid.IntRange(0, 5).Draw(t, "missing") == 0 {
			continue
		}
		k := Key{Name: name, Hash: HashOf(name)}
		k.Limits.Requests = rapid.Int64Range(0, 9).Draw(t, "requests")
		k.Limits.Tokens = rapid.Int64Range(0, 900).Draw(t, "tokens")
		for _, models := range []string{"x", "y*"} {
			if rapid.Bool().Draw(t, "for models") {
				m := ModelLimits{Models: models}
				m.Requests = rapid.Int64Range(1, 9).Draw(t, "requests of models")
				k.PerModel = append(k.PerModel, m)
			}
		}
		if rapid.Bool().Draw(t, "replaces") {
			k.Hash, k.Previous = HashOf(name+" new"), HashOf(name)
		}
		if rapid.Bool().Draw(t, "owned") {
			k.Owner = ownerOf("team")
		}
		keys = append(keys, k)
	}
	return keys
}

// TestFirstUses: whichever ring a request began with, its caller has all limits of its key, and once a key of the ring that holds was used its limits
// are those of that ring.
func TestFirstUses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, err := New(Config{Keys: drawnKeys(t)})
		if err != nil {
			t.Fatal(err)
		}
		rings := []*ring{g.ring.Load()}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"reload", "use", "look"}).Draw(t, "step") {
			case "reload":
				use, err := g.Prepare(Config{Keys: drawnKeys(t)})
				if err != nil {
					t.Fatal(err)
				}
				use()
				rings = append(rings, g.ring.Load())
			case "use":
				r := rapid.SampledFrom(rings).Draw(t, "ring") // one may have been taken before a reload
				for i := range r.keys {
					checkCaller(t, g, r, i, g.caller(r, int32(i)))
				}
			case "look":
				r := rapid.SampledFrom(rings).Draw(t, "ring")
				for i := range r.keys {
					c := g.onlooker(r, int32(i))
					checkCaller(t, g, r, i, c)
					c.Usage(t.Context())
				}
			}
		}
	})
}

func checkCaller(t *rapid.T, g *Gate, r *ring, i int, c *Caller) {
	k := &r.keys[i]
	use, err := c.Reserve(t.Context(), PlannedRequest{Name: "x", Models: []callwright.ModelID{"p/x"}})
	if err == nil {
		use.Cancel(t.Context())
	}
	switch owner := k.Owner; {
	case c.Name != k.Name, len(c.models) != len(k.PerModel), owner != (Owner{}) && c.Owner != owner, owner == (Owner{}) && c.Owner != ownerOf(k.Name):
		t.Fatalf("got the caller %+v of %+v", c, k)
	case r != g.ring.Load():
		return
	}
	if c.account.own.requests.limit != k.Limits.Requests || c.account.own.tokens.limit != k.Limits.Tokens {
		t.Fatalf("got limits of %d requests and %d tokens, want %+v", c.account.own.requests.limit, c.account.own.tokens.limit, k.Limits)
	}
	for n := range k.PerModel {
		if got, want := c.models[n].requests.limit, k.PerModel[n].Requests; got != want {
			t.Fatalf("got a limit of %d requests, want %d", got, want)
		}
	}
}

// TestFirstUsesTogether: reloads beside first uses, for the race detector. The limits that were set last hold.
func TestFirstUsesTogether(t *testing.T) {
	keysOf := func(limit int64) (keys []Key) {
		for i := range 50 {
			k := Key{Name: fmt.Sprint(i), Hash: HashOf(fmt.Sprint(i)), Previous: HashOf(fmt.Sprint("old ", i))}
			k.Limits.Requests = limit
			if m := (ModelLimits{Models: "x"}); limit%2 == 0 {
				m.Requests = limit
				k.PerModel = append(k.PerModel, m)
			}
			keys = append(keys, k)
		}
		return keys
	}
	const last = 400
	g, err := New(Config{Keys: keysOf(100)})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range 400 {
				key := fmt.Sprint((i*7 + worker) % 50)
				if i%2 == 0 {
					key = "old " + key
				}
				c, err := g.Find([][]byte{[]byte(key)})
				if err != nil {
					t.Error(err)
					return
				}
				use, err := c.Reserve(context.Background(), PlannedRequest{Name: "x"})
				if err == nil {
					use.Cancel(context.Background())
				}
				if i%40 == 0 {
					g.Usages(context.Background())
				}
			}
		})
	}
	for limit := int64(101); limit <= last; limit++ {
		use, err := g.Prepare(Config{Keys: keysOf(limit)})
		if err != nil {
			t.Fatal(err)
		}
		use()
	}
	all.Wait()
	for _, u := range g.Usages(context.Background()) {
		if len(u.Limits) != 2 || u.Limits[0].Limit != last || u.Limits[1].Limit != last {
			t.Errorf("%s: got the limits %+v, want %d", u.Key, u.Limits, last)
		}
	}
}
