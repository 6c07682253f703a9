package clients_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/prerequisite"
)

// page is what tells people how to connect their clients.
const page = "../../docs/clients.md"

// fenced is a block of a page: its mark and its text.
var fenced = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// blocks are the page's blocks of one mark that have some words in them, with the address of a gateway that runs as it does
// with --simulated where nothing is configured and no provider is known.
func blocks(t *testing.T, mark, words string) []string {
	t.Helper()
	conf, _ := config.Discover(t.Context(), func(string) (string, bool) { return "", false }, func(string) bool { return false })
	registry, err := config.NewRegistry(conf, config.WithSimulated())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(registry.Close)
	url := serve(t, gateway.Config{Models: registry})
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, b := range fenced.FindAllStringSubmatch(string(text), -1) {
		if b[1] == mark && strings.Contains(b[2], words) {
			out = append(out, strings.ReplaceAll(b[2], "http://127.0.0.1:8787", url))
		}
	}
	return out
}

func TestExamplesForCurl(t *testing.T) {
	for _, program := range []string{"sh", "curl"} {
		prerequisite.Program(t, program)
	}
	commands := blocks(t, "sh", "curl ")
	want := []string{`"tool_calls"`, `"callwright"`, `"function_call"`, `"functionCall"`, `"arguments":{`, `"sim/native"`}
	if len(commands) != len(want) {
		t.Fatalf("want %d commands, got %d", len(want), len(commands))
	}
	for i, command := range commands {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
		cmd.Env = plainEnv()
		out, err := cmd.CombinedOutput()
		if err != nil || !json.Valid(out) || !strings.Contains(string(out), want[i]) {
			t.Errorf("want an answer with %s, got %v and\n%s\nfrom\n%s", want[i], err, out, command)
		}
	}
}

func TestExamplesForTheSDKs(t *testing.T) {
	n := needNode(t)
	programs := blocks(t, "js", "import ")
	want := []string{"3 degrees in Oslo", "3 degrees in Oslo", "tool_use { city: 'Oslo' }"}
	if len(programs) != len(want) {
		t.Fatalf("want %d programs, got %d", len(want), len(programs))
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(n.sdks, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		prerequisite.Missing(t, "symbolic links:", err)
	}
	for i, program := range programs {
		file := filepath.Join(dir, "example.mjs")
		if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), n.path, file)
		cmd.Env = plainEnv()
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), want[i]) {
			t.Errorf("want %q, got %v and\n%s\nfrom\n%s", want[i], err, out, program)
		}
	}
}
