package memory_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/memory"
)

// resident returns how many KiB of files the process has in its memory.
func resident(t *testing.T) (kib int) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, rest, ok := strings.Cut(string(status), "RssFile:")
	if !ok {
		t.Skip("the system does not say it")
	}
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatal(err)
	}
	return kib
}

func TestReleaseProgram(t *testing.T) {
	before := resident(t)
	memory.ReleaseProgram()
	if after := resident(t); after >= before {
		t.Errorf("%d KiB before, %d KiB after", before, after)
	}
}
