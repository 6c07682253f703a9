package launch_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/launch"
)

// The version is that of the package of npm, without a start of the program; one that is installed otherwise is asked.
func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of a POSIX shell")
	}
	dir := t.TempDir()
	program := func(name, script string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program("lib/claude-code/package.json", `{"name": "@anthropic-ai/claude-code", "version": "2.1.330"}`)
	program("lib/claude-code/bin/package.json", `{"type": "module"}`)
	program("lib/claude-code/bin/claude.exe", "#!/bin/sh\necho started; exit 1\n")
	if err := os.Symlink("lib/claude-code/bin/claude.exe", filepath.Join(dir, "claude")); err != nil {
		t.Fatal(err)
	}
	program("codex", "#!/bin/sh\necho \"codex-cli 0.169.0-beta.1 (here)\"\n")
	program("gemini", "#!/bin/sh\nexit 1\n")
	t.Setenv("PATH", dir)
	want := map[string]launch.Listed{
		"claude": {Installed: true, Version: "2.1.330"}, "codex": {Installed: true, Version: "0.169.0-beta.1"}, "gemini": {Installed: true},
	}
	for _, got := range launch.List(t.Context()) {
		if w := want[got.Name]; got.Installed != w.Installed || got.Version != w.Version || got.Installed != (got.Path == filepath.Join(dir, got.Name)) {
			t.Errorf("got %+v, want %+v", got, w)
		}
	}
}
