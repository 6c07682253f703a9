package filestore_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/disktest"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/workspace"
	"github.com/callwright/callwright/workspace/filestore"
)

// expectDamage holds an error against the place of the damage.
func expectDamage(t *testing.T, what string, err error, place string) {
	t.Helper()
	e, ok := errors.AsType[*callwright.Error](err)
	if !ok || e.Kind != callwright.KindInternal || !strings.Contains(err.Error(), place) || !strings.Contains(err.Error(), "is damaged") {
		t.Fatalf("%s: expected damage at %s, got %v", what, place, err)
	}
}

// stride is the step from one place that is damaged to the next.
func stride() int {
	if !longtest.IsEnabled() {
		return 7
	}
	return 1
}

// A bit that flipped in any byte of a version is found, as is a file that is cut anywhere; the versions before it can be loaded, and editing goes on.
func TestDamagedVersion(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	save(t, s, 1, 3)
	path := file(dir, "v3.json")
	whole := disktest.Read(t, path)
	first := bytes.IndexByte(whole, '\n') + 1
	check := func(what string, bad []byte, entry bool) {
		t.Helper()
		disktest.Write(t, path, bad)
		_, err := s.Load(t.Context(), id, 0)
		expectDamage(t, what, err, path)
		if !strings.Contains(err.Error(), "version 2 can be loaded, and is the newest once this file is removed") {
			t.Fatalf("%s: got %v", what, err)
		}
		if st, err := s.Load(t.Context(), id, 2); err != nil || st.Version != 2 {
			t.Fatalf("%s: version 2 is %v, %v", what, st, err)
		}
		if entry {
			_, err = s.History(t.Context(), id)
			expectDamage(t, what, err, path)
			return
		}
		expectHistory(t, s, 3)
	}
	for at := 0; at < len(whole); at += stride() {
		bad := bytes.Clone(whole)
		bad[at] ^= 1 << (at % 8)
		check(fmt.Sprintf("bit %d of byte %d", at%8, at), bad, at < first)
		check(fmt.Sprintf("cut at byte %d", at), whole[:at], at < first)
	}
	check("more behind it", append(bytes.Clone(whole), "{}\n"...), false)
	check("another version", disktest.Read(t, file(dir, "v2.json")), true)
	save(t, s, 4, 4)
	if st, err := s.Load(t.Context(), id, 0); err != nil || st.Version != 4 {
		t.Fatalf("after the damage: %v, %v", st, err)
	}
	disktest.Write(t, path, whole)
	expect(t, s, 4)
}

// A version that lies in the folder of another workspace is damage too.
func TestStrayVersion(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	save(t, s, 1, 1)
	other := version(1)
	other.ID = "ws_other"
	if err := s.Save(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	disktest.Write(t, file(dir, "v1.json"), disktest.Read(t, strings.Replace(file(dir, "v1.json"), string(id), "ws_other", 1)))
	_, err := s.Load(t.Context(), id, 0)
	expectDamage(t, "another workspace's", err, file(dir, "v1.json"))
}

// A version that is missing between others is told, and does not end the reading or the editing.
func TestMissingVersion(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, filestore.WithVersions(2))
	save(t, s, 1, 2)
	if err := os.Remove(file(dir, "v1.json")); err != nil {
		t.Fatal(err)
	}
	_, err := s.History(t.Context(), id)
	expectDamage(t, "without version 1", err, file(dir, "v1.json"))
	save(t, s, 3, 9)
	if st, err := s.Load(t.Context(), id, 0); err != nil || st.Version != 9 {
		t.Fatalf("got %v, %v", st, err)
	}
	if want := "v2.json v3.json v4.json v5.json v6.json v7.json v8.json v9.json"; files(t, dir) != want {
		t.Errorf("versions went although their entries cannot be kept in order: %s", files(t, dir))
	}
}

// A version that is damaged stays when it is old, with those after it, and leaves with them once it is whole.
func TestDamagedOldVersion(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, filestore.WithVersions(2))
	save(t, s, 1, 2)
	whole := disktest.Read(t, file(dir, "v2.json"))
	disktest.Write(t, file(dir, "v2.json"), whole[:10])
	save(t, s, 3, 5)
	if want := "history.jsonl v2.json v3.json v4.json v5.json"; files(t, dir) != want {
		t.Errorf("expected %s, got %s", want, files(t, dir))
	}
	disktest.Write(t, file(dir, "v2.json"), whole)
	save(t, s, 6, 6)
	if want := "history.jsonl v5.json v6.json"; files(t, dir) != want {
		t.Errorf("expected %s, got %s", want, files(t, dir))
	}
	expect(t, s, 6)
}

// A crash at any point while versions leave loses no entry: the history is cut anywhere in what was being added, and files that were to go are still there.
func TestTornHistory(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, filestore.WithVersions(1))
	save(t, s, 1, 3)
	history, third := disktest.Read(t, file(dir, "history.jsonl")), disktest.Read(t, file(dir, "v3.json"))
	line := third[:bytes.IndexByte(third, '\n')+1]
	for cut := 0; cut <= len(line); cut += stride() {
		for _, tail := range [][]byte{line[:cut], make([]byte, cut)} {
			disktest.Write(t, file(dir, "history.jsonl"), append(bytes.Clone(history), tail...))
			disktest.Write(t, file(dir, "v3.json"), third)
			if err := os.RemoveAll(file(dir, "v4.json")); err != nil {
				t.Fatal(err)
			}
			expect(t, s, 3)
			save(t, s, 4, 4)
			expect(t, s, 4)
			if want := string(history) + string(line); string(disktest.Read(t, file(dir, "history.jsonl"))) != want {
				t.Fatalf("cut at byte %d: the history is\n%s", cut, disktest.Read(t, file(dir, "history.jsonl")))
			}
		}
	}
}

// A bit that flipped in the history, but for its last record, is found; the newest version can be loaded, and editing goes on.
func TestDamagedHistory(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, filestore.WithVersions(1))
	save(t, s, 1, 4)
	path := file(dir, "history.jsonl")
	whole := disktest.Read(t, path)
	for at := range bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1 {
		bad := bytes.Clone(whole)
		bad[at] ^= 1 << (at % 8)
		disktest.Write(t, path, bad)
		_, err := s.History(t.Context(), id)
		expectDamage(t, fmt.Sprintf("bit %d of byte %d", at%8, at), err, path)
	}
	if st, err := s.Load(t.Context(), id, 0); err != nil || st.Version != 4 {
		t.Fatalf("got %v, %v", st, err)
	}
	save(t, s, 5, 6)
	disktest.Write(t, path, whole)
	save(t, s, 7, 7)
	expect(t, s, 7)
}

var _ workspace.Store = (*filestore.Store)(nil)
