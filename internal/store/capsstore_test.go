package store_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/store"
)

func learn(t *testing.T, sh caps.Store, model string, facts ...caps.Fact) {
	t.Helper()
	for _, f := range facts {
		if err := sh.Learn(t.Context(), model, f); err != nil {
			t.Fatal(err)
		}
	}
}

func keys(t *testing.T, sh caps.Store, model string) []string {
	t.Helper()
	facts, err := sh.Facts(t.Context(), model)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range facts {
		out = append(out, f.Key+"="+f.Value)
	}
	return out
}

// told waits until a watcher was told of a model and the facts are as they are expected.
func told(t *testing.T, sh caps.Store, changes <-chan string, model string, want ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), longestWait)
	defer cancel()
	for {
		if slices.Equal(keys(t, sh, model), want) {
			return
		}
		select {
		case <-changes:
		case <-ctx.Done():
			t.Fatalf("%s: expected %v, got %v", model, want, keys(t, sh, model))
		}
	}
}

// What one gateway learns or forgets, another one knows, and tells those who watch.
func TestFactsAreShared(t *testing.T) {
	t.Parallel()
	space := fresh()
	a, b := open(t, sharedCluster(t).config(space)).CapsStore(t.Context()), open(t, sharedCluster(t).config(space)).CapsStore(t.Context())
	changes := make(chan string, 1000)
	if err := b.Watch(t.Context(), func(model string) { changes <- model }); err != nil {
		t.Fatal(err)
	}
	learn(t, a, "lab/one", caps.Fact{Key: "tools", Value: "no", Source: caps.Learned}, caps.Fact{Key: "tools", Value: "yes", Source: caps.Probed}, caps.Fact{Key: "max_tools", Value: "9", Source: caps.Probed})
	told(t, b, changes, "lab/one", "tools=no", "tools=yes", "max_tools=9")
	if err := b.Forget(t.Context(), "lab/one", "tools"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the other one forgets", func() bool { return slices.Equal(keys(t, a, "lab/one"), []string{"max_tools=9"}) })
	learn(t, b, "lab/one", caps.Fact{Key: "tools", Value: "no", Source: caps.Probed})
	eventually(t, "learned anew", func() bool { return slices.Equal(keys(t, a, "lab/one"), []string{"max_tools=9", "tools=no"}) })

	var took []time.Duration
	for i := range 50 {
		begin := time.Now()
		learn(t, a, "lab/two", caps.Fact{Key: "max_tools", Value: string(rune('1' + i%9)), Source: caps.Learned})
		told(t, b, changes, "lab/two", "max_tools="+string(rune('1'+i%9)))
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	t.Logf("from Learn here to Facts there: median %v, longest %v", took[len(took)/2], took[len(took)-1])
}

// What was learned is known after the process has ended, and what was forgotten is not.
func TestFactsStay(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, s *store.Store) {
		learn(t, s.CapsStore(t.Context()), "lab/"+t.Name(), caps.Fact{Key: "tools", Value: "no", Source: caps.Probed})
	})
	dir := folder(t)
	s, err := store.Open(t.Context(), store.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	sh := s.CapsStore(t.Context())
	learn(t, sh, "lab/one", caps.Fact{Key: "tools", Value: "no", Source: caps.Probed}, caps.Fact{Key: "max_tools", Value: "9", Source: caps.Probed})
	if err := sh.Forget(t.Context(), "lab/one", "tools"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := keys(t, open(t, store.Config{Dir: dir}).CapsStore(t.Context()), "lab/one"); !slices.Equal(got, []string{"max_tools=9"}) {
		t.Errorf("got %v", got)
	}
}
