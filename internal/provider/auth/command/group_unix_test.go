//go:build unix

package command_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/processgroup/grouptest"
	"github.com/callwright/callwright/internal/provider/auth"
	"github.com/callwright/callwright/internal/provider/auth/command"
)

// A program that ends well gives its key, also where it leaves one behind that holds its outputs.
func TestProgramLeftBehind(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	a := command.New(command.Config{Place: "p", Args: []string{"/bin/sh", "-c", `sleep 600 & echo $! > "$0"; echo left-key`, file}, Header: auth.Bearer})
	defer func() { _ = a.Close() }()
	got, err := authorized(t, a)
	if pid := pidIn(t, file); grouptest.IsGone(pid) {
		t.Error("the program that was left behind is gone")
	} else {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	if got != "Bearer left-key" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// What a program has started ends with it, here where nobody wants its key any more.
func TestProgramsEndTogether(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	script := `test -e "$0.ran" || { touch "$0.ran"; echo key; exit; }; sleep 600 & echo $! > "$0.new"; mv "$0.new" "$0"; wait`
	var later atomic.Int64
	began := time.Now()
	clock := func() time.Time { return began.Add(time.Duration(later.Load())) }
	a := command.New(command.Config{Place: "p", Args: []string{"/bin/sh", "-c", script, file}, Life: time.Hour, Header: auth.Bearer, Now: clock})
	for range 2 { // the second has the key that is held, and another fetched beside it
		if got, err := authorized(t, a); got != "Bearer key" || err != nil {
			t.Fatalf("got %q, %v", got, err)
		}
		later.Store(int64(time.Hour - time.Second))
	}
	grouptest.Eventually(t, func() bool { _, err := os.Stat(file); return err == nil })
	pid := pidIn(t, file)
	defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }()
	_ = a.Close()
	grouptest.Eventually(t, func() bool { return grouptest.IsGone(pid) })
}

func pidIn(t *testing.T, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}
