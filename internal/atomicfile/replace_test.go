package atomicfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright/internal/atomicfile"
)

// A file that is there keeps its permissions, and nothing stays beside it.
func TestReplacePath(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		name string
		was  os.FileMode // 0: the file is not there
		want os.FileMode
	}{{"new", 0, 0o600}, {"open", 0o644, 0o644}, {"shared", 0o666, 0o666}, {"closed", 0o400, 0o400}} {
		path := filepath.Join(dir, tt.name)
		if tt.was != 0 {
			if err := os.WriteFile(path, []byte("old and longer"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, tt.was); err != nil {
				t.Fatal(err)
			}
		}
		if err := atomicfile.ReplacePath(path, []byte("new"), 0o600); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != tt.want {
			t.Errorf("%s: permissions %v, %v", tt.name, info.Mode().Perm(), err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != "new" {
			t.Errorf("%s: %q, %v", tt.name, text, err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 4 {
		t.Errorf("left in the folder: %v", left)
	}
}

// What cannot be replaced stays as it was, and nothing stays beside it.
func TestFailure(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "folder", "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.ReplacePath(filepath.Join(dir, "folder"), []byte("new"), 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	if err := atomicfile.ReplacePath(filepath.Join(dir, "missing", "file"), []byte("new"), 0o600); err == nil {
		t.Error("a file was made in a folder that is not there")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left in the folder: %v", left)
	}
}

// Who reads meanwhile gets the whole text of one of the writers.
func TestReaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var writers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() {
			for range 25 {
				if err := atomicfile.ReplacePath(path, []byte(strings.Repeat(fmt.Sprint(i), 10_000)), 0o600); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for {
		text, err := os.ReadFile(path)
		if err == nil && (len(text) != 10_000 || strings.Count(string(text), string(text[:1])) != len(text)) {
			t.Fatalf("read %d bytes that begin with %.20q", len(text), text)
		}
		select {
		case <-done:
			return
		default:
		}
	}
}
