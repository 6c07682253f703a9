//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package filejournal_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/callwright/callwright"
)

// While another process holds the lock of a run, Append waits as long as its context lasts, and Load does not wait.
func TestLocked(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir)
	add(t, j, 0, entry(`1`))
	f, err := os.Open(filepath.Join(dir, string(run)+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	expect(t, j, `1`)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, appended := j.Append(ctx, run, 1, entry(`2`))
	for _, err := range []error{appended, j.Remove(ctx, run)} {
		if callwright.KindOf(err) != callwright.KindCanceled || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("expected the end of the context, got %v", err)
		}
	}
	var unlocking sync.WaitGroup
	defer unlocking.Wait()
	unlocking.Go(func() {
		time.Sleep(5 * time.Millisecond)
		_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	})
	add(t, j, 1, entry(`2`))
	expect(t, j, `1`, `2`)
}
