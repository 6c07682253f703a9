//go:build unix

package toolfile_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/callwright/callwright/agent/toolfile"
	"github.com/callwright/callwright/internal/processgroup/grouptest"
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
	grouptest.Eventually(t, func() bool { _, err := os.Stat(name); return err == nil })
	p := processOf(t, name)
	cancel()
	if err := <-done; err != context.Canceled {
		t.Errorf("got %v", err)
	}
	grouptest.Eventually(t, func() bool { return grouptest.IsGone(p.Pid) })
}
