//go:build unix

package grouptest

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// IsGone reports whether no process with the ID pid exists or it has ended (a zombie process).
func IsGone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err == nil && bytes.Contains(stat, []byte(") Z "))
}

// Eventually waits until ok returns true. It fails the test after 10 seconds.
func Eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for range 1000 {
		if ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the condition does not hold after 10 s")
}
