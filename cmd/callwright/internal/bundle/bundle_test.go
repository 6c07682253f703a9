package bundle_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/bundle"
	"github.com/callwright/callwright/cmd/callwright/internal/bundle/internal/reduce"
	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/cmd/callwright/internal/replay"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/trace"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestScenes: the bundle of each fault names the side that its label has, and its case alone replays to the same finding. Most cases are smaller
// than the request.
func TestScenes(t *testing.T) {
	smaller, before, after, replays := 0, 0, 0, 0
	limits := reduce.Limits{Replays: 24}
	if longtest.IsEnabled() {
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
	if smaller < len(scenes)*9/10 || longtest.IsEnabled() && after*3 > before {
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

// TestHiddenEverywhere: no file has a secret that stands in a text beside the bodies alone.
func TestHiddenEverywhere(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2", 9)
	r := scenes[0].play(t)
	end := len(r.entries) - 1
	for name, put := range map[string]func(e *trace.Entry){
		"a note":              func(e *trace.Entry) { e.Notes = append(e.Notes, callwright.Note{Rule: "x", Now: token}) },
		"a header":            func(e *trace.Entry) { e.Header = map[string]string{"User-Agent": token} },
		"the name of a group": func(e *trace.Entry) { e.Group = token },
		"a failure's words": func(e *trace.Entry) {
			*e = trace.Entry{Kind: trace.KindError, ID: e.ID, Time: e.Time, Failure: &callwright.Error{Kind: callwright.KindInternal, Message: "m",
				Said: token, Err: errors.New("with " + token), Report: &callwright.Report{Attempts: []callwright.Attempt{{Error: token}}}}}
		},
	} {
		entries := slices.Clone(r.entries)
		put(&entries[end])
		b, err := bundle.Make(t.Context(), bundle.Input{Entries: entries, Config: r.conf, Limits: reduce.Limits{Replays: 10}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, f := range b.Files {
			if bytes.Contains(f.Data, []byte(token)) {
				t.Errorf("%s: %s has it", name, f.Name)
			}
		}
		if len(b.Removed) == 0 {
			t.Errorf("%s: nothing is listed as removed", name)
		}
	}
}

// TestLeftOut: a bundle whose case has a secret that cannot be told from the rest has no case, and says so.
func TestLeftOut(t *testing.T) {
	r := scenes[0].play(t)
	b, err := bundle.Make(t.Context(), bundle.Input{Entries: r.entries, Config: r.conf, Credentials: []string{"callwright case"}, Limits: reduce.Limits{Replays: 10}})
	if err != nil {
		t.Fatal(err)
	}
	if b.Case != nil || b.File(bundle.CaseName) != nil || b.Replay.Same || b.Replay.Why == "" {
		t.Errorf("case %v, replay %+v", b.Case, b.Replay)
	}
	archive, err := b.Zip()
	if err != nil {
		t.Fatal(err)
	}
	if s, err := bundle.ReadSummary(archive); err != nil || s.Case != "" || s.Replay.Why != b.Replay.Why {
		t.Errorf("the summary is %+v, %v", s, err)
	}
}
