package launch_test

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/launch"
)

var update = flag.Bool("update", false, "write what is printed to testdata")

// An adminFile is what a file of settings for all users of a machine holds.
const adminFile = `{"security":{"auth":{"enforcedType":"gemini-api-key"}},"telemetry":{"enabled":false}}`

// target returns one with all roles that the agent takes, whose models have names with slashes and known sizes.
func target(a launch.Agent, key string) launch.Target {
	models := launch.Models{launch.RoleMain: {Name: "lab/qwen-3", Context: 32768, Output: 4096}}
	for _, r := range a.Roles {
		models[r] = launch.Model{Name: "lab/" + string(r)}
	}
	return launch.Target{
		Address: "http://127.0.0.1:8787", Key: key, Models: models, Folder: filepath.FromSlash("/state/launch/session-1"),
		ReadFile: func(path string) ([]byte, error) {
			if path == "/admin.json" {
				return []byte(adminFile), nil
			}
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		},
		Env: func(name string) (string, bool) {
			v, ok := map[string]string{"ANTHROPIC_API_KEY": "sk-ant", "GEMINI_CLI_SYSTEM_SETTINGS_PATH": "/admin.json", "QWEN_MODEL": "max"}[name]
			return v, ok
		},
	}
}

// What each agent is led by stands in a file, to be read by a person. No key is in it.
func TestPlans(t *testing.T) {
	if filepath.Separator != '/' {
		t.Skip("the files have slashes")
	}
	for _, a := range launch.Agents() {
		t.Run(a.Name, func(t *testing.T) {
			p, err := launch.NewPlan(a, target(a, "gate-key"), []string{"-p", "it's late"})
			if err != nil {
				t.Fatal(err)
			}
			p.Program, p.Version = "/usr/bin/"+a.Program, "1.2.3"
			var got bytes.Buffer
			p.Print(&got)
			if strings.Contains(got.String(), "gate-key") {
				t.Errorf("it says the key:\n%s", &got)
			}
			file := filepath.Join("testdata", a.Name+".txt")
			if *update {
				if err := os.WriteFile(file, got.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(file); err != nil || string(want) != got.String() {
				t.Errorf("%v, want\n%s\ngot\n%s", err, want, &got)
			}
		})
	}
}

// The process has the key, what was set, no variable that leads elsewhere, and all others.
func TestProcess(t *testing.T) {
	for _, a := range launch.Agents() {
		base := []string{"HOME=/home/x", "LANG=C"}
		for _, name := range a.Clear {
			base = append(base, name+"=elsewhere")
		}
		p, err := launch.NewPlan(a, target(a, "gate-key"), []string{"last"})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range p.Set {
			base = append(base, e.Name+"=elsewhere")
		}
		got := p.Process(base, nil, nil, nil)
		text := strings.Join(got.Env, "\n") + fileTexts(t, a)
		if strings.Contains(text, "elsewhere") || !strings.Contains(text, "gate-key") || !slices.Contains(got.Env, "HOME=/home/x") || !slices.Contains(got.Env, "LANG=C") {
			t.Errorf("%s: environment and files %q", a.Name, text)
		}
		if len(got.Args) == 0 || got.Args[len(got.Args)-1] != "last" {
			t.Errorf("%s: arguments %q", a.Name, got.Args)
		}
		if args := strings.Join(got.Args, " "); strings.Contains(args, "gate-key") {
			t.Errorf("%s: everybody on the machine can read the key in %q", a.Name, args)
		}
		names := map[string]bool{}
		for _, entry := range got.Env {
			name, _, _ := strings.Cut(entry, "=")
			if names[name] {
				t.Errorf("%s: %s is there twice", a.Name, name)
			}
			names[name] = true
		}
	}
}

// fileTexts are the texts of the files that the agent is given.
func fileTexts(t *testing.T, a launch.Agent) (text string) {
	t.Helper()
	setup, err := a.Setup(target(a, "gate-key"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range setup.Files {
		text += f.Text
	}
	return text
}

// The table of agents: every row is whole, and no name stands twice.
func TestAgents(t *testing.T) {
	names := map[string]bool{}
	for _, a := range launch.Agents() {
		if a.Name == "" || a.Title == "" || a.Program == "" || a.Package == "" || a.Setup == nil || names[a.Name] {
			t.Errorf("%+v", a)
		}
		names[a.Name] = true
		if named, ok := launch.AgentByName(a.Name); !ok || named.Title != a.Title {
			t.Errorf("%s is not found by its name", a.Name)
		}
		// Without a key an agent still gets a word: it insists on one.
		p, err := launch.NewPlan(a, target(a, ""), nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.Process(nil, nil, nil, nil).Env == nil {
			t.Errorf("%s is told nothing", a.Name)
		}
	}
	if _, ok := launch.AgentByName("nobody"); ok {
		t.Error("an agent that does not exist was found")
	}
}

// Settings for all users that are no JSON are not dropped: the start fails.
func TestForeignSettings(t *testing.T) {
	a, _ := launch.AgentByName("gemini")
	to := target(a, "")
	to.ReadFile = func(string) ([]byte, error) { return []byte("{ // ours\n"), nil }
	if _, err := launch.NewPlan(a, to, nil); err == nil || !strings.Contains(err.Error(), "/admin.json") {
		t.Errorf("got %v", err)
	}
}
