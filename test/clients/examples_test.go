package clients_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
)

// TestExamples runs the programs of examples/typescript against a gateway without a configuration and compares their output with the text beside each.
func TestExamples(t *testing.T) {
	n := need(t, findFrameworks())
	conf, _ := config.Discover(t.Context(), func(string) (string, bool) { return "", false }, func(string) bool { return false })
	registry, err := config.NewRegistry(conf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(registry.Close)
	url := serve(t, gateway.Config{Models: registry})
	source := filepath.Join("..", "..", "examples", "typescript")
	programs, err := filepath.Glob(filepath.Join(beside(t, n.sdks, source), "*.mjs"))
	if err != nil || len(programs) < 2 {
		t.Fatalf("%d programs: %v", len(programs), err)
	}
	for _, file := range programs {
		name := strings.TrimSuffix(filepath.Base(file), ".mjs")
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join(source, name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), n.path, file)
			var out, said bytes.Buffer
			cmd.Env, cmd.Stdout, cmd.Stderr = append(plainEnv(), "CALLWRIGHT_URL="+url), &out, &said
			if err := cmd.Run(); err != nil || out.String() != string(want) {
				t.Errorf("%v, got\n%s\nwant\n%s\n%s", err, &out, want, &said)
			}
		})
	}
}
