// Package capsstoretest contains the test suite for implementations of [caps.Store]. A test of an implementation is one
// call:
//
//	func TestCapsStore(t *testing.T) {
//		capsstoretest.Run(t, func(t *testing.T, now func() time.Time) caps.Store { return caps.NewMemory(now) })
//	}
//
// The store must take the current time only from now. It may notify a watcher of a change late and more than once; the
// suite waits for notifications. The suite checks these rules:
//
//   - A fact replaces the fact with the same key and source. It does not replace a fact of another source. An expired
//     fact is no longer returned.
//   - Learn sets the time at which a fact was learned and, for learned facts, the time at which it expires.
//   - A fact of source Override takes precedence over configured facts until it expires. If an override has already
//     expired when it is learned, it only removes the previous override. Facts of other sources are kept.
//   - Forget removes the facts with a key, or all facts about a model. It returns no error if there are none.
//   - Models returns the models with facts that have not expired, sorted. Any string except "" is a valid model name.
//   - Learn returns an error for an unknown key or an invalid value, and changes nothing.
//   - A watcher is notified of each model whose facts are learned or forgotten, until its context ends.
package capsstoretest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/caps"
	"github.com/google/go-cmp/cmp"
)

// Open opens an empty store. The store gets the current time from now; nil means time.Now. Open registers the function
// that closes the store with t.Cleanup.
type Open func(t *testing.T, now func() time.Time) caps.Store

// laws lists the tests of the suite: each checks one behaviour that all stores must have.
var laws = []struct {
	name string
	test func(t *testing.T, open func(now func() time.Time) caps.Store)
}{
	{"facts", facts},
	{"content", content},
	{"each source", eachSource},
	{"override", override},
	{"forget one", forgetOne},
	{"nonsense", nonsense},
	{"any name", anyName},
	{"watch", watch},
	{"together", together},
}

// Run tests a capability store.
func Run(t *testing.T, open Open) {
	t.Helper()
	for _, law := range laws {
		t.Run(law.name, func(t *testing.T) {
			law.test(t, func(now func() time.Time) caps.Store { return open(t, now) })
		})
	}
}

// A clock is a time source that changes only if a test sets now.
type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

func newClock() *clock { return &clock{time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)} }

func keys(t *testing.T, m caps.Store, model string) []string {
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

// models returns the models with facts in a store.
func models(t *testing.T, m caps.Store) []string {
	t.Helper()
	names, err := m.Models(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func learn(t *testing.T, m caps.Store, model string, facts ...caps.Fact) {
	t.Helper()
	for _, f := range facts {
		if err := m.Learn(context.Background(), model, f); err != nil {
			t.Fatal(err)
		}
	}
}

// facts checks that a learned fact is returned until it is replaced, forgotten or expired.
func facts(t *testing.T, open func(now func() time.Time) caps.Store) {
	ctx, at := t.Context(), newClock()
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
	check("dialect=hermes") // a probed fact does not expire
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
}

// eachSource checks that a fact does not replace a fact of another source. If it expires, the other fact applies again.
func eachSource(t *testing.T, open func(now func() time.Time) caps.Store) {
	at := newClock()
	m := open(at.read)
	learn(t, m, "m", caps.Fact{Key: "tools", Value: "no", Source: caps.Learned}, caps.Fact{Key: "tools", Value: "yes", Source: caps.Probed},
		caps.Fact{Key: "images", Value: "yes", Source: caps.Discovered})
	laid := func() caps.Caps {
		facts, err := m.Facts(t.Context(), "m")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range facts {
			if !f.Seen.Equal(newClock().now) {
				t.Errorf("%s was seen at %v", f.Key, f.Seen)
			}
		}
		return caps.Caps{Images: caps.No}.From(caps.Configured).WithFacts(facts)
	}
	if c := laid(); c.Tools != caps.No || c.Sources["tools"] != caps.Learned || c.Images != caps.No {
		t.Errorf("%+v", c)
	}
	at.now = at.now.Add(caps.LearnedTTL)
	if c := laid(); c.Tools != caps.Yes || c.Sources["tools"] != caps.Probed {
		t.Errorf("after the learned one expired: %+v", c)
	}
}

// override checks that a fact of source Override takes precedence over configured facts until it expires or an expired
// override replaces it.
func override(t *testing.T, open func(now func() time.Time) caps.Store) {
	at := newClock()
	m := open(at.read)
	check := func(want caps.Truth, source caps.Source) {
		t.Helper()
		facts, err := m.Facts(t.Context(), "m")
		if err != nil {
			t.Fatal(err)
		}
		if c := (caps.Caps{Tools: caps.No}).From(caps.Configured).WithFacts(facts); c.Tools != want || c.Sources["tools"] != source {
			t.Errorf("tools are %s by %s, not %s by %s", c.Tools, c.Sources["tools"], want, source)
		}
	}
	set := caps.Fact{Key: "tools", Value: "yes", Source: caps.Override}
	learn(t, m, "m", set)
	at.now = at.now.Add(100 * caps.LearnedTTL)
	learn(t, m, "m", caps.Fact{Key: "tools", Value: "no", Source: caps.Learned})
	check(caps.Yes, caps.Override)
	set.Expires = at.now
	learn(t, m, "m", set)
	check(caps.No, caps.Configured)
	if d := cmp.Diff([]string{"tools=no"}, keys(t, m, "m")); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	set.Expires = at.now.Add(time.Hour)
	learn(t, m, "m", set)
	check(caps.Yes, caps.Override)
	at.now = at.now.Add(time.Hour)
	check(caps.No, caps.Configured)
}

func forgetOne(t *testing.T, open func(now func() time.Time) caps.Store) {
	m := open(newClock().read)
	learn(t, m, "m", caps.Fact{Key: "tools", Value: "no"}, caps.Fact{Key: "tools", Value: "yes", Source: caps.Probed},
		caps.Fact{Key: "images", Value: "no"})
	if err := m.Forget(t.Context(), "m", "tools"); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"images=no"}, keys(t, m, "m")); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func nonsense(t *testing.T, open func(now func() time.Time) caps.Store) {
	m := open(nil)
	for _, f := range []caps.Fact{{Key: "wings", Value: "yes"}, {Key: "tools", Value: "perhaps"},
		{Key: "mode_success", Value: "native=most"}, {}} {
		if err := m.Learn(t.Context(), "m", f); err == nil {
			t.Errorf("%+v was learned", f)
		}
	}
	if err := m.Learn(t.Context(), "", caps.Fact{Key: "tools", Value: "no"}); err == nil {
		t.Error("a fact about no model was learned")
	}
	if left := models(t, m); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

// anyName checks that any non-empty string is a valid model name.
func anyName(t *testing.T, open func(now func() time.Time) caps.Store) {
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
}

func together(t *testing.T, open func(now func() time.Time) caps.Store) {
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
}

// content checks that a fact is returned with all its fields.
func content(t *testing.T, open func(now func() time.Time) caps.Store) {
	at := newClock()
	m := open(at.read)
	want := []caps.Fact{
		{Key: "max_tools", Value: "9", Source: caps.Probed, Evidence: "\"é\" <&>", Seen: at.now.Add(-time.Minute),
			Expires: at.now.Add(time.Hour + time.Nanosecond)},
		{Key: "mode_success", Value: "native=20+3-15/310t/1200ms@20785 lead=text since=1795881600000", Source: caps.Learned,
			Seen: at.now, Expires: at.now.Add(7 * 24 * time.Hour)},
		{Key: "tools", Value: "no", Source: caps.Learned, Seen: at.now, Expires: at.now.Add(caps.LearnedTTL)},
	}
	learn(t, m, "lab/one", want[0], want[1], caps.Fact{Key: "tools", Value: "no", Source: caps.Learned})
	got, err := m.Facts(t.Context(), "lab/one")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// watch checks that watchers are notified of learned and forgotten facts until their context ends.
func watch(t *testing.T, open func(now func() time.Time) caps.Store) {
	m := open(nil)
	watching := func(ctx context.Context) <-chan string {
		told := make(chan string, 100)
		if err := m.Watch(ctx, func(model string) { told <- model }); err != nil {
			t.Fatal(err)
		}
		return told
	}
	ctx, enough := context.WithCancel(t.Context())
	first := watching(ctx)
	learn(t, m, "a", caps.Fact{Key: "tools", Value: "no"})
	await(first, "a")
	learn(t, m, "b", caps.Fact{Key: "tools", Value: "no"})
	await(first, "b")
	if err := m.Forget(t.Context(), "a", ""); err != nil {
		t.Fatal(err)
	}
	await(first, "a")
	enough()
	second := watching(t.Context())
	learn(t, m, "c", caps.Fact{Key: "tools", Value: "no"})
	await(second, "c")
	for len(first) > 0 {
		if model := <-first; model == "c" {
			t.Error("who has enough is told all the same")
		}
	}
}

// await waits until a watcher is notified of a model.
func await(told <-chan string, model string) {
	for got := range told {
		if got == model {
			return
		}
	}
}
