package launch_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/launch"
)

// A session's files are its owner's alone, and gone at its end; what runs is not swept away.
func TestSession(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "launch")
	if swept, err := launch.Sweep(t.Context(), dir); len(swept) > 0 || err != nil {
		t.Errorf("swept %v, %v where nothing is", swept, err)
	}
	s, err := launch.Begin(t.Context(), launch.NewFolder(dir))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.Folder, "settings.json")
	if err := s.Write([]launch.File{{Path: path, Text: "secret"}}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{dir: 0o700, s.Folder: 0o700, path: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode().Perm(), err)
		}
	}
	for _, outside := range []string{filepath.Join(dir, "x"), s.Folder, "settings.json", filepath.Join(s.Folder, "..", "x")} {
		if err := s.Write([]launch.File{{Path: outside}}); err == nil {
			t.Errorf("%s was written", outside)
		}
	}
	if swept, err := launch.Sweep(t.Context(), dir); len(swept) > 0 || err != nil {
		t.Errorf("swept %v, %v", swept, err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "secret" {
		t.Errorf("got %q, %v", text, err)
	}
	if err := s.End(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// What a killed process left goes, and nothing else does.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"session-1", "session-2", "other"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "file"), []byte("secret"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"session-1.lock", "session-2.lock", "session-3.lock", "other.lock"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	swept, err := launch.Sweep(t.Context(), dir)
	if err != nil || len(swept) != 2 || filepath.Base(swept[0]) != "session-1" || filepath.Base(swept[1]) != "session-2" {
		t.Errorf("swept %v, %v", swept, err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 || left[0].Name() != "other" || left[1].Name() != "other.lock" {
		t.Errorf("left %v, %v", left, err)
	}
}
