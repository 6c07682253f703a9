package auth_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider/auth"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A source gives numbered credentials that last for a time, and takes a while for each.
type source struct {
	life, takes time.Duration
	n           atomic.Int64
	fails       atomic.Bool
	running     atomic.Int64
	most        atomic.Int64 // at once
}

func (s *source) fetch(ctx context.Context) (auth.ExpiringCredential[string], error) {
	s.most.Store(max(s.most.Load(), s.running.Add(1)))
	defer s.running.Add(-1)
	select {
	case <-time.After(s.takes):
	case <-ctx.Done():
		return auth.ExpiringCredential[string]{}, ctx.Err()
	}
	if s.fails.Load() {
		return auth.ExpiringCredential[string]{}, errors.New("away")
	}
	return auth.ExpiringCredential[string]{Value: fmt.Sprintf("c%d", s.n.Add(1)), End: time.Now().Add(s.life)}, nil
}

// Many ask at once and get the same credential, which is fetched once; it is fetched anew beside them before its end, and nobody waits for that.
func TestOneFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &source{life: time.Hour, takes: time.Second}
		c := auth.NewCache(s.fetch, nil)
		defer func() { _ = c.Close() }()
		ask := func(want string, wait time.Duration) {
			t.Helper()
			var wg sync.WaitGroup
			for range 20 {
				wg.Go(func() {
					began := time.Now()
					got, err := c.Get(t.Context())
					if got != want || err != nil || time.Since(began) != wait {
						t.Errorf("got %q, %v after %s; want %q after %s", got, err, time.Since(began), want, wait)
					}
				})
			}
			wg.Wait()
		}
		ask("c1", time.Second)
		ask("c1", 0)
		time.Sleep(55*time.Minute - 2*time.Second)
		ask("c1", 0)
		if n := s.n.Load(); n != 1 {
			t.Fatalf("%d were fetched too early", n)
		}
		time.Sleep(2 * time.Second)
		ask("c1", 0) // and fetches the next
		time.Sleep(2 * time.Second)
		ask("c2", 0)
		time.Sleep(2 * time.Hour)
		ask("c3", time.Second) // which nobody asked for in time
		if s.most.Load() != 1 {
			t.Errorf("%d fetches at once", s.most.Load())
		}
	})
}

// While a fetch beside requests fails, the credential is used as long as it holds; then requests have the error, and the next one tries again.
func TestFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &source{life: 10 * time.Minute, takes: time.Second}
		c := auth.NewCache(s.fetch, nil)
		defer func() { _ = c.Close() }()
		if _, err := c.Get(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.fails.Store(true)
		for range 598 {
			if got, err := c.Get(t.Context()); got != "c1" || err != nil {
				t.Fatalf("got %q, %v", got, err)
			}
			time.Sleep(time.Second)
		}
		time.Sleep(3 * time.Second)
		_, err := c.Get(t.Context())
		if e, ok := errors.AsType[*callwright.Error](err); !ok || e.Kind != callwright.KindUnavailable || e.Message != "away" {
			t.Errorf("got %v", err)
		}
		s.fails.Store(false)
		if got, err := c.Get(t.Context()); got != "c2" || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

// Who does not wait any longer leaves; the fetch goes on for the others, and ends after 30 seconds at the latest.
func TestLeaving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &source{life: time.Hour, takes: 20 * time.Second}
		c := auth.NewCache(s.fetch, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Get(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if err := c.Close(); err != nil { // requests that wait get their credential
			t.Fatal(err)
		}
		if got, err := c.Get(t.Context()); got != "c1" || err != nil || s.n.Load() != 1 {
			t.Errorf("got %q, %v", got, err)
		}
		slow := auth.NewCache((&source{takes: time.Hour}).fetch, nil)
		defer func() { _ = slow.Close() }()
		began := time.Now()
		if _, err := slow.Get(t.Context()); err == nil || time.Since(began) != 30*time.Second {
			t.Errorf("got %v after %s", err, time.Since(began))
		}
	})
}

// A credential that the provider refuses is replaced: once, however many requests had it, and not again at once where its replacement is refused, too.
func TestRefuse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &source{life: time.Hour}
		c := auth.NewCache(s.fetch, nil)
		defer func() { _ = c.Close() }()
		is := func(v string) func(string) bool { return func(was string) bool { return was == v } }
		if c.Refuse(is("c1")) {
			t.Error("nothing was given")
		}
		get := func(want string) {
			t.Helper()
			if got, err := c.Get(t.Context()); got != want || err != nil {
				t.Fatalf("got %q, %v; want %q", got, err, want)
			}
		}
		get("c1")
		for range 8 {
			if !c.Refuse(is("c1")) {
				t.Error("c1 is not replaced")
			}
		}
		get("c2")
		if !c.Refuse(is("c1")) { // of a request that was under way: there is another one
			t.Error("c2 is not offered")
		}
		if c.Refuse(is("c2")) {
			t.Error("c2 is replaced at once")
		}
		get("c2")
		time.Sleep(10 * time.Second)
		if !c.Refuse(is("c2")) {
			t.Error("c2 is never replaced")
		}
		get("c3")
		if v := c.Values(); len(v) != 2 || v[0] != "c3" || v[1] != "c2" {
			t.Errorf("values %q", v)
		}
	})
}

// A credential that ends while another one is fetched is given to nobody from its end on.
func TestEndDuringFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &source{life: 5 * time.Second, takes: 4 * time.Second}
		c := auth.NewCache(s.fetch, nil)
		defer func() { _ = c.Close() }()
		for _, step := range []struct {
			wait time.Duration
			want string
		}{{0, "c1"}, {4100 * time.Millisecond, "c1"}, {time.Second, "c2"}} { // the second request begins the fetch, the third waits for it
			time.Sleep(step.wait)
			if got, err := c.Get(t.Context()); err != nil || got != step.want {
				t.Errorf("got %q, %v, want %s", got, err, step.want)
			}
		}
	})
}

// Over any course of time nobody gets a credential that has ended, and there is never more than one fetch.
func TestProperty(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		life, takes := time.Duration(rapid.IntRange(5, 4000).Draw(r, "life"))*time.Second, time.Duration(rapid.IntRange(0, 4).Draw(r, "takes"))*time.Second
		steps := rapid.SliceOfN(rapid.IntRange(0, 3000), 1, 40).Draw(r, "steps")
		synctest.Test(t, func(t *testing.T) {
			var ends sync.Map // of credentials, by their text
			s := &source{life: life, takes: takes}
			c := auth.NewCache(func(ctx context.Context) (auth.ExpiringCredential[string], error) {
				g, err := s.fetch(ctx)
				ends.Store(g.Value, g.End)
				return g, err
			}, nil)
			defer func() { _ = c.Close() }()
			for _, n := range steps {
				time.Sleep(time.Duration(n) * time.Second)
				synctest.Wait()
				got, err := c.Get(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if end, _ := ends.Load(got); !time.Now().Before(end.(time.Time)) {
					t.Fatalf("got %q, which ended %s ago", got, time.Since(end.(time.Time)))
				}
				synctest.Wait()
			}
			time.Sleep(takes) // what runs beside
			synctest.Wait()
			if s.most.Load() > 1 {
				t.Fatalf("%d fetches at once", s.most.Load())
			}
		})
	})
}

// A credential that is there is given without allocation.
func TestNoAllocation(t *testing.T) {
	c := auth.NewCache((&source{life: time.Hour}).fetch, nil)
	defer func() { _ = c.Close() }()
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() { _, _ = c.Get(ctx) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
