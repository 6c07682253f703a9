package trace_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/testclock"
	"github.com/callwright/callwright/internal/trace"
)

// A folder that is gone when its next file is to be begun closes with that reason, also where lines wait for the file.
func TestFolderEndsGone(t *testing.T) {
	dir, clock := filepath.Join(t.TempDir(), "trace"), testclock.At(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	f, err := trace.OpenFolder(dir, clock.Now, trace.LogLimits{})
	if err != nil {
		t.Fatal(err)
	}
	m := trace.Record(&scripted{resp: answer()}, trace.NewWriter(f, trace.WithClock(clock.Now)))
	for range 2 {
		if _, err := m.Generate(t.Context(), &callwright.Request{Model: "m"}); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		clock.Add(24 * time.Hour)
	}
	if err := f.Close(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
