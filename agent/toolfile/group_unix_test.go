//go:build unix

package toolfile_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/callwright/callwright/agent/toolfile"
)

// What a command has started ends with it when its time is over.
func TestTheGroupEnds(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pid")
	tool := parse(t, file(t, "family", []string{name}, "}", ""), toolfile.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := tool.Run(ctx, nil)
		done <- err
	}()
	eventually(t, func() bool { _, err := os.Stat(name); return err == nil })
	p := processOf(t, name)
	cancel()
	if err := <-done; err != context.Canceled {
		t.Errorf("got %v", err)
	}
	eventually(t, func() bool { return gone(p.Pid) })
}

// gone reports whether there is no process with an id, or one that has ended and whose parent has not asked.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err == nil && bytes.Contains(stat, []byte(") Z "))
}

func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for range 1000 {
		if ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it did not come about")
}
