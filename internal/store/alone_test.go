package store_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/store"
)

// takeAll takes one at a time from counters in turn, as often as asked, and returns how much that was.
func takeAll(t *testing.T, w access.Window, asked int, counters ...access.Counters) (taken int64) {
	t.Helper()
	for i := range asked {
		n, err := counters[i%len(counters)].Take(t.Context(), w, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		taken += n
	}
	return taken
}

// awaitShared waits until Stores share their counts.
func awaitShared(t *testing.T, stores ...*store.Store) {
	t.Helper()
	eventually(t, "all is shared", func() bool {
		for _, s := range stores {
			if len(s.SharingProblems(t.Context())) > 0 || len(s.Health()) > 0 {
				return false
			}
		}
		return true
	})
}

// While the server is away two gateways have the same part each of what a count left, of what is given back none before it is there again; then they share what is left.
func TestCountersAlone(t *testing.T) {
	t.Parallel()
	c := single(t)
	a, b := open(t, c.config("")), open(t, c.config(""))
	both := []access.Counters{a.Counters(), b.Counters()}
	awaitShared(t, a, b)
	start := time.Now().Truncate(24 * time.Hour)
	w := access.Window{Name: "day", Start: start, End: start.AddDate(0, 0, 1), Limit: 100}
	if got := takeAll(t, w, 20, both[0]); got != 20 {
		t.Fatalf("took %d", got)
	}
	eventually(t, "the other one has heard of it", func() bool {
		counted, err := both[1].Count(t.Context(), w)
		return err == nil && counted.In(w) == 20
	})
	c.stop(0)
	if got := takeAll(t, w, 100, both[1]); got != 40 {
		t.Errorf("took %d of 80 alone", got)
	}
	if h := strings.Join(health.Lines(b.Health()), "\n"); !strings.Contains(h, "one of 2 shares") || b.SharingProblems(t.Context()) != nil {
		t.Errorf("got %q", h)
	}
	if err := both[0].Add(t.Context(), w, access.Tally{{Start: start, N: -5}}); err != nil {
		t.Error(err)
	}
	if got := takeAll(t, w, 30, both[0]); got != 30 {
		t.Errorf("took %d of 80 alone", got)
	}
	c.start(t, 0)
	defer c.stop(0)
	awaitShared(t, a, b)
	if got := takeAll(t, w, 40, both...); got != 15 {
		t.Errorf("took %d of the 15 that are left", got)
	}
	for _, c := range both {
		if counted, err := c.Count(t.Context(), w); err != nil || counted.In(w) != 100 {
			t.Errorf("counted %v, %v", counted, err)
		}
	}
}

// Counts that the server lost are those that the first gateway to take knows. What somebody removed stays removed.
func TestCountersLost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(ctx context.Context, js jetstream.JetStream) error
		left   int64
	}{
		"lost": {func(ctx context.Context, js jetstream.JetStream) error {
			return js.DeleteStream(ctx, "CALLWRIGHT_COUNTERS")
		}, 70},
		"removed": {purgeCounters, 100},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			servers := single(t)
			a, b := open(t, servers.config("")), open(t, servers.config(""))
			both := []access.Counters{a.Counters(), b.Counters()}
			awaitShared(t, a, b)
			w := access.Window{Name: "day", Start: time.Now().Add(-time.Hour), End: time.Now().Add(time.Hour), Limit: 100}
			if got := takeAll(t, w, 30, both[0]); got != 30 {
				t.Fatalf("took %d", got)
			}
			nc, err := nats.Connect(servers.config("").URL)
			if err != nil {
				t.Fatal(err)
			}
			defer nc.Close()
			js, err := jetstream.New(nc)
			if err == nil {
				err = c.change(t.Context(), js)
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := takeAll(t, w, 120, both...); got != c.left {
				t.Errorf("took %d, %d were left", got, c.left)
			}
			for _, counters := range both {
				if counted, err := counters.Count(t.Context(), w); err != nil || counted.In(w) != 100 {
					t.Errorf("counted %v, %v", counted, err)
				}
			}
		})
	}
}

func purgeCounters(ctx context.Context, js jetstream.JetStream) error {
	stream, err := js.Stream(ctx, "CALLWRIGHT_COUNTERS")
	if err != nil {
		return err
	}
	return stream.Purge(ctx)
}

// A gateway that starts without the server takes nothing and says that it is not ready: nobody knows what was used before.
func TestCountersStartAlone(t *testing.T) {
	t.Parallel()
	c := single(t)
	c.stop(0)
	s := open(t, c.config(""))
	counters := s.Counters()
	w := access.Window{Name: "a", Start: time.Now(), End: time.Now().Add(time.Hour), Limit: 100}
	if n, err := counters.Take(t.Context(), w, 1, 1); n != 0 || callwright.KindOf(err) != callwright.KindUnavailable {
		t.Errorf("took %d, %v", n, err)
	}
	if why := s.SharingProblems(t.Context()); len(why) == 0 {
		t.Error("it is ready")
	}
	if err := counters.Add(t.Context(), w, access.Tally{{Start: w.Start, N: 7}}); err != nil {
		t.Error(err)
	}
	c.start(t, 0)
	defer c.stop(0)
	awaitShared(t, s)
	eventually(t, "what was used meanwhile counts", func() bool {
		counted, err := counters.Count(t.Context(), w)
		return err == nil && counted.In(w) == 7
	})
}

// An answer that cannot be written is found where it was given, and anywhere once the server is there again. One that is deleted meanwhile is found nowhere.
func TestAnswersLater(t *testing.T) {
	t.Parallel()
	c := single(t)
	s, other := open(t, c.config("")), open(t, c.config(""))
	answers, others := s.Answers(archive.Limits{}), other.Answers(archive.Limits{})
	key := func(id string) archive.Key { return archive.Key{Owner: "me", ID: id} }
	first := archive.Answer{Body: []byte(`{"id":"a"}`), Turn: &archive.Turn{Items: []byte(`["a"]`)}}
	if err := answers.Keep(t.Context(), key("a"), first); err != nil {
		t.Fatal(err)
	}
	c.stop(0)
	for _, id := range []string{"b", "c"} {
		err := answers.Keep(t.Context(), key(id), archive.Answer{Body: []byte(id), Turn: &archive.Turn{Before: first.Turn, Items: []byte(`["` + id + `"]`)}})
		if !errors.Is(err, archive.ErrLater) || callwright.KindOf(err) != callwright.KindUnavailable {
			t.Fatalf("got %v", err)
		}
	}
	if h := strings.Join(health.Lines(s.Health()), "\n"); !strings.Contains(h, "2 answers") {
		t.Errorf("got %q", h)
	}
	if err := answers.Delete(t.Context(), key("c")); err != nil && callwright.KindOf(err) != callwright.KindUnavailable {
		t.Error(err)
	}
	expectAnswer(t, answers, key("b"), "b", `["a","b"]`)
	c.start(t, 0)
	defer c.stop(0)
	eventually(t, "it is written", func() bool { return len(s.Health()) == 0 })
	for _, in := range []archive.Answers{answers, others} {
		expectAnswer(t, in, key("b"), "b", `["a","b"]`)
		if _, err := in.Find(t.Context(), key("c")); callwright.KindOf(err) != callwright.KindNotFound {
			t.Errorf("a deleted answer: got %v", err)
		}
	}
}

func expectAnswer(t *testing.T, in archive.Answers, k archive.Key, want, wantItems string) {
	t.Helper()
	body, err := in.Find(t.Context(), k)
	if err != nil || string(body) != want {
		t.Errorf("got %q, %v", body, err)
	}
	if turn, err := in.Conversation(t.Context(), k); err != nil || string(turn.Conversation()) != wantItems {
		t.Errorf("got %s, %v", turn.Conversation(), err)
	}
}

// A gateway that ends is not waited for, and has no part of what is left.
func TestCountersOfOneThatEnds(t *testing.T) {
	t.Parallel()
	c := single(t)
	a := open(t, c.config(""))
	b, err := store.Open(context.WithoutCancel(t.Context()), c.config(""))
	if err != nil {
		t.Fatal(err)
	}
	counters := a.Counters()
	b.Counters()
	awaitShared(t, a, b)
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	w := access.Window{Name: "a", Start: time.Now(), End: time.Now().Add(time.Hour), Limit: 10}
	takeAll(t, w, 1, counters)
	c.stop(0)
	if got := takeAll(t, w, 20, counters); got != 9 {
		t.Errorf("took %d of 9", got)
	}
}
