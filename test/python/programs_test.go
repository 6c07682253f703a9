package python_test

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

// programEnvironments are the environments of the programs of examples/python that do not run in the latest one.
var programEnvironments = map[string]string{"claude_agent": "claude"}

// TestPrograms runs the programs of examples/python against a gateway without a configuration and compares their output with the text beside each.
func TestPrograms(t *testing.T) {
	conf, _ := config.Discover(t.Context(), func(string) (string, bool) { return "", false }, func(string) bool { return false })
	registry, err := config.NewRegistry(conf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(registry.Close)
	url := serve(t, gateway.Config{Models: registry})
	programs, err := filepath.Glob("../../examples/python/*.py")
	if err != nil || len(programs) < 4 {
		t.Fatalf("%d programs: %v", len(programs), err)
	}
	for _, file := range programs {
		name := strings.TrimSuffix(filepath.Base(file), ".py")
		t.Run(name, func(t *testing.T) {
			environment := latest
			if other, ok := programEnvironments[name]; ok {
				environment = other
			}
			want, err := os.ReadFile(strings.TrimSuffix(file, ".py") + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), interpreter(t, environment), file)
			var out, said bytes.Buffer
			cmd.Env, cmd.Stdout, cmd.Stderr = append(plainEnv(), "CALLWRIGHT_URL="+url, "HOME="+t.TempDir()), &out, &said
			if err := cmd.Run(); err != nil || out.String() != string(want) {
				t.Errorf("%v, got\n%s\nwant\n%s\n%s", err, &out, want, &said)
			}
		})
	}
}
