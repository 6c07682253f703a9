package memory

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/prerequisite"
)

// resident returns how many KiB of files the process has in its memory.
func resident(t *testing.T) (kib int) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		prerequisite.Missing(t, err)
	}
	_, rest, ok := strings.Cut(string(status), "RssFile:")
	if !ok {
		prerequisite.Missing(t, "RssFile in /proc/self/status")
	}
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatal(err)
	}
	return kib
}

func TestReleaseProgram(t *testing.T) {
	before := resident(t)
	ReleaseProgram()
	if after := resident(t); after >= before {
		t.Errorf("%d KiB before, %d KiB after", before, after)
	}
}
