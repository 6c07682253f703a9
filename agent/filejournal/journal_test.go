package filejournal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/agent/filejournal"
	"github.com/callwright/callwright/internal/disktest"
	"github.com/callwright/callwright/internal/journaltest"
)

const run agent.RunID = "run_0197f0c2-7a1e-7b44-9d52-3f1f0a6f2c11"

func open(t testing.TB, dir string) *filejournal.Journal {
	t.Helper()
	j, err := filejournal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

func entry(data string) agent.Entry {
	return agent.Entry{Kind: "test", Time: time.Date(2026, 3, 29, 1, 59, 59, 0, time.UTC), Call: "a", Data: json.RawMessage(data)}
}

// add records an entry that has to be recorded.
func add(t testing.TB, j agent.Journal, prev uint64, e agent.Entry) {
	t.Helper()
	if last, err := j.Append(t.Context(), run, prev, e); err != nil || last != prev+1 {
		t.Fatalf("append after %d: expected %d, got %d and %v", prev, prev+1, last, err)
	}
}

// expect holds the Data of a run's entries against want.
func expect(t *testing.T, j agent.Journal, want ...string) {
	t.Helper()
	entries, last, err := j.Load(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]string, len(entries))
	for i, s := range entries {
		got[i] = string(s.Data)
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || last != uint64(len(want)) {
		t.Fatalf("expected the entries %s, got %s and the number %d", want, got, last)
	}
}

func TestJournal(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) agent.Journal { return open(t, t.TempDir()) })
}

// reopened is a folder of which, before everything that is done, nothing is known.
type reopened string

func (dir reopened) Load(ctx context.Context, run agent.RunID) ([]agent.Entry, uint64, error) {
	j, err := filejournal.Open(string(dir))
	if err != nil {
		return nil, 0, err
	}
	defer j.Close()
	return j.Load(ctx, run)
}

func (dir reopened) Append(ctx context.Context, run agent.RunID, prev uint64, e agent.Entry) (uint64, error) {
	j, err := filejournal.Open(string(dir))
	if err != nil {
		return 0, err
	}
	defer j.Close()
	return j.Append(ctx, run, prev, e)
}

func TestReopened(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) agent.Journal { return reopened(t.TempDir()) })
}

// taking is two Journals of a folder, as of two processes, that take turns.
type taking struct {
	a, b  *filejournal.Journal
	turns *atomic.Int64
}

func (p taking) next() *filejournal.Journal {
	if p.turns.Add(1)%2 == 0 {
		return p.a
	}
	return p.b
}

func (p taking) Load(ctx context.Context, run agent.RunID) ([]agent.Entry, uint64, error) {
	return p.next().Load(ctx, run)
}

func (p taking) Append(ctx context.Context, run agent.RunID, prev uint64, e agent.Entry) (uint64, error) {
	return p.next().Append(ctx, run, prev, e)
}

func (p taking) Runs(ctx context.Context) ([]agent.RunID, error) { return p.next().Runs(ctx) }

func TestTakingTurns(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) agent.Journal {
		dir := t.TempDir()
		return taking{open(t, dir), open(t, dir), new(atomic.Int64)}
	})
}

// The form of a file is what the documentation says.
func TestForm(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir)
	add(t, j, 0, entry(`{"x":1}`))
	add(t, j, 1, entry("{\n}"))
	want := `{"n":1,"len":71,"crc":"9df565b4","entry":{"kind":"test","time":"2026-03-29T01:59:59Z","call":"a","data":{"x":1}}}
{"n":2,"len":77,"crc":"d43254d3","entry":{"kind":"test","time":"2026-03-29T01:59:59Z","call":"a","data_base64":"ewp9"}}
`
	if got := string(disktest.Read(t, filepath.Join(dir, string(run)+".jsonl"))); got != want {
		t.Errorf("expected\n%sgot\n%s", want, got)
	}
}

// Nobody else can read what a run says.
func TestPermissions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "runs")
	j := open(t, dir)
	add(t, j, 0, entry(`1`))
	disktest.Private(t, dir, filepath.Join(dir, string(run)+".jsonl"))
}

// Files that are no runs are left alone, and one that has nothing yet is no run.
func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir)
	for _, name := range []string{"run_1.json", "run_1", "notes.jsonl", "run_~a.jsonl", "run_A.jsonl", "run_~~A.jsonl", "run_.jsonl", "RUN_1.jsonl"} {
		disktest.Write(t, filepath.Join(dir, name), []byte("{}\n"))
	}
	disktest.Write(t, filepath.Join(dir, "run_empty.jsonl"), nil)
	if err := os.Mkdir(filepath.Join(dir, "run_folder.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	if runs, err := j.Runs(t.Context()); err != nil || len(runs) != 0 {
		t.Errorf("expected no runs, got %v and %v", runs, err)
	}
}

// A run that was removed is unknown, also to a Journal that has just written to it, and can be begun anew.
func TestRemove(t *testing.T) {
	dir := t.TempDir()
	a, b := open(t, dir), open(t, dir)
	for range 3 {
		if err := a.Remove(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		expect(t, b)
		_, err := b.Append(t.Context(), run, 1, entry(`1`))
		if callwright.KindOf(err) != callwright.KindConflict {
			t.Fatalf("expected a conflict, got %v", err)
		}
		// The same sizes as before, so that a file system that uses an inode again shows no difference.
		add(t, b, 0, entry(`1`))
		add(t, a, 1, entry(`2`))
		add(t, b, 2, entry(`3`))
		expect(t, a, `1`, `2`, `3`)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Remove(ctx, run); callwright.KindOf(err) != callwright.KindCanceled {
		t.Errorf("expected %s, got %v", callwright.KindCanceled, err)
	}
	if err := a.Remove(t.Context(), "run_../x"); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("expected %s, got %v", callwright.KindInvalid, err)
	}
	expect(t, b, `1`, `2`, `3`)
}

// A closed Journal says so.
func TestClosed(t *testing.T) {
	j, err := filejournal.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	add(t, j, 0, entry(`1`))
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, loaded := j.Load(t.Context(), run)
	_, appended := j.Append(t.Context(), run, 1, entry(`2`))
	_, listed := j.Runs(t.Context())
	disktest.ExpectClosed(t, loaded, appended, listed, j.Remove(t.Context(), run))
}

func TestFolderThatCannotBe(t *testing.T) {
	disktest.NoFolder(t, func(dir string) error {
		_, err := filejournal.Open(dir)
		return err
	})
}

// BenchmarkAppend appends entries of a kilobyte to a run, each on disk before the next one.
func BenchmarkAppend(b *testing.B) {
	j := open(b, b.TempDir())
	data, err := json.Marshal(bytes.Repeat([]byte{1}, 768))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for n := uint64(0); b.Loop(); n++ {
		add(b, j, n, entry(string(data)))
	}
}

// BenchmarkLoad loads a run of a hundred entries of a kilobyte.
func BenchmarkLoad(b *testing.B) {
	j := open(b, b.TempDir())
	data, err := json.Marshal(bytes.Repeat([]byte{1}, 768))
	if err != nil {
		b.Fatal(err)
	}
	for n := range uint64(100) {
		add(b, j, n, entry(string(data)))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := j.Load(b.Context(), run); err != nil {
			b.Fatal(err)
		}
	}
}
