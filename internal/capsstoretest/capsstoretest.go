// Package capsstoretest is the suite that every [caps.Store] passes. An implementation's test is one call:
//
//	func TestCapsStore(t *testing.T) {
//		capsstoretest.Run(t, func(t *testing.T, now func() time.Time) caps.Store { return caps.NewMemory(now) })
//	}
//
// The function now is the only source of time of a store. A watcher may be told late of a change, and more than once;
// the suite waits for watchers and for nothing else. The laws are:
//
//   - A fact replaces the fact of the same key and source, and is gone when it expires. It does not replace the fact of
//     another source.
//   - Facts get the time at which they were learned. Learned facts get the time at which they expire.
//   - An override is kept until it expires, and has precedence over configured facts. An override that has already
//     expired when it is learned removes the override before it. Facts of other sources stay.
//   - Forget drops the facts of a key, or all facts of a model. It is no error where there are none.
//   - Models lists the models with facts that have not expired, sorted. Every name but the empty one is a valid name of
//     a model.
//   - An unknown key or an invalid value is an error and changes nothing.
//   - A watcher is told of each model whose facts are learned or forgotten, until its context ends.
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

// Open opens an empty capability store that reads the time from now, nil for time.Now. It closes the capability store
// itself, with t.Cleanup.
type Open func(t *testing.T, now func() time.Time) caps.Store

// laws are the behaviours that every capability store has.
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

// clock is a time that stands still until it is moved.
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

// models lists the models with facts in a capability store.
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

// A learned fact is known until it is replaced, forgotten or too old.
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
}

// A fact of one source does not replace that of another: when it expires, the other holds again.
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

// override: an operator's fact stands over the configuration, until it ends or is replaced by one that has ended.
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

// Any name is one of a model.
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

// content: a fact comes back with all it has.
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

// watch: watchers are told of learned and forgotten facts, until they end.
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

// await waits until a watcher was told of a model.
func await(told <-chan string, model string) {
	for got := range told {
		if got == model {
			return
		}
	}
}
