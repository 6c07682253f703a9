package evalcmd_test

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/callwright/callwright/internal/eval/report"
)

// limitFiles has files end at so many bytes until the test ends, as on a disk that is full.
func limitFiles(t *testing.T, size uint64) (lift func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	lift = func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
			t.Fatal(err)
		}
		signal.Reset(syscall.SIGXFSZ)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	return lift
}

// Where results cannot be kept any more, what is known is told, and what is missing; the run goes on once there is room.
func TestFullDisk(t *testing.T) {
	var whole bench
	_ = whole.run(t.Context(), some...)
	dir := t.TempDir()
	args := append(append([]string(nil), some...), "--state", dir, "--jobs", "1")
	var b bench
	lift := limitFiles(t, 4096)
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
	dir := filepath.Join(t.TempDir(), "runs")
	var b bench
	lift := limitFiles(t, 10)
	err := b.run(t.Context(), append(append([]string(nil), some...), "--state", dir)...)
	lift()
	if err == nil || b.out.Len() > 0 {
		t.Errorf("got %v\n%s", err, b.out.String())
	}
	if text, err := os.ReadFile(filepath.Join(dir, "results.jsonl")); err == nil && len(text) > 10 {
		t.Errorf("the file has %d bytes", len(text))
	}
}
