package evalcmd_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/disktest"
	"github.com/callwright/callwright/internal/eval/report"
)

// fullDisk is a folder on a disk with so many bytes of room, until lift makes more. A limit of the process would also end the log of go test.
func fullDisk(t *testing.T, room int64) (dir string, lift func()) {
	t.Helper()
	disk := disktest.SmallDisk(t, "1m")
	ballast := filepath.Join(disk, "ballast")
	disktest.Fill(t, ballast)
	info, err := os.Stat(ballast)
	if err == nil {
		err = os.Truncate(ballast, info.Size()-room)
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(disk, "runs"), func() {
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
	}
}

// Where results cannot be kept any more, what is known is told, and what is missing; the run goes on once there is room.
func TestFullDisk(t *testing.T) {
	var whole bench
	_ = whole.run(t.Context(), some...)
	dir, lift := fullDisk(t, 12<<10)
	args := append(append([]string(nil), some...), "--state", dir, "--jobs", "1")
	var b bench
	err := b.run(t.Context(), args...)
	lift()
	if _, wrong := errors.AsType[misuse](err); err == nil || wrong || !strings.Contains(err.Error(), filepath.Join(dir, "results.jsonl")) {
		t.Fatalf("got %v", err)
	}
	part, failed := report.Parse(b.out.Bytes())
	if failed != nil || part.Total.N == 0 || part.Total.N >= 24 {
		t.Errorf("what is known is not told: %v\n%s", failed, b.out.String())
	}
	for _, want := range []string{" of 24 trials are kept in " + dir + ": the same command line continues with the others\n", "1 trial played but not kept: "} {
		if !strings.Contains(b.err.String(), want) {
			t.Errorf("standard error lacks %q:\n%s", want, b.err.String())
		}
	}
	if err := b.run(t.Context(), args...); err == nil || err.Error() != "6 of 24 trials did not end well" {
		t.Errorf("got %v", err)
	}
	if got, want := timeless(t, b.out.Bytes()), timeless(t, whole.out.Bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A disk that is full from the start is an error and no summary.
func TestFullDiskAtTheStart(t *testing.T) {
	dir, _ := fullDisk(t, 0)
	var b bench
	err := b.run(t.Context(), append(append([]string(nil), some...), "--state", dir)...)
	if err == nil || b.out.Len() > 0 {
		t.Errorf("got %v\n%s", err, b.out.String())
	}
	if text, err := os.ReadFile(filepath.Join(dir, "results.jsonl")); err == nil && len(text) > 0 {
		t.Errorf("the file has %d bytes", len(text))
	}
}
