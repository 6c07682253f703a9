package workspace_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonpatch/patchtest"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/workspace"
	"pgregory.net/rapid"
)

// at is the text of the value that a JSON pointer leads to, found without the code under test; false where there is none.
func at(v []byte, pointer string) (string, bool) {
	if pointer == "" {
		return string(v), true
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		var below []byte
		for k, m := range jsonx.Members(v) {
			if k.String() == token {
				below = m
			}
		}
		i := 0
		for e := range jsonx.Elements(v) {
			if strconv.Itoa(i) == token {
				below = e
			}
			i++
		}
		if v = below; v == nil {
			return "", false
		}
	}
	return string(v), true
}

// locked are what stands at the locked paths of a state.
func locked(s *workspace.State) map[string]string {
	out := map[string]string{}
	for _, lock := range s.Locks {
		if is, ok := at(s.Draft, lock); ok {
			out[lock] = is
		}
	}
	return out
}

// kept holds a state that came of an edit against the one before it: whatever a model did, it changed neither facts, nor locks, nor what is locked.
func kept(t interface{ Fatalf(string, ...any) }, was, is *workspace.State) {
	e := is.Entry
	if is.Version != was.Version+1 || e.Version != is.Version {
		t.Fatalf("version %d with the entry %d follows version %d", is.Version, e.Version, was.Version)
	}
	if e.By.Actor == workspace.Person {
		return
	}
	if !bytes.Equal(was.Facts, is.Facts) || !slices.Equal(was.Locks, is.Locks) {
		t.Fatalf("%s by a model made the facts %s of %s, the locks %q of %q", e.Patch, is.Facts, was.Facts, is.Locks, was.Locks)
	}
	if before, after := locked(was), locked(is); !maps.Equal(before, after) {
		t.Fatalf("%s made\n%s of\n%s\nalthough locked are %q", e.Patch, is.Draft, was.Draft, was.Locks)
	}
}

// Whatever a model does to a document with locks, what is locked stays. Patches are about the locked paths more often than about others.
func TestModelsKeepWhatIsLocked(t *testing.T) {
	made, refused, other := 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		d := patchtest.Any(rt)
		l := workspace.Limits{}
		s, err := l.New(workspace.Origin{By: person, Draft: json.RawMessage(d.Container(4)), Facts: json.RawMessage(`{"sure":true}`)})
		if err != nil {
			rt.Fatal(err)
		}
		for range rapid.IntRange(1, 4).Draw(rt, "locks") {
			if next, err := l.Apply(s, workspace.Edit{Kind: workspace.Lock, By: person, Path: d.Pointer(string(s.Draft))}); err == nil {
				kept(rt, s, next)
				s = next
			}
		}
		for range rapid.IntRange(1, 8).Draw(rt, "edits") {
			d.Near = s.Locks
			edit := workspace.Edit{Kind: workspace.PatchDraft, By: model, Patch: json.RawMessage(d.Patch(string(s.Draft)))}
			switch rapid.IntRange(0, 9).Draw(rt, "kind") {
			case 0, 1, 2:
				edit.Patch = json.RawMessage(d.Merge(string(s.Draft)))
			case 3: // a person is not bound, and leaves locked paths without a value
				edit.By = person
			case 4:
				edit.Kind = workspace.ProposeFacts
			case 5:
				edit.Kind, edit.Proposal, edit.Path, edit.Base, edit.Earlier = rapid.SampledFrom([]workspace.Kind{workspace.CommitFacts, workspace.RejectFacts, workspace.Lock,
					workspace.Unlock, workspace.UndoDraft, workspace.PatchUI, workspace.Create}).Draw(rt, "other"), "p2", "", s.Version, s
			}
			next, err := l.Apply(s, edit)
			e, _ := err.(*callwright.Error)
			switch {
			case err == nil:
				kept(rt, s, next)
				s, made = next, made+1
			case e.Code == workspace.CodeLocked:
				refused++
				if !slices.Contains(s.Locks, e.Path) {
					rt.Fatalf("%v names %q, and locked are %q", err, e.Path, s.Locks)
				}
			default:
				other++
			}
		}
	})
	if made == 0 || refused == 0 || other == 0 {
		t.Errorf("%d edits were made, %d refused for locks and %d for something else", made, refused, other)
	}
	t.Logf("%d edits were made, %d refused for locks and %d for something else", made, refused, other)
}

// A patch that leaves what is locked as it is, value and place, is not refused for its locks.
func TestLocksRefuseNoMore(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := patchtest.Any(rt)
		l := workspace.Limits{}
		free, err := l.New(workspace.Origin{By: person, Draft: json.RawMessage(d.Container(3))})
		if err != nil {
			rt.Fatal(err)
		}
		s, err := l.Apply(free, workspace.Edit{Kind: workspace.Lock, By: person, Path: d.Pointer(string(free.Draft))})
		if err != nil {
			rt.Skip("nothing is there")
		}
		d.Near = s.Locks
		patch := json.RawMessage(d.Patch(string(s.Draft)))
		if rapid.Bool().Draw(rt, "merge") {
			patch = json.RawMessage(d.Merge(string(s.Draft)))
		}
		free.Version = s.Version
		want, wrong := l.Apply(free, workspace.Edit{Kind: workspace.PatchDraft, By: model, Patch: patch})
		got, err := l.Apply(s, workspace.Edit{Kind: workspace.PatchDraft, By: model, Patch: patch})
		if wrong != nil {
			if err == nil || err.Error() != wrong.Error() {
				rt.Fatalf("%s\n%s\nrefused without locks: %v, with them: %v", s.Draft, patch, wrong, err)
			}
			return
		}
		before, there := at(s.Draft, s.Locks[0])
		after, stays := at(want.Draft, s.Locks[0])
		if same := there == stays && before == after; same != (err == nil) || same && string(got.Draft) != string(want.Draft) {
			rt.Fatalf("%s\n%s\nwithout the lock on %s it makes %s, with it %v, %v", s.Draft, patch, s.Locks[0], want.Draft, got, err)
		}
	})
}

func FuzzModelEdits(f *testing.F) {
	for _, seed := range [][3]string{
		{`{"a":{"b":[1,2,{"c":3}]},"d":null}`, "/a/b/1\n/d", `[{"op":"move","from":"/a/b","path":"/x"},{"op":"copy","from":"/x","path":"/a/b"}]` + "\n" + `{"d":null}`},
		{`{"a/b":{"m~n":[0]},"":{"":1}}`, "/a~1b/m~0n/0\n//", `[{"op":"add","path":"/a~1b/m~0n/0","value":0}]` + "\n" + `{"":{"":2}}`},
		{`[[1],[2],[3]]`, "/1\n/1/0", `[{"op":"add","path":"/-","value":[4]},{"op":"remove","path":"/0"}]` + "\n" + `[{"op":"replace","path":"","value":[[1],[2]]}]`},
		{`{"a":1}`, "", `[{"op":"test","path":"","value":{"a":1.0}},{"op":"replace","path":"","value":{"a":1}}]` + "\n" + `{}`},
		{`{"-":{"0":1,"01":2}}`, "/-/01\n/-/0", `[{"op":"add","path":"/-/1","value":1},{"op":"move","from":"/-/0","path":"/-/01"}]`},
	} {
		f.Add([]byte(seed[0]), seed[1], []byte(seed[2]))
	}
	l := workspace.Limits{Document: 4000, Patch: 4000, Operations: 50, Depth: 20}
	f.Fuzz(func(t *testing.T, draft []byte, locks string, patches []byte) {
		s, err := l.New(workspace.Origin{By: person, Draft: draft, Facts: json.RawMessage(`{"sure":true}`)})
		if err != nil {
			return
		}
		for lock := range strings.SplitSeq(locks, "\n") {
			if next, err := l.Apply(s, workspace.Edit{Kind: workspace.Lock, By: person, Path: lock}); err == nil {
				s = next
			}
		}
		for patch := range bytes.SplitSeq(patches, []byte("\n")) {
			for _, kind := range []workspace.Kind{workspace.PatchDraft, workspace.ProposeFacts} {
				next, err := l.Apply(s, workspace.Edit{Kind: kind, By: model, Patch: patch})
				if err != nil {
					if e, ok := err.(*callwright.Error); !ok || e.Code == "" {
						t.Fatalf("%s: an error without a code: %v", patch, err)
					}
					continue
				}
				kept(t, s, next)
				if err := next.Validate(); err != nil {
					t.Fatalf("%s made what cannot be saved: %v", patch, err)
				}
				s = next
			}
		}
	})
}
