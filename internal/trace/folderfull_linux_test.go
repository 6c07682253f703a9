package trace_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/disktest"
	"github.com/callwright/callwright/internal/trace"
)

// On a disk that is full what is recorded waits, which is told once, and is written when there is room: no line is lost or cut.
func TestFolderDiskFull(t *testing.T) {
	dir := disktest.SmallDisk(t, "8m")
	traces := filepath.Join(dir, "trace")
	f, err := trace.OpenFolder(traces, nil, trace.LogLimits{})
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan error, 10)
	w := trace.NewWriter(f, trace.OnError(func(err error) { told <- err }))
	ballast := filepath.Join(dir, "ballast")
	disktest.Fill(t, ballast)
	const n = 200
	for range n {
		if err := w.Append(trace.Entry{Kind: "own", Data: json.RawMessage(`"` + strings.Repeat("x", 3000) + `"`)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-told; !errors.Is(err, syscall.ENOSPC) || !errors.Is(w.WriteError(), syscall.ENOSPC) {
		t.Errorf("got %v and %v", err, w.WriteError())
	}
	if _, err := f.List(t.Context(), trace.Query{}); err != nil { // it does not wait
		t.Error(err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	for begun := time.Now(); w.WriteError() != nil; time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatal(w.WriteError())
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	all := inFolder(t, traces)
	if len(all) != 1 || len(all[0]) != n || len(told) > 0 {
		t.Errorf("got %d files, %d entries; it was told %d times more", len(all), len(all[0]), len(told))
	}
}

// A folder whose disk stays full closes with the reason.
func TestFolderEndsFull(t *testing.T) {
	dir := disktest.SmallDisk(t, "1m")
	f, err := trace.OpenFolder(filepath.Join(dir, "trace"), nil, trace.LogLimits{})
	if err != nil {
		t.Fatal(err)
	}
	disktest.Fill(t, filepath.Join(dir, "ballast"))
	w := trace.NewWriter(f)
	for range 3 {
		if err := w.Append(trace.Entry{Kind: "own", Data: json.RawMessage(`"` + strings.Repeat("x", 9000) + `"`)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v", err)
	}
}
