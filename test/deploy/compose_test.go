package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"

	"github.com/callwright/callwright/internal/prerequisite"
)

// The compose files are valid, ask for the keys that they need, and mount files that are there. The gateways' configurations are ones that the gateway takes.
func TestCompose(t *testing.T) {
	for name, keys := range map[string][]string{"gateway.yaml": {"CALLWRIGHT_KEY"}, "monitored.yaml": {"CALLWRIGHT_KEY", "CALLWRIGHT_SCRAPE_KEY"}, "ollama.yaml": {"CALLWRIGHT_KEY"}} {
		t.Run(name, func(t *testing.T) {
			env := []string{}
			for _, key := range keys {
				if _, err := load(t, name, env); err == nil || !strings.Contains(err.Error(), key) {
					t.Errorf("without %s: got %v", key, err)
				}
				env = append(env, key+"=sesame")
			}
			project, err := load(t, name, env)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range project.Services {
				for _, v := range s.Volumes {
					checkMount(t, &s, &v)
				}
				if strings.HasPrefix(s.Name, "callwright") && (!s.ReadOnly || len(s.CapDrop) == 0 || s.StopGracePeriod == nil) {
					t.Errorf("%s lacks a guard, or time to finish requests", s.Name)
				}
			}
		})
	}
}

// Prometheus takes the configuration that it has beside the gateways.
func TestPrometheus(t *testing.T) {
	promtool := prerequisite.Program(t, "promtool")
	out, err := exec.CommandContext(t.Context(), promtool, "check", "config", "--syntax-only", "../../packaging/compose/prometheus.yaml").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func load(t *testing.T, name string, env []string) (*types.Project, error) {
	t.Helper()
	o, err := cli.NewProjectOptions([]string{filepath.Join("../../packaging/compose", name)}, cli.WithEnv(env))
	if err != nil {
		t.Fatal(err)
	}
	return o.LoadProject(t.Context())
}

// checkMount checks that a file or folder of this repository is there, and what it says where a gateway reads it.
func checkMount(t *testing.T, s *types.ServiceConfig, v *types.ServiceVolumeConfig) {
	t.Helper()
	if v.Type != types.VolumeTypeBind {
		return
	}
	if _, err := os.Stat(v.Source); err != nil {
		t.Errorf("%s mounts %s: %v", s.Name, v.Source, err)
		return
	}
	if v.Target == "/etc/callwright/callwright.yaml" {
		text, err := os.ReadFile(v.Source)
		if err != nil {
			t.Fatal(err)
		}
		checkConfig(t, string(text), "")
	}
}
