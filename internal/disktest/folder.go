package disktest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/callwright/callwright"
)

// Read returns the content of a file.
func Read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Write writes a file.
func Write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Private checks that folders, files and sockets have no permissions for other users.
func Private(t *testing.T, paths ...string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("it has other permissions")
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		want := 0o600 | info.Mode()&fs.ModeSocket
		if info.IsDir() {
			want = fs.ModeDir | 0o700
		}
		if info.Mode() != want {
			t.Errorf("%s: expected %v, got %v", path, want, info.Mode())
		}
	}
}

// NoFolder calls open with the path of a file and with a path below that file: neither can be a folder. It checks that
// each error contains the path.
func NoFolder(t *testing.T, open func(dir string) error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	Write(t, path, nil)
	for _, dir := range []string{path, filepath.Join(path, "in")} {
		if err := open(dir); callwright.KindOf(err) != callwright.KindInternal || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: got %v", dir, err)
		}
	}
}

// ExpectClosed checks that each error is [fs.ErrClosed].
func ExpectClosed(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("expected %v, got %v", fs.ErrClosed, err)
		}
	}
}
