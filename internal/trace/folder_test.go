package trace_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/trace"
)

// folder opens a folder and the writer of it.
func folder(t *testing.T, dir string) (*trace.Folder, *trace.Writer) {
	t.Helper()
	f, err := trace.OpenFolder(dir, nil, trace.LogLimits{})
	if err != nil {
		t.Fatal(err)
	}
	return f, trace.NewWriter(f)
}

// filesOf are the files of a folder by the names that a Folder gives them, in their order.
func filesOf(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "trace-????????T??????.???-*[0-9].jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// inFolder reads all entries of a folder, file by file.
func inFolder(t *testing.T, dir string) [][]trace.Entry {
	t.Helper()
	var out [][]trace.Entry
	for _, name := range filesOf(t, dir) {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := trace.ReadAll(f)
		_ = f.Close()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, entries)
	}
	return out
}

// Programs that write to one folder have files of their own, for their owner alone, whole whatever the others write.
func TestFolderOfTwo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "traces")
	var wg sync.WaitGroup
	for range 2 {
		f, w := folder(t, dir)
		wg.Go(func() {
			for range 100 {
				if err := w.Append(trace.Entry{Kind: "own", Data: json.RawMessage(`{"text":"` + strings.Repeat("x", 1000) + `"}`)}); err != nil {
					t.Error(err)
				}
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	all := inFolder(t, dir)
	if len(all) != 2 || len(all[0]) != 100 || len(all[1]) != 100 {
		t.Errorf("got %d files", len(all))
	}
	written, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(written) != 6 {
		t.Errorf("got %v and %v", written, err)
	}
	for _, name := range written {
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%v: %v", info.Mode(), err)
		}
	}
}

// The first request of a day begins a file, which says of its own what the model is.
func TestFolderTurns(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		f, w := folder(t, dir)
		m := trace.Record(&scripted{resp: &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "Hello."}}}}, w)
		for range 3 {
			if _, err := m.Generate(t.Context(), &callwright.Request{Model: "m", Messages: []callwright.Message{callwright.UserText("Hi")}}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(13 * time.Hour)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	})
	all := inFolder(t, dir)
	if len(all) != 2 || len(all[0]) != 7 || len(all[1]) != 4 || all[1][0].Kind != trace.KindModel {
		t.Errorf("got %v", all)
	}
}

// Old files are removed with their indexes, those that somebody may still write to are not, and what is no trace stays.
func TestFolderPrunes(t *testing.T) {
	dir := t.TempDir()
	const size = 100 << 10
	for i, age := range []time.Duration{0, 3 * 24 * time.Hour, 30 * 24 * time.Hour} {
		for n := range 20 {
			name := filepath.Join(dir, "trace-2020010"+string(rune('1'+i))+"T000000.000-1-"+strconv.Itoa(10+n)+".jsonl")
			if err := errors.Join(os.WriteFile(name, make([]byte, size), 0o600), os.WriteFile(strings.TrimSuffix(name, ".jsonl")+".index", nil, 0o600), os.WriteFile(strings.TrimSuffix(name, ".jsonl")+".keys", nil, 0o600)); err != nil {
				t.Fatal(err)
			}
			old := time.Now().Add(-age)
			if err := os.Chtimes(name, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	foreign := []string{"notes.txt", "trace-1-bug.jsonl", "trace-20200101T000000.000-1-10-kept.jsonl"}
	for _, name := range foreign {
		old := time.Now().Add(-30 * 24 * time.Hour)
		if err := errors.Join(os.WriteFile(filepath.Join(dir, name), nil, 0o600), os.Chtimes(filepath.Join(dir, name), old, old)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := trace.OpenFolder(dir, nil, trace.LogLimits{Bytes: 32 * size})
	if err != nil {
		t.Fatal(err)
	}
	w := trace.NewWriter(f)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Append(trace.Entry{Kind: "own"}); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("got %v", err)
	}
	files := filesOf(t, dir)
	left := map[string]int{}
	for _, name := range files {
		left[filepath.Base(name)[:len("trace-20200101")]]++
	}
	for _, name := range foreign {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	// The oldest by their names were written to a moment ago; of the others there is room for less than 32, and those of a month ago are too old.
	indexes, _ := filepath.Glob(filepath.Join(dir, "*.index"))
	keys, _ := filepath.Glob(filepath.Join(dir, "*.keys"))
	if left["trace-20200101"] != 20 || left["trace-20200102"] != 20 || left["trace-20200103"] != 0 || len(files) != 41 || len(indexes) != 41 || len(keys) != 41 {
		t.Errorf("%v, %d files, %d indexes, %d keys", left, len(files), len(indexes), len(keys))
	}
}

// A folder is read as one trace, whatever a crash left of a last line.
func TestReadFolder(t *testing.T) {
	dir := t.TempDir()
	if _, err := trace.ReadFolder(dir); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("got %v", err)
	}
	for _, kind := range []trace.Kind{"first", "second"} {
		f, w := folder(t, dir)
		if err := errors.Join(w.Append(trace.Entry{Kind: kind}), f.Close()); err != nil {
			t.Fatal(err)
		}
		torn, err := os.OpenFile(f.Name(), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := torn.WriteString(`{"trace":1,"se`); err != nil {
			t.Fatal(err)
		}
		_ = torn.Close()
	}
	all, err := trace.ReadFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := trace.ReadAll(all)
	if err != nil || len(entries) != 2 || entries[0].Kind != "first" || entries[1].Kind != "second" {
		t.Errorf("%v, %v", entries, err)
	}
	if err := all.Close(); err != nil {
		t.Error(err)
	}
}
