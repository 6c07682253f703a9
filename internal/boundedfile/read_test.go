package boundedfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/prerequisite"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("four"), 0o600); err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int64]string{3: file + ": expected a file of at most 3 bytes, got a longer one", 4: "", 5: ""} {
		text, err := boundedfile.Read(file, most)
		if want == "" && (err != nil || string(text) != "four") || want != "" && (err == nil || err.Error() != want || text != nil) {
			t.Errorf("%d: got %q, %v", most, text, err)
		}
	}
	if _, err := boundedfile.Read(filepath.Join(dir, "none"), 4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := boundedfile.Read(dir, 4); err == nil {
		t.Error("a folder was read")
	}
}

// A device that never ends is read as far as the bound.
func TestReadDevice(t *testing.T) {
	const zero = "/dev/zero"
	if _, err := os.Stat(zero); err != nil {
		prerequisite.Missing(t, err)
	}
	if text, err := boundedfile.Read(zero, 1<<10); err == nil {
		t.Errorf("got %d bytes", len(text))
	}
}
