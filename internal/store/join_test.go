package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/disktest"
	"github.com/callwright/callwright/internal/store"
	"github.com/callwright/callwright/internal/store/natstest"
	"github.com/callwright/callwright/signature"
)

// record appends entries to a run until the context ends, and gives how many were acknowledged.
func record(ctx context.Context, s *store.Store, run agent.RunID) <-chan uint64 {
	done := make(chan uint64, 1)
	go func() {
		j, last := s.Journal(""), uint64(0)
		for ctx.Err() == nil {
			n, err := j.Append(context.WithoutCancel(ctx), run, last, agent.Entry{Kind: "test", Data: json.RawMessage(fmt.Sprint(last))})
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				break
			}
			last = n
		}
		done <- last
	}()
	return done
}

// The folder goes from one Store to the next while all of them write: what each acknowledged is there, and none of them fails.
func TestJoin(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(folder(t), "nats")
	stores := []*store.Store{}
	for i := range 3 { // each joins the first
		s, err := store.Open(t.Context(), store.Config{Dir: dir, Join: i > 0})
		if err != nil {
			t.Fatal(err)
		}
		stores = append(stores, s)
	}
	disktest.Private(t, dir, filepath.Join(dir, "socket"))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	last := stores[2]
	recorded := record(ctx, last, "run_last")
	for i, s := range stores[:2] {
		check := func(by *store.Store, of string) {
			t.Helper()
			k := archive.Key{Owner: "o", ID: of}
			if err := s.Answers(archive.Limits{}).Keep(t.Context(), k, archive.Answer{Body: []byte(of)}); err != nil {
				t.Fatal(err)
			}
			if body, err := by.Answers(archive.Limits{}).Find(t.Context(), k); err != nil || string(body) != of {
				t.Errorf("%s: got %s, %v", of, body, err)
			}
			call := signature.Call{Model: "lab/m", ID: of, Tool: "f"}
			if err := s.Signatures(signature.Limits{}).Keep(t.Context(), call, state("s")); err != nil {
				t.Fatal(err)
			}
			if len(find(t, by.Signatures(signature.Limits{}), call)) != 1 {
				t.Errorf("%s: its state is not found", of)
			}
		}
		check(last, fmt.Sprint("answer-", i))
		learn(t, s.CapsStore(t.Context()), fmt.Sprint("lab/m", i), caps.Fact{Key: "tools", Value: "no", Source: caps.Probed})
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the next one knows what was learned", func() bool { return len(keys(t, last.CapsStore(t.Context()), fmt.Sprint("lab/m", i))) == 1 })
		if _, err := last.Journal("").Append(t.Context(), agent.RunID(fmt.Sprint("run_", i)), 0, agent.Entry{Kind: "test"}); err != nil {
			t.Error(err)
		}
		if _, err := store.Open(t.Context(), store.Config{Dir: dir}); callwright.KindOf(err) != callwright.KindConflict {
			t.Errorf("a stranger opened the folder: %v", err)
		}
	}
	eventually(t, "all is well", func() bool { return len(last.Health()) == 0 })
	stop()
	n := <-recorded
	if err := last.Close(); err != nil {
		t.Fatal(err)
	}
	got, _, err := open(t, store.Config{Dir: dir}).Journal("").Load(t.Context(), "run_last")
	if err != nil || uint64(len(got)) != n || n == 0 {
		t.Errorf("%d entries are there of %d, %v", len(got), n, err)
	}
}

// A process that is killed is succeeded by the one that joined it, which has all that it acknowledged.
func TestJoinedKilled(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	for round := range natstest.Kills(t, 2) {
		var next *store.Store
		said := disktest.RunAndKill(t, "until-killed", dir, func() {
			var err error
			if next, err = store.Open(t.Context(), store.Config{Dir: dir, Join: true}); err != nil {
				t.Fatal(err)
			}
		})
		acknowledged, err := strconv.Atoi(said)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := next.Journal("").Load(t.Context(), killedRun)
		if err != nil || len(got) != acknowledged && len(got) != acknowledged+1 {
			t.Errorf("round %d: %d entries are there of the %d that were acknowledged, %v", round, len(got), acknowledged, err)
		}
		if err := next.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A process whose socket is gone is not joined, and keeps its folder.
func TestJoinUnreached(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	open(t, store.Config{Dir: dir})
	if err := os.Remove(filepath.Join(dir, "socket")); err != nil {
		t.Fatal(err)
	}
	_, err := store.Open(t.Context(), store.Config{Dir: dir, Join: true})
	if callwright.KindOf(err) != callwright.KindConflict || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("got %v", err)
	}
}
