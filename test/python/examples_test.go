package python_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
)

// program is a program in Python of a page.
var program = regexp.MustCompile("(?ms)^```python\n(.*?)^```$")

// TestExamples runs the programs of docs/clients.md against a gateway as it is where nothing is configured and no provider is known.
func TestExamples(t *testing.T) {
	conf, _ := config.Discover(t.Context(), func(string) (string, bool) { return "", false }, func(string) bool { return false })
	registry, err := config.NewRegistry(conf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(registry.Close)
	url := serve(t, gateway.Config{Models: registry})
	text, err := os.ReadFile("../../docs/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	python := interpreter(t, latest)
	programs := program.FindAllSubmatch(text, -1)
	want := []string{`{"city": "Oslo"}`, "{'city': 'Oslo'}", "I have no tool", "I have no tool", `{"city": "Oslo"}`}
	if len(programs) != len(want) {
		t.Fatalf("want %d programs, got %d", len(want), len(programs))
	}
	for i, p := range programs {
		file := filepath.Join(t.TempDir(), "example.py")
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(p[1]), "http://127.0.0.1:8787", url)), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), python, file)
		cmd.Env = plainEnv()
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), want[i]) {
			t.Errorf("want %q, got %v and\n%s\nfrom\n%s", want[i], err, out, p[1])
		}
	}
}
