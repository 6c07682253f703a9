package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestEvaluationExample runs the script of the example as a CI does: it ends with 0 where all scenarios end well, and with 1 where one does not.
func TestEvaluationExample(t *testing.T) {
	needsLong(t)
	if runtime.GOOS == "windows" {
		t.Skip("the example is a POSIX script")
	}
	script, err := filepath.Abs("../../examples/evaluation/eval.sh")
	if err != nil {
		t.Fatal(err)
	}
	for models, want := range map[string]int{"": exitDone, "sim/midstream-cut": exitFailed} {
		report := filepath.Join(t.TempDir(), "report.html")
		cmd := exec.CommandContext(t.Context(), script)
		cmd.Env = append(os.Environ(), "REPORT="+report, "TRIALS=1")
		if models != "" {
			cmd.Env = append(cmd.Env, "MODELS="+models)
		}
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("models %q: exit status %d, want %d\n%s", models, got, want, out)
		}
		if page, err := os.ReadFile(report); err != nil || !bytes.Contains(page, []byte("order_pizza")) {
			t.Errorf("models %q: no report: %v", models, err)
		}
	}
}

// TestKubernetesExample checks the manifest against the program: its configuration, its command line and the paths of its probes.
func TestKubernetesExample(t *testing.T) {
	raw, err := os.ReadFile("../../examples/kubernetes/callwright.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type probe struct {
		HTTPGet struct{ Path string } `yaml:"httpGet"`
	}
	var object struct {
		Kind string
		Data map[string]string
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct {
						Args           []string
						ReadinessProbe probe `yaml:"readinessProbe"`
						LivenessProbe  probe `yaml:"livenessProbe"`
					}
				}
			}
		}
	}
	configuration := filepath.Join(t.TempDir(), "callwright.yaml")
	containers := 0
	for doc := range strings.SplitSeq(string(raw), "\n---\n") {
		object.Data, object.Spec.Template.Spec.Containers = nil, nil
		if err := yaml.Unmarshal([]byte(doc), &object); err != nil {
			t.Fatal(err)
		}
		if text := object.Data["callwright.yaml"]; text != "" {
			if err := os.WriteFile(configuration, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range object.Spec.Template.Spec.Containers {
			containers++
			command, rest, err := newRoot(&app{env: noEnv}).Find(c.Args)
			if err != nil {
				t.Fatal(err)
			}
			if err := command.ParseFlags(rest); err != nil || command.Name() != "serve" {
				t.Errorf("%q is no command line of serve: %v", c.Args, err)
			}
			for _, p := range []probe{c.ReadinessProbe, c.LivenessProbe} {
				if p.HTTPGet.Path != "/readyz" && p.HTTPGet.Path != "/healthz" {
					t.Errorf("%s is no path of a probe", p.HTTPGet.Path)
				}
			}
		}
	}
	if containers != 1 {
		t.Errorf("%d containers", containers)
	}
	var said bytes.Buffer
	env := func(name string) (string, bool) { return "x", name == "CALLWRIGHT_KEY" || name == "OPENAI_API_KEY" }
	std := streams{in: strings.NewReader(""), out: &said, err: &said}
	if status := run(t.Context(), []string{"config", "check", configuration}, std, env); status != exitDone {
		t.Errorf("exit status %d of config check\n%s", status, &said)
	}
}
