package workspacetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/workspace"
	"pgregory.net/rapid"
)

// histories runs random sequences of edits, valid and invalid, by any author. Each accepted edit increments the version
// by one and a rejected edit changes nothing. Old versions must stay unchanged, and facts may change only when a person
// commits a proposal.
func histories(t *testing.T, s workspace.Store) {
	e := workspace.NewEditor(s)
	series := 0
	rapid.Check(t, func(rt *rapid.T) {
		series++
		st, err := e.Create(t.Context(), workspace.Origin{ID: workspace.ID(fmt.Sprintf("ws_%d", series)), By: person,
			Draft: json.RawMessage(`{"a":[1,2],"b":{}}`)})
		if err != nil {
			rt.Fatal(err)
		}
		all := []*workspace.State{st}
		for range rapid.IntRange(1, 15).Draw(rt, "edits") {
			next, err := e.Edit(t.Context(), st.ID, drawEdit(rt, st))
			if err != nil {
				if now, wrong := s.Load(t.Context(), st.ID, 0); wrong != nil || say(now) != say(st) {
					rt.Fatalf("an edit was refused with %v and changed the workspace to %v, %v", err, now, wrong)
				}
				continue
			}
			if next.Version != st.Version+1 {
				rt.Fatalf("version %d follows %d", next.Version, st.Version)
			}
			st = next.Clone()
			all = append(all, st)
		}
		expect(t, s, st.ID, all)
		for i := range all[1:] {
			checkFacts(t, all[i], all[i+1])
		}
	})
}

// checkFacts compares the facts of a version (was) and of the next one (is). Only an entry of kind CommitFacts by a
// person may change them, and only by the patch of its proposal.
func checkFacts(t *testing.T, was, is *workspace.State) {
	t.Helper()
	e := &is.Entry
	if e.Kind != workspace.CommitFacts {
		if !bytes.Equal(was.Facts, is.Facts) {
			t.Fatalf("the facts changed from %s to %s by %s", was.Facts, is.Facts, sayEntry(e))
		}
		return
	}
	p, ok := was.Proposal(e.Proposal)
	want, err := workspace.Limits{}.Preview(was, e.Proposal)
	if e.By.Actor != workspace.Person || e.Base != was.Version || !ok || !bytes.Equal(p.Patch, e.Patch) || err != nil ||
		!bytes.Equal(want, is.Facts) {
		t.Fatalf("the facts changed from %s to %s by %s of %v: expected %s, %v", was.Facts, is.Facts, sayEntry(e), p, want, err)
	}
}

// drawEdit draws a random edit of any kind by any author. The editor may reject it.
func drawEdit(rt *rapid.T, st *workspace.State) workspace.Edit {
	pick := func(name string, list ...string) string { return rapid.SampledFrom(list).Draw(rt, name) }
	proposals := []string{"p1", ""}
	for _, p := range st.Proposals {
		proposals = append(proposals, p.ID, p.ID)
	}
	edit := workspace.Edit{
		Kind: rapid.SampledFrom([]workspace.Kind{workspace.PatchDraft, workspace.PatchDraft, workspace.Lock, workspace.Unlock,
			workspace.ProposeFacts, workspace.ProposeFacts,
			workspace.CommitFacts, workspace.CommitFacts, workspace.RejectFacts, workspace.PatchUI, workspace.UndoDraft,
			workspace.Create}).Draw(rt, "kind"),
		By:       rapid.SampledFrom([]workspace.Author{person, person, model, app, {}}).Draw(rt, "by"),
		Time:     at,
		Base:     rapid.SampledFrom([]uint64{0, st.Version, st.Version, st.Version, st.Version - 1}).Draw(rt, "base"),
		Path:     pick("path", "", "/a", "/a/0", "/b", "/none"),
		Proposal: pick("proposal", proposals...),
		Patch: json.RawMessage(pick("patch", `{"a":null}`, `{"b":{"c":1}}`, `[{"op":"add","path":"/a/0","value":0}]`,
			`[{"op":"add","path":"/c","value":[1.50]}]`,
			`[{"op":"remove","path":"/c"}]`, `[{"op":"replace","path":"","value":[]}]`, `[]`, `7`, ``)),
	}
	if edit.Kind == workspace.UndoDraft {
		edit.Earlier = st
	}
	return edit
}

func undo(t *testing.T, s workspace.Store) {
	e := workspace.NewEditor(s)
	st, err := e.Create(t.Context(), workspace.Origin{ID: id, By: person, Draft: json.RawMessage(`0`), Facts: json.RawMessage(`{"f":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	put := func(draft string) {
		t.Helper()
		if st, err = e.Edit(t.Context(), id,
			workspace.Edit{Kind: workspace.PatchDraft, By: model,
				Patch: json.RawMessage(`[{"op":"replace","path":"","value":` + draft + `}]`)}); err != nil {
			t.Fatal(err)
		}
	}
	back := func(to uint64, draft string) {
		t.Helper()
		was := st
		if st, err = e.Undo(t.Context(), id, person, to); err != nil || string(st.Draft) != draft ||
			st.Version != was.Version+1 || !bytes.Equal(st.Facts, was.Facts) {
			t.Fatalf("back to %d: expected the draft %s in version %d, got %v, %v", to, draft, was.Version+1, st, err)
		}
	}
	put(`1`) // saves version 2
	put(`2`)
	if _, err := e.Edit(t.Context(), id, workspace.Edit{Kind: workspace.PatchUI, By: app, Patch: json.RawMessage(`{"x":1}`)}); err != nil {
		t.Fatal(err)
	}
	st.Version++
	back(0, `1`)
	back(0, `0`)
	_, err = e.Undo(t.Context(), id, person, 0)
	expectKind(t, err, callwright.KindNotFound)
	put(`3`)
	back(0, `0`)
	back(3, `2`) // restores a draft that was undone
	back(0, `0`)
	for to, kind := range map[uint64]callwright.Kind{99: callwright.KindNotFound, st.Version + 1: callwright.KindNotFound} {
		_, err = e.Undo(t.Context(), id, person, to)
		expectKind(t, err, kind)
	}
	_, err = e.Undo(t.Context(), id, model, 1)
	expectKind(t, err, callwright.KindPermission)
}

// racers saves the same version from several goroutines at once. Exactly one Save must succeed.
func racers(t *testing.T, s workspace.Store) {
	const rounds, each = 12, 6
	var want []*workspace.State
	for version := uint64(1); version <= rounds; version++ {
		won := make(chan *workspace.State, each)
		var group sync.WaitGroup
		var ready sync.WaitGroup
		ready.Add(each)
		for i := range each {
			group.Go(func() {
				st := state(id, version, fmt.Sprintf(`"%d of %d"`, i, version))
				ready.Done()
				ready.Wait()
				if err := s.Save(t.Context(), st); err != nil {
					expectKind(t, err, callwright.KindConflict)
					return
				}
				won <- st
			})
		}
		group.Wait()
		if len(won) != 1 {
			t.Fatalf("%d were saved as version %d", len(won), version)
		}
		want = append(want, <-won)
		expect(t, s, id, want)
	}
}

// editors edits one workspace from several goroutines at once. Each edit without a base version must succeed exactly
// once, in the order in which its goroutine made it. Each edit with a base version must either succeed on that version
// or fail with a conflict.
func editors(t *testing.T, s workspace.Store) {
	const crew, each = 4, 8
	e := workspace.NewEditor(s)
	if _, err := e.Create(t.Context(), workspace.Origin{ID: id, By: person, Draft: json.RawMessage(`[]`)}); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	conflicts := make([]int, crew)
	for w := range crew {
		group.Go(func() {
			for i := 0; i < each; {
				edit := workspace.Edit{Kind: workspace.PatchDraft, By: model,
					Patch: fmt.Appendf(nil, `[{"op":"add","path":"/-","value":[%d,%d]}]`, w, i)}
				if w%2 == 0 {
					st, err := s.Load(t.Context(), id, 0)
					if err != nil {
						t.Error(err)
						return
					}
					edit.Base = st.Version
				}
				next, err := e.Edit(t.Context(), id, edit)
				switch {
				case err == nil && edit.Base != 0 && next.Version != edit.Base+1:
					t.Errorf("an edit of version %d made version %d", edit.Base, next.Version)
					return
				case err == nil:
					i++
				case edit.Base != 0 && callwright.KindOf(err) == callwright.KindConflict:
					conflicts[w]++
				default:
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	st, err := s.Load(t.Context(), id, 0)
	if err != nil || st.Version != crew*each+1 {
		t.Fatalf("expected version %d, got %v, %v", crew*each+1, st, err)
	}
	landed := map[int][]int{}
	for v := range jsonx.Elements(st.Draft) {
		var of [2]int
		if err := json.Unmarshal(v, &of); err != nil {
			t.Fatal(err)
		}
		landed[of[0]] = append(landed[of[0]], of[1])
	}
	for w := range crew {
		if !slices.IsSorted(landed[w]) || len(slices.Compact(landed[w])) != each {
			t.Errorf("editor %d: expected %d edits in their order, got %v", w, each, landed[w])
		}
	}
	t.Logf("conflicts: %v", conflicts)
}
