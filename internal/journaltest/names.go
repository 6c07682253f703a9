package journaltest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// refusedIDs lists invalid run IDs.
var refusedIDs = []agent.RunID{
	"", "run_", "run", "RUN_1", "run_\x00", "run_1\x00", "\x00run_1", "../x", "run_../x", "run_..", "run_.", "run_a/b", "a/b",
	"/run_1", "./run_1",
	`run_a\b`, `..\x`, "run_a b", "run_1 ", " run_1", "run_1\n", "run_é", "run_\xff", "run_1.json", "run_a:b", "run_*", "run_~", "run_%2e%2e",
	agent.RunID("run_" + strings.Repeat("a", 65)), agent.RunID(strings.Repeat("run_", 1<<14)),
}

// takenIDs lists valid run IDs that are easily confused, in ascending order.
var takenIDs = []agent.RunID{
	"run_-", "run_--", "run_0", "run_00", "run_A", "run_AB", "run_Ab", "run_B", "run__", "run_a", "run_aB", "run_a_", "run_aa",
	"run_ab", "run_run_a",
	agent.RunID("run_" + strings.Repeat("z", 63)), agent.RunID("run_" + strings.Repeat("z", 64)),
}

func ids(t *testing.T, j agent.Journal) {
	for _, id := range refusedIDs {
		_, err := j.Append(t.Context(), id, 0, entry(`1`))
		expectKind(t, err, callwright.KindInvalid)
		_, _, err = j.Load(t.Context(), id)
		expectKind(t, err, callwright.KindInvalid)
	}
	long := agent.RunID("run_" + strings.Repeat("Z", 64))
	add(t, j, long, 0, entry(`1`))
	expect(t, j, long, []agent.Entry{entry(`1`)})
}

func entries(t *testing.T, j agent.Journal) {
	for _, s := range []agent.Entry{
		entry(`{`), entry(`{} {}`), entry(` `), entry(`nil`), entry("\"\n\""), entry("1\x00"), entry(`1,"call":"other"`),
		entry(strings.Repeat("[", 20000) + strings.Repeat("]", 20000)),
		{Kind: "\xff"}, {Kind: "test", Call: "call \xff"}, {Kind: "test", Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		_, err := j.Append(t.Context(), run, 0, s)
		expectKind(t, err, callwright.KindInvalid)
	}
	expect(t, j, run, nil)
}

func apart(t *testing.T, j agent.Journal) {
	want := map[agent.RunID][]agent.Entry{}
	for round := range uint64(3) {
		for _, id := range takenIDs {
			s := entry(`"` + string(id) + strings.Repeat("+", int(round)) + `"`)
			add(t, j, id, round, s)
			want[id] = append(want[id], s)
		}
	}
	for _, id := range takenIDs {
		expect(t, j, id, want[id])
	}
}

func listing(t *testing.T, j agent.Journal) {
	lister, ok := j.(agent.RunLister)
	if !ok {
		t.Skip("it lists no runs")
	}
	list := func(want []agent.RunID) {
		t.Helper()
		got, err := lister.Runs(t.Context())
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("expected the runs %v, got %v and %v", want, got, err)
		}
	}
	list(nil)
	_, _ = j.Append(t.Context(), run, 7, entry(`"refused"`))
	_, _, _ = j.Load(t.Context(), run)
	list(nil)
	newest := slices.Clone(takenIDs)
	slices.Reverse(newest)
	// Runs are recorded in another order than that of their IDs, and one of them twice.
	for i := range takenIDs {
		add(t, j, takenIDs[(i*7+3)%len(takenIDs)], 0, entry(`1`))
	}
	add(t, j, takenIDs[0], 1, entry(`2`))
	list(newest)
}
