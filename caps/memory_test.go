package caps_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/caps"
)

// clock is a time that stands still until it is moved.
type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

func newClock() *clock { return &clock{time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)} }

func keys(t *testing.T, m *caps.Memory, model string) []string {
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

func learn(t *testing.T, m *caps.Memory, model string, facts ...caps.Fact) {
	t.Helper()
	for _, f := range facts {
		if err := m.Learn(context.Background(), model, f); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMemory(t *testing.T) {
	ctx, at := context.Background(), newClock()
	m := caps.NewMemory(at.read)
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
	if d := cmp.Diff([]string{"lab/one"}, m.Models()); d != "" {
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
	if len(m.Models()) != 0 {
		t.Errorf("left: %v", m.Models())
	}
}

func TestMemoryForgetsOne(t *testing.T) {
	m := caps.NewMemory(newClock().read)
	learn(t, m, "m", caps.Fact{Key: "tools", Value: "no"}, caps.Fact{Key: "images", Value: "no"})
	if err := m.Forget(context.Background(), "m", "tools"); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"images=no"}, keys(t, m, "m")); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestMemoryRefusesNonsense(t *testing.T) {
	m := caps.NewMemory(nil)
	for _, f := range []caps.Fact{{Key: "wings", Value: "yes"}, {Key: "tools", Value: "perhaps"}, {}} {
		if err := m.Learn(context.Background(), "m", f); err == nil {
			t.Errorf("%+v was learned", f)
		}
	}
	if err := m.Learn(context.Background(), "", caps.Fact{Key: "tools", Value: "no"}); err == nil {
		t.Error("a fact about no model was learned")
	}
	if len(m.Models()) != 0 {
		t.Errorf("left: %v", m.Models())
	}
}

func TestMemoryIsBounded(t *testing.T) {
	at := newClock()
	m := caps.NewMemory(at.read)
	const many = 5000
	for i := range many {
		at.now = at.now.Add(time.Millisecond)
		learn(t, m, fmt.Sprint("m", i), caps.Fact{Key: "tools", Value: "no", Source: caps.Learned})
	}
	left := len(m.Models())
	if left == 0 || left >= many {
		t.Errorf("%d models are remembered", left)
	}
	if keys(t, m, "m0") != nil || keys(t, m, fmt.Sprint("m", many-1)) == nil {
		t.Error("not the oldest made room")
	}
}

func TestMemoryIsShared(t *testing.T) {
	m := caps.NewMemory(nil)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 100 {
				learn(t, m, "m", caps.Fact{Key: caps.Keys()[i], Value: "yes", Source: caps.Learned})
				keys(t, m, "m")
				m.Models()
			}
		})
	}
	wg.Wait()
	if n := len(keys(t, m, "m")); n != 8 {
		t.Errorf("%d facts", n)
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
