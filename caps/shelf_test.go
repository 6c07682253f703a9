package caps_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/caps/factfile"
)

// clock is a time that stands still until it is moved.
type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

func newClock() *clock { return &clock{time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)} }

func keys(t *testing.T, m caps.Shelf, model string) []string {
	t.Helper()
	facts, err := m.Facts(context.Background(), model)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range facts {
		out = append(out, f.Key+"="+f.Value)
	}
	return out
}

// models lists the models of which a shelf knows something.
func models(t *testing.T, m caps.Shelf) []string {
	t.Helper()
	names, err := m.Models(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func learn(t *testing.T, m caps.Shelf, model string, facts ...caps.Fact) {
	t.Helper()
	for _, f := range facts {
		if err := m.Learn(context.Background(), model, f); err != nil {
			t.Fatal(err)
		}
	}
}

// shelves runs a test for each Shelf there is.
func shelves(t *testing.T, test func(t *testing.T, open func(now func() time.Time) caps.Shelf)) {
	t.Run("memory", func(t *testing.T) {
		test(t, func(now func() time.Time) caps.Shelf { return caps.NewMemory(now) })
	})
	t.Run("folder", func(t *testing.T) {
		test(t, func(now func() time.Time) caps.Shelf {
			s, err := factfile.Open(filepath.Join(t.TempDir(), "facts"), now)
			if err != nil {
				t.Fatal(err)
			}
			return s
		})
	})
}

func TestShelf(t *testing.T) {
	shelves(t, func(t *testing.T, open func(now func() time.Time) caps.Shelf) {
		ctx, at := context.Background(), newClock()
		m := open(at.read)
		learn(t, m, "lab/one",
			caps.Fact{Key: "tools", Value: "no", Source: caps.Learned, Evidence: "refused tools"},
			caps.Fact{Key: "dialect", Value: "hermes", Source: caps.Probed},
			caps.Fact{Key: "max_tools", Value: "9", Source: caps.Learned, Expires: at.now.Add(time.Hour)})
		learn(t, m, "lab/two", caps.Fact{Key: "tools", Value: "yes", Source: caps.Learned})

		check := func(want ...string) {
			t.Helper()
			if d := cmp.Diff(want, keys(t, m, "lab/one")); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		}
		check("tools=no", "dialect=hermes", "max_tools=9")
		learn(t, m, "lab/one", caps.Fact{Key: "tools", Value: "yes", Source: caps.Learned})
		check("dialect=hermes", "max_tools=9", "tools=yes")
		at.now = at.now.Add(time.Hour)
		check("dialect=hermes", "tools=yes")
		at.now = at.now.Add(caps.LearnedTTL - time.Hour)
		check("dialect=hermes") // what was probed does not expire by itself
		if d := cmp.Diff([]string{"lab/one"}, models(t, m)); d != "" {
			t.Errorf("models (-want +got)\n%s", d)
		}
		if err := m.Forget(ctx, "lab/one", "wings"); err != nil {
			t.Error(err)
		}
		check("dialect=hermes")
		if err := m.Forget(ctx, "lab/one", ""); err != nil {
			t.Error(err)
		}
		check()
		if left := models(t, m); len(left) != 0 {
			t.Errorf("left: %v", left)
		}
	})
}

// What one source says does not take the place of what another says: when it expires, the other holds again.
func TestFactsOfEachSource(t *testing.T) {
	shelves(t, func(t *testing.T, open func(now func() time.Time) caps.Shelf) {
		at := newClock()
		m := open(at.read)
		learn(t, m, "m", caps.Fact{Key: "tools", Value: "no", Source: caps.Learned}, caps.Fact{Key: "tools", Value: "yes", Source: caps.Probed},
			caps.Fact{Key: "images", Value: "yes", Source: caps.Discovered})
		laid := func() caps.Caps {
			facts, err := m.Facts(context.Background(), "m")
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range facts {
				if !f.Seen.Equal(newClock().now) {
					t.Errorf("%s was seen at %v", f.Key, f.Seen)
				}
			}
			return caps.Caps{Images: caps.No}.From(caps.Configured).Laid(facts)
		}
		if c := laid(); c.Tools != caps.No || c.Sources["tools"] != caps.Learned || c.Images != caps.No {
			t.Errorf("%+v", c)
		}
		at.now = at.now.Add(caps.LearnedTTL)
		if c := laid(); c.Tools != caps.Yes || c.Sources["tools"] != caps.Probed {
			t.Errorf("after the learned one expired: %+v", c)
		}
	})
}

func TestForgetOne(t *testing.T) {
	shelves(t, func(t *testing.T, open func(now func() time.Time) caps.Shelf) {
		m := open(newClock().read)
		learn(t, m, "m", caps.Fact{Key: "tools", Value: "no"}, caps.Fact{Key: "tools", Value: "yes", Source: caps.Probed}, caps.Fact{Key: "images", Value: "no"})
		if err := m.Forget(context.Background(), "m", "tools"); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{"images=no"}, keys(t, m, "m")); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	})
}

func TestShelfRefusesNonsense(t *testing.T) {
	shelves(t, func(t *testing.T, open func(now func() time.Time) caps.Shelf) {
		m := open(nil)
		for _, f := range []caps.Fact{{Key: "wings", Value: "yes"}, {Key: "tools", Value: "perhaps"}, {}} {
			if err := m.Learn(context.Background(), "m", f); err == nil {
				t.Errorf("%+v was learned", f)
			}
		}
		if err := m.Learn(context.Background(), "", caps.Fact{Key: "tools", Value: "no"}); err == nil {
			t.Error("a fact about no model was learned")
		}
		if left := models(t, m); len(left) != 0 {
			t.Errorf("left: %v", left)
		}
	})
}

// Any name is one of a model.
func TestShelfTakesAnyName(t *testing.T) {
	shelves(t, func(t *testing.T, open func(now func() time.Time) caps.Shelf) {
		m := open(nil)
		names := []string{"../one", "a b/ä", ".", strings.Repeat("long/", 100)}
		for _, name := range names {
			learn(t, m, name, caps.Fact{Key: "dialect", Value: name[:1], Source: caps.Probed})
		}
		slices.Sort(names)
		if d := cmp.Diff(names, models(t, m)); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
		for _, name := range names {
			if got := keys(t, m, name); len(got) != 1 || got[0] != "dialect="+name[:1] {
				t.Errorf("%q: %v", name, got)
			}
		}
	})
}

// Who watches is told of what is learned and forgotten, until it has enough.
func TestWatch(t *testing.T) {
	shelves(t, func(t *testing.T, open func(now func() time.Time) caps.Shelf) {
		m := open(nil)
		ctx, enough := context.WithCancel(context.Background())
		var told []string
		if err := m.Watch(ctx, func(model string) { told = append(told, model) }); err != nil {
			t.Fatal(err)
		}
		learn(t, m, "a", caps.Fact{Key: "tools", Value: "no"})
		if err := m.Forget(context.Background(), "b", ""); err != nil {
			t.Fatal(err)
		}
		enough()
		learn(t, m, "c", caps.Fact{Key: "tools", Value: "no"})
		if d := cmp.Diff([]string{"a", "b"}, told); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	})
}

func TestShelfIsShared(t *testing.T) {
	shelves(t, func(t *testing.T, open func(now func() time.Time) caps.Shelf) {
		m := open(nil)
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for range 10 {
					learn(t, m, "m", caps.Fact{Key: caps.Keys()[i], Value: "yes", Source: caps.Learned})
					keys(t, m, "m")
					models(t, m)
				}
			})
		}
		wg.Wait()
		if n := len(keys(t, m, "m")); n != 8 {
			t.Errorf("%d facts", n)
		}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	at := newClock()
	m := caps.NewMemory(at.read)
	const many = 5000
	for i := range many {
		at.now = at.now.Add(time.Millisecond)
		learn(t, m, fmt.Sprint("m", i), caps.Fact{Key: "tools", Value: "no", Source: caps.Learned})
	}
	left := len(models(t, m))
	if left == 0 || left >= many {
		t.Errorf("%d models are remembered", left)
	}
	if keys(t, m, "m0") != nil || keys(t, m, fmt.Sprint("m", many-1)) == nil {
		t.Error("not the oldest made room")
	}
}

func ExampleMemory() {
	m := caps.NewMemory(nil)
	ctx := context.Background()
	m.Learn(ctx, "lab/one", caps.Fact{Key: "tools", Value: "no", Source: caps.Learned, Evidence: "the provider refused tools"})
	facts, _ := m.Facts(ctx, "lab/one")
	fmt.Println(facts[0].Key, facts[0].Value, facts[0].Source)
	// Output: tools no learned
}
