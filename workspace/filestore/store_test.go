package filestore_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/disktest"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/workspacetest"
	"github.com/callwright/callwright/workspace"
	"github.com/callwright/callwright/workspace/filestore"
)

const id workspace.ID = "ws_0197f0c2-7a1e-7b44-9d52-3f1f0a6f2c11"

func open(t testing.TB, dir string, opts ...filestore.Option) *filestore.Store {
	t.Helper()
	s, err := filestore.Open(dir, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// version is a state with a draft of its own.
func version(n uint64) *workspace.State {
	return &workspace.State{ID: id, Version: n, Facts: json.RawMessage(`{}`), Draft: fmt.Appendf(nil, `{"n":%d}`, n), Locks: []string{}, Proposals: []workspace.Proposal{},
		Entry: workspace.Entry{Version: n, Edit: workspace.Edit{Kind: workspace.PatchDraft, By: workspace.Author{Actor: workspace.Model}, Time: time.Date(2026, 3, 29, 1, 59, 59, 0, time.UTC), Base: n - 1}}}
}

// save saves versions that have to be saved.
func save(t testing.TB, s workspace.Store, from, to uint64) {
	t.Helper()
	for n := from; n <= to; n++ {
		if err := s.Save(t.Context(), version(n)); err != nil {
			t.Fatalf("version %d: %v", n, err)
		}
	}
}

// expect holds what is there against the newest version and the number of entries.
func expect(t *testing.T, s workspace.Store, newest uint64) {
	t.Helper()
	st, err := s.Load(t.Context(), id, 0)
	if err != nil || st.Version != newest || string(st.Draft) != string(version(newest).Draft) {
		t.Fatalf("expected version %d, got %v, %v", newest, st, err)
	}
	expectHistory(t, s, newest)
}

func expectHistory(t *testing.T, s workspace.Store, newest uint64) {
	t.Helper()
	history, err := s.History(t.Context(), id)
	if err != nil || uint64(len(history)) != newest {
		t.Fatalf("expected %d entries, got %v, %v", newest, history, err)
	}
	for i, e := range history {
		if e.Version != uint64(i+1) {
			t.Fatalf("entry %d is of version %d", i+1, e.Version)
		}
	}
}

func file(dir string, name string) string { return filepath.Join(dir, string(id), name) }

// files are those of the workspace, without the lock.
func files(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, string(id)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.Name() != "lock" {
			names = append(names, e.Name())
		}
	}
	return strings.Join(names, " ")
}

func TestStore(t *testing.T) {
	workspacetest.Run(t, func(t *testing.T) workspace.Store { return open(t, t.TempDir()) })
}

// reopened is a folder that is opened anew for everything that is done.
type reopened string

func (dir reopened) Load(ctx context.Context, id workspace.ID, version uint64) (st *workspace.State, err error) {
	err = dir.with(func(s *filestore.Store) error {
		st, err = s.Load(ctx, id, version)
		return err
	})
	return st, err
}

func (dir reopened) Save(ctx context.Context, st *workspace.State) error {
	return dir.with(func(s *filestore.Store) error { return s.Save(ctx, st) })
}

func (dir reopened) History(ctx context.Context, id workspace.ID) (list []workspace.Entry, err error) {
	err = dir.with(func(s *filestore.Store) error {
		list, err = s.History(ctx, id)
		return err
	})
	return list, err
}

func (dir reopened) with(do func(s *filestore.Store) error) error {
	s, err := filestore.Open(string(dir))
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}

func TestReopened(t *testing.T) {
	if !longtest.IsEnabled() {
		t.Skip("another way to the same folder")
	}
	workspacetest.Run(t, func(t *testing.T) workspace.Store { return reopened(t.TempDir()) })
}

// taking is two Stores of a folder, as of two processes, that take turns.
type taking struct {
	a, b  *filestore.Store
	turns *atomic.Int64
}

func (p taking) next() *filestore.Store {
	if p.turns.Add(1)%2 == 0 {
		return p.a
	}
	return p.b
}

func (p taking) Load(ctx context.Context, id workspace.ID, version uint64) (*workspace.State, error) {
	return p.next().Load(ctx, id, version)
}

func (p taking) Save(ctx context.Context, st *workspace.State) error { return p.next().Save(ctx, st) }

func (p taking) History(ctx context.Context, id workspace.ID) ([]workspace.Entry, error) {
	return p.next().History(ctx, id)
}

func (p taking) List(ctx context.Context) ([]workspace.ID, error) { return p.next().List(ctx) }

func TestTakingTurns(t *testing.T) {
	workspacetest.Run(t, func(t *testing.T) workspace.Store {
		dir := t.TempDir()
		return taking{open(t, dir), open(t, dir), new(atomic.Int64)}
	})
}

// The form of a file is what the documentation says.
func TestForm(t *testing.T) {
	dir := t.TempDir()
	st := version(1)
	st.UI, st.Locks = json.RawMessage(`"<é>"`), []string{"/n"}
	if err := open(t, dir).Save(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	want := `{"n":1,"len":87,"crc":"4b514e7a","entry":{"version":1,"kind":"draft.patch","by":{"actor":"model"},"time":"2026-03-29T01:59:59Z"}}
{"n":1,"len":129,"crc":"5c962a98","state":{"id":"ws_0197f0c2-7a1e-7b44-9d52-3f1f0a6f2c11","version":1,"facts":{},"draft":{"n":1},"locks":["/n"],"ui":"<é>","proposals":[]}}
`
	if got := string(disktest.Read(t, file(dir, "v1.json"))); got != want {
		t.Errorf("expected\n%sgot\n%s", want, got)
	}
}

// Nobody else can read what a workspace has.
func TestPermissions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "spaces")
	save(t, open(t, dir, filestore.WithVersions(1)), 1, 4)
	disktest.Private(t, dir, filepath.Join(dir, string(id)), file(dir, "v4.json"), file(dir, "history.jsonl"), file(dir, "lock"))
}

// Old versions go, as many as may; the history has them all.
func TestVersionsKept(t *testing.T) {
	for _, c := range []struct {
		keep  int
		files map[uint64]string
	}{
		{1, map[uint64]string{1: "v1.json", 2: "history.jsonl v2.json", 9: "history.jsonl v9.json"}},
		{3, map[uint64]string{3: "v1.json v2.json v3.json", 4: "history.jsonl v2.json v3.json v4.json", 9: "history.jsonl v7.json v8.json v9.json"}},
		{4, map[uint64]string{5: "v1.json v2.json v3.json v4.json v5.json", 6: "history.jsonl v3.json v4.json v5.json v6.json",
			7: "history.jsonl v3.json v4.json v5.json v6.json v7.json", 8: "history.jsonl v5.json v6.json v7.json v8.json"}},
	} {
		dir := t.TempDir()
		s := open(t, dir, filestore.WithVersions(c.keep))
		for n := range uint64(9) {
			save(t, s, n+1, n+1)
			expect(t, s, n+1)
			if want, ok := c.files[n+1]; ok && files(t, dir) != want {
				t.Errorf("%d versions: expected after %d %s, got %s", c.keep, n+1, want, files(t, dir))
			}
		}
		_, err := s.Load(t.Context(), id, 1)
		if callwright.KindOf(err) != callwright.KindNotFound || !strings.Contains(err.Error(), "is not kept") {
			t.Errorf("got %v", err)
		}
		if err := s.Save(t.Context(), version(1)); callwright.KindOf(err) != callwright.KindConflict {
			t.Errorf("a version that is not kept: got %v", err)
		}
	}
	if _, err := filestore.Open(t.TempDir(), filestore.WithVersions(0)); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("got %v", err)
	}
}

// Files that are no versions and folders that are no workspaces are left alone.
func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	for _, name := range []string{"ws_1.json", "notes", "WS_1"} {
		disktest.Write(t, filepath.Join(dir, name), nil)
	}
	for _, name := range []string{"ws_empty", "ws_A", "other", "ws_odd"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	odd := []string{"v0.json", "v01.json", "v+1.json", "v1.json.bak", "V1.json", "v.json", "v1", "v18446744073709551616.json", "next.tmp"}
	for _, name := range odd {
		disktest.Write(t, filepath.Join(dir, "ws_odd", name), []byte("{}\n"))
	}
	if err := os.Mkdir(filepath.Join(dir, "ws_odd", "v7.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	ids, err := s.List(t.Context())
	_, loaded := s.Load(t.Context(), "ws_odd", 0)
	if err != nil || len(ids) != 0 || callwright.KindOf(loaded) != callwright.KindNotFound {
		t.Errorf("expected no workspaces, got %v, %v and %v", ids, err, loaded)
	}
	st := version(1)
	st.ID = "ws_odd"
	if err := s.Save(t.Context(), st); err != nil {
		t.Error(err)
	}
	if ids, err := s.List(t.Context()); err != nil || !slices.Equal(ids, []workspace.ID{"ws_odd"}) {
		t.Errorf("got %v, %v", ids, err)
	}
}

// A closed Store says so.
func TestClosed(t *testing.T) {
	s, err := filestore.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	save(t, s, 1, 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, loaded := s.Load(t.Context(), id, 0)
	_, told := s.History(t.Context(), id)
	_, listed := s.List(t.Context())
	disktest.ExpectClosed(t, loaded, told, listed, s.Save(t.Context(), version(2)))
}

func TestFolderThatCannotBe(t *testing.T) {
	disktest.NoFolder(t, func(dir string) error {
		_, err := filestore.Open(dir)
		return err
	})
}
