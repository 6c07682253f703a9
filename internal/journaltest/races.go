package journaltest

import (
	"fmt"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"pgregory.net/rapid"
)

// model appends random entries to a few runs, with correct and wrong values of prev, and compares the journal with
// slices.
func model(t *testing.T, j agent.Journal) {
	series := 0
	rapid.Check(t, func(rt *rapid.T) {
		series++
		want := map[agent.RunID][]agent.Entry{}
		for range rapid.IntRange(1, 12).Draw(rt, "appends") {
			id := agent.RunID(fmt.Sprintf("run_%d-%s", series, rapid.SampledFrom([]string{"a", "A", "b"}).Draw(rt, "run")))
			prev := rapid.Uint64Range(0, uint64(len(want[id]))+1).Draw(rt, "prev")
			s := entry(fmt.Sprintf("%q", rapid.StringMatching(`[ -~é]{0,40}`).Draw(rt, "data")))
			last, err := j.Append(t.Context(), id, prev, s)
			switch n := uint64(len(want[id])); {
			case prev != n && callwright.KindOf(err) != callwright.KindConflict:
				rt.Fatalf("append after %d of %d: expected a conflict, got %d and %v", prev, n, last, err)
			case prev == n && (err != nil || last != n+1):
				rt.Fatalf("append after %d: got %d and %v", prev, last, err)
			case prev == n:
				want[id] = append(want[id], s)
			}
		}
		for id, entries := range want {
			expect(t, j, id, entries)
		}
	})
}

// racers appends with the same prev from several goroutines at once. Exactly one Append must succeed.
func racers(t *testing.T, j agent.Journal) {
	const rounds, each = 12, 6
	var want []agent.Entry
	for round := range uint64(rounds) {
		errs := atOnce(each, func(i int) error {
			_, err := j.Append(t.Context(), run, round, entry(fmt.Sprintf(`"%d of %d"`, i, round)))
			return err
		})
		for i, err := range errs {
			if err == nil {
				want = append(want, entry(fmt.Sprintf(`"%d of %d"`, i, round)))
				continue
			}
			expectKind(t, err, callwright.KindConflict)
		}
		if len(want) != int(round)+1 {
			t.Fatalf("round %d: %d entries were recorded at the same place", round, len(want)-int(round))
		}
		expect(t, j, run, want)
	}
}

// atOnce calls do(0) to do(n-1) concurrently and returns their results.
func atOnce(n int, do func(i int) error) []error {
	var group sync.WaitGroup
	start, errs := make(chan struct{}), make([]error, n)
	for i := range n {
		group.Go(func() {
			<-start
			errs[i] = do(i)
		})
	}
	close(start)
	group.Wait()
	return errs
}

// workers appends to one run from several goroutines. Each Append uses the number of entries just loaded as prev. No
// entry may be lost or recorded twice, and the entries of one goroutine keep their order.
func workers(t *testing.T, j agent.Journal) {
	const crew, each = 4, 10
	var group sync.WaitGroup
	for w := range crew {
		group.Go(func() {
			for i := 0; i < each; {
				_, last, err := j.Load(t.Context(), run)
				if err == nil {
					_, err = j.Append(t.Context(), run, last, entry(fmt.Sprintf(`[%d,%d]`, w, i)))
				}
				switch {
				case err == nil:
					i++
				case callwright.KindOf(err) != callwright.KindConflict:
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	got, _, err := j.Load(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	var next [crew]int
	for _, s := range got {
		var w, i int
		if _, err := fmt.Sscanf(string(s.Data), `[%d,%d]`, &w, &i); err != nil || w < 0 || w >= crew || next[w] != i {
			t.Fatalf("an entry too many, too few or out of order: %s", s.Data)
		}
		next[w]++
	}
	if len(got) != crew*each {
		t.Errorf("expected %d entries, got %d", crew*each, len(got))
	}
}

// deciders decides about the calls of one waiting run from several goroutines at once. Exactly one decision must
// succeed.
func deciders(t *testing.T, j agent.Journal) {
	const each = 6
	for i, e := range []agent.Entry{
		{Kind: "begun", Data: []byte(`{"messages":[{"role":"user","parts":[{"type":"text","text":"Drop it."}]}]}`)},
		{Kind: "answered", Data: []byte(`{"response":{"parts":[{"type":"call","id":"a","name":"drop","arguments":{}}],"finish":"calls"}}`)},
		{Kind: "asked", Call: "a", Data: []byte(`{"why":"the tool may destroy something"}`)},
	} {
		e.Time = at
		add(t, j, run, uint64(i), e)
	}
	errs := atOnce(each, func(i int) error {
		return agent.Decide(t.Context(), j, run, fmt.Sprint(i), agent.Answer{Decision: agent.Yes})
	})
	s, err := agent.Status(t.Context(), j, run)
	if err != nil || len(s.Decided) != 1 || !s.Answered {
		t.Fatalf("expected one decision, got %+v, %v", s, err)
	}
	for i, err := range errs {
		if won := fmt.Sprint(i) == s.Decided[0].By; won != (err == nil) {
			t.Errorf("%s has decided, and %d got %v", s.Decided[0].By, i, err)
		}
		if kind := callwright.KindOf(err); err != nil && kind != callwright.KindConflict && kind != callwright.KindInvalid { // too late
			t.Error(err)
		}
	}
}
