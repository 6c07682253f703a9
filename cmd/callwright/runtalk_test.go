package main

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/config"
	"github.com/callwright/callwright/provider"
)

// Whoever closes the input at a question has not answered it: the run waits.
func TestAskEndOfInput(t *testing.T) {
	a := &app{std: streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}, env: func(string) (string, bool) { return "", false }}
	if d, err := newTalk(a, false, false).ask(t.Context(), agent.Question{Name: "drop"}); d != agent.Later || err != nil {
		t.Errorf("got %q, %v", d, err)
	}
}

// What cannot be carried out is said with the status of a misused command line, before a model is asked.
func TestRunMisused(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		`open nofile.json: `: {"--tools", "nofile.json"},
		`toolfile.parse: /run: tool 0 (x): expected "run": an object with a command or a url`: {"--tools", `{"name": "x"}`},
		`--mcp: expected a command or a URL, got ""`:                                          {"--mcp", ""},
		`agent.options: unknown tool use mode "often"`:                                        {"--tool-use-mode", "often"},
		`agent.options: "get_[" is no pattern for names of tools`:                             {"--allow", "get_["},
		`--conversation: `: {"--conversation", filepath.Join(dir, "none", "c.json")},
	} {
		var stderr bytes.Buffer
		std := streams{in: strings.NewReader(""), out: io.Discard, err: &stderr}
		args = append([]string{"run", "--model", "sim/native", "--state", dir, "hi"}, args...)
		status := run(t.Context(), args, std, func(string) (string, bool) { return "", false })
		if status != exitMisused || !strings.HasPrefix(stderr.String(), "callwright: "+want) {
			t.Errorf("%q: got status %d, %s", args, status, &stderr)
		}
	}
}

// Simulated models take tools of servers, whose names have a colon.
func TestRunNameWithColon(t *testing.T) {
	var stdout, stderr bytes.Buffer
	std := streams{in: strings.NewReader(""), out: &stdout, err: &stderr}
	args := []string{"run", "--model", "sim/native", "--state", t.TempDir(), "--tools", `{"name": "files:read", "run": {"command": ["true"]}}`, "hi"}
	if status := run(t.Context(), args, std, func(string) (string, bool) { return "", false }); status != exitDone {
		t.Errorf("got status %d, %s", status, &stderr)
	}
}

// Variables before a command of the configuration reach its server, and those of its own member win.
func TestServerConfig(t *testing.T) {
	env := func(string) (string, bool) { return "", false }
	got, err := serverConfig(&config.MCPServer{Name: "files", Command: config.Command{Line: "A=1 B=2 serve --all"}, Env: map[string]provider.Secret{"B": provider.NewSecret("3")}}, env)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "files" || !slices.Equal(got.Command, []string{"serve", "--all"}) || !slices.Equal(got.Env, []string{"A=1", "B=2", "B=3"}) {
		t.Errorf("got %+v", got)
	}
}
