package trace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/callwright/callwright/internal/trace"
)

// A list closes the files that it opens, also of an index of another form than its keys.
func TestFolderListClosesFiles(t *testing.T) {
	dir := t.TempDir()
	interleaved(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, "*.index"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		if err := os.WriteFile(name, []byte("another form\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open := func() int {
		t.Helper()
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	r := trace.NewFolderReader(dir, nil, trace.LogLimits{Age: -1})
	before := open()
	for range 20 {
		if _, err := r.List(t.Context(), trace.Query{}); err != nil {
			t.Fatal(err)
		}
	}
	if after := open(); after > before+len(files) {
		t.Errorf("%d files are open, %d were", after, before)
	}
}
