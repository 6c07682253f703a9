package bundle_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/bundle"
	"github.com/callwright/callwright/cmd/callwright/internal/bundle/internal/reduce"
	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/cmd/callwright/internal/replay"
	"github.com/callwright/callwright/internal/longtest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestScenes: the bundle of each fault names the side that its label has, and its case alone replays to the same finding. Most cases are smaller
// than the request.
func TestScenes(t *testing.T) {
	smaller, before, after, replays := 0, 0, 0, 0
	limits := reduce.Limits{Replays: 24}
	if longtest.Enabled() {
		limits = reduce.Limits{}
	}
	for i := range scenes {
		s := &scenes[i]
		t.Run(s.name, func(t *testing.T) {
			r := s.play(t)
			b, err := bundle.Make(t.Context(), bundle.Input{Entries: r.entries, Config: r.conf, Around: s.around, Limits: limits})
			if err != nil {
				t.Fatal(err)
			}
			if string(b.Verdict.Side) != s.side || !b.Verdict.IsBroken() {
				t.Errorf("got %s, expected %q, by %s", b.Who(), s.side, b.Finding.String())
			}
			if issue := string(b.File("issue.md")); s.side == "" && !strings.Contains(issue, "Broken by: not certain") || len(b.Reasons()) == 0 {
				t.Errorf("the issue does not say that it is not certain, or has no reason:\n%s", issue)
			}
			c, err := casefile.Parse(b.File(bundle.CaseName))
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := (&replay.Replay{Around: s.around}).Case(t.Context(), c)
			if err != nil || !got.Equal(&b.Finding) || !b.Replay.Same {
				t.Errorf("%v: replayed to %s, recorded %s: %s", err, got.String(), b.Finding.String(), b.Replay.Why)
			}
			if n := b.Replay.Reduction; n.After > 0 {
				smaller, before, after, replays = smaller+1, before+n.Before, after+n.After, replays+n.Replays
			}
		})
	}
	t.Logf("%d scenes, %d cases smaller than their requests: %d to %d bytes in %d replays", len(scenes), smaller, before, after, replays)
	if smaller < len(scenes)*9/10 || longtest.Enabled() && after*3 > before {
		t.Errorf("%d of %d cases are smaller, %d of %d bytes", smaller, len(scenes), after, before)
	}
}

// TestEqualBytes: two bundles of one record have the same bytes.
func TestEqualBytes(t *testing.T) {
	for _, i := range []int{0, 1, 2, 6, 11} { // clients of each API
		s := &scenes[i]
		r := s.play(t)
		var all []*bundle.Bundle
		for range 2 {
			b, err := bundle.Make(t.Context(), bundle.Input{Entries: r.entries, Config: r.conf, Limits: reduce.Limits{Replays: 10}})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, b)
		}
		one, err := all[0].Zip()
		if err != nil {
			t.Fatal(err)
		}
		if two, err := all[1].Zip(); err != nil || !bytes.Equal(one, two) {
			for _, f := range all[0].Files {
				if !bytes.Equal(f.Data, all[1].File(f.Name)) {
					t.Errorf("%s: %s differs:\n%s\n%s", s.name, f.Name, f.Data, all[1].File(f.Name))
				}
			}
			t.Errorf("%s: the bytes differ, %v", s.name, err)
		}
	}
}
