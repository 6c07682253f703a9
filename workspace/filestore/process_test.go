package filestore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/disktest"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/workspace"
	"github.com/callwright/callwright/workspace/filestore"
)

var jobs = map[string]func(dir string) error{
	"until-killed": editing(untilKilled),
	"share-a":      editing(func(e *workspace.Editor) error { return share(e, "a") }),
	"share-b":      editing(func(e *workspace.Editor) error { return share(e, "b") }),
}

func TestMain(m *testing.M) {
	if !disktest.Work(jobs) {
		goleak.VerifyTestMain(m)
	}
}

// few keeps so few versions that some leave all the time.
var few = filestore.WithVersions(5)

// editing is a job with an editor of its folder.
func editing(job func(e *workspace.Editor) error) func(dir string) error {
	return func(dir string) error {
		s, err := filestore.Open(dir, few)
		if err != nil {
			return err
		}
		return job(workspace.NewEditor(s))
	}
}

var (
	person = workspace.Author{Actor: workspace.Person}
	model  = workspace.Author{Actor: workspace.Model}
)

// untilKilled goes round: a model changes the draft, by some bytes to 64 KiB, and proposes a fact, and a person commits it. It says the version and the facts of each
// step when it is saved.
func untilKilled(e *workspace.Editor) error {
	ctx := context.Background()
	st, err := e.Store().Load(ctx, id, 0)
	if callwright.KindOf(err) == callwright.KindNotFound {
		st, err = e.Create(ctx, workspace.Origin{ID: id, By: person, Draft: json.RawMessage(`{}`), Facts: json.RawMessage(`{"n":0}`)})
	}
	for err == nil {
		if _, err = fmt.Println(st.Version, string(st.Facts)); err != nil {
			break
		}
		edit := workspace.Edit{Kind: workspace.PatchDraft, By: model, Patch: fmt.Appendf(nil, `{"fill":"%s"}`, strings.Repeat("x", rand.IntN(1<<rand.IntN(17))))}
		switch {
		case len(st.Proposals) > 0:
			edit = workspace.Edit{Kind: workspace.CommitFacts, By: person, Base: st.Version, Proposal: st.Proposals[0].ID}
		case st.Entry.Kind == workspace.PatchDraft:
			edit = workspace.Edit{Kind: workspace.ProposeFacts, By: model, Patch: fmt.Appendf(nil, `{"n":%d}`, st.Version+1)}
		}
		st, err = e.Edit(ctx, id, edit)
	}
	return err
}

// share makes fifty edits of a workspace that another one edits too.
func share(e *workspace.Editor, by string) error {
	ctx := context.Background()
	_, err := e.Create(ctx, workspace.Origin{ID: id, By: person, Draft: json.RawMessage(`[]`)})
	if callwright.KindOf(err) == callwright.KindConflict {
		err = nil
	}
	for i := 0; i < 50 && err == nil; i++ {
		_, err = e.Edit(ctx, id, workspace.Edit{Kind: workspace.PatchDraft, By: model, Patch: fmt.Appendf(nil, `[{"op":"add","path":"/-","value":["%s",%d]}]`, by, i)})
		time.Sleep(rand.N(time.Millisecond)) // so that the other one has its turn
	}
	return err
}

// What a process was told is saved is there after it was killed at any moment, whole and in its place: versions, facts, and the history of all of them.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	rounds := 30
	if !longtest.IsEnabled() {
		rounds = 8
	}
	var version uint64
	for round := range rounds {
		before := version
		var facts string
		if _, err := fmt.Sscan(disktest.RunAndKill(t, "until-killed", dir), &version, &facts); err != nil || version < before {
			t.Fatalf("round %d: %v, or version %d after %d", round, err, version, before)
		}
		expectSaved(t, open(t, dir, few), version, facts)
	}
	t.Logf("%d versions were acknowledged", version)
}

// expectSaved holds what is there against a version and its facts that were acknowledged last, behind which one more may have been saved.
func expectSaved(t *testing.T, s *filestore.Store, version uint64, facts string) {
	t.Helper()
	st, err := s.Load(t.Context(), id, 0)
	if err != nil || st.Version != version && st.Version != version+1 {
		t.Fatalf("version %d was acknowledged, and there is %v, %v", version, st, err)
	}
	expectHistory(t, s, st.Version)
	if was, err := s.Load(t.Context(), id, version); err != nil || string(was.Facts) != facts {
		t.Fatalf("version %d had the facts %s, and has %v, %v", version, facts, was, err)
	}
	history, err := s.History(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	now := `{"n":0}`
	for _, e := range history {
		if e.Kind == workspace.CommitFacts && e.By == person {
			now = string(e.Patch)
		}
	}
	if string(st.Facts) != now {
		t.Fatalf("the facts are %s, and %s were confirmed last", st.Facts, now)
	}
}

// Two processes edit one workspace: no edit of either is lost, or there twice, or out of order.
func TestTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	disktest.Together(t, dir, "share-a", "share-b")
	s := open(t, dir, few)
	st, err := s.Load(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	next, turns, before := map[string]int{}, 0, ""
	for v := range jsonx.Elements(st.Draft) {
		var by string
		var i int
		if err := json.Unmarshal(v, &[]any{&by, &i}); err != nil || next[by] != i {
			t.Fatalf("expected %d of %s, got %s: %v", next[by], by, v, err)
		}
		next[by]++
		if by != before {
			turns++
		}
		before = by
	}
	if next["a"] != 50 || next["b"] != 50 {
		t.Errorf("expected fifty edits of each, got %v", next)
	}
	expectHistory(t, s, 101)
	t.Logf("they took turns %d times", turns)
}
