package mcptool_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/prerequisite"
	"github.com/callwright/callwright/mcptool"
)

// npmVersion is that of the servers, which are released together.
const npmVersion = "2026.8.31"

// npmServer returns the command of a server that npm has. It is installed once, into the cache of the user.
func npmServer(t *testing.T, name string) []string {
	t.Helper()
	if !longtest.IsEnabled() {
		t.Skip("it is installed from a network")
	}
	node, npm := prerequisite.Program(t, "node"), prerequisite.Program(t, "npm")
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	dir := filepath.Join(cache, "callwright-test", "mcp-"+npmVersion, name)
	script := filepath.Join(dir, "node_modules", "@modelcontextprotocol", name, "dist", "index.js")
	if _, err := os.Stat(script); err == nil {
		return []string{node, script}
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), name+"-") // several tests may install it at once
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(fresh)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "install", "--prefix", fresh, "--no-audit", "--no-fund", "--ignore-scripts", "@modelcontextprotocol/"+name+"@"+npmVersion)
	if out, err := cmd.CombinedOutput(); err != nil {
		prerequisite.Missing(t, "@modelcontextprotocol/"+name+":", err, string(out))
	}
	if err := os.Rename(fresh, dir); err != nil && !os.IsExist(err) {
		if _, missing := os.Stat(script); missing != nil {
			t.Fatal(err)
		}
	}
	return []string{node, script}
}

// The reference server with all that the protocol has.
func TestServerEverything(t *testing.T) {
	s := open(t, mcptool.Config{Name: "all", Command: npmServer(t, "server-everything")})
	if list := names(tools(t, s)); !slices.Contains(list, "all:echo") || len(list) < 10 || len(s.Problems()) > 0 {
		t.Errorf("got %v %v", list, s.Problems())
	}
	if got := said(t, s, "echo", `{"message": "hi"}`); got != "Echo: hi" {
		t.Errorf("got %s", got)
	}
	if got := said(t, s, "get-sum", `{"a": 2, "b": 3}`); !strings.Contains(got, "5") {
		t.Errorf("got %s", got)
	}
	image, err := call(t.Context(), t, s, "get-tiny-image", "{}")
	if err != nil || len(image.Parts) != 1 {
		t.Fatalf("got %+v %v", image, err)
	}
	if p, ok := image.Parts[0].(callwright.Image); !ok || p.MediaType != "image/png" || p.Data == "" {
		t.Errorf("got %+v", image.Parts[0])
	}
	structured, err := call(t.Context(), t, s, "get-structured-content", `{"location": "Chicago"}`)
	if err != nil || !strings.HasPrefix(string(structured.Data), `{"temperature":`) || structured.Parts != nil {
		t.Errorf("got %s %v %v", structured.Data, structured.Parts, err)
	}
	if _, err := call(t.Context(), t, s, "get-sum", `{"a": "two"}`); codeOf(err) != agent.CodeToolFailed {
		t.Errorf("got %v", err)
	}
}

// The reference server for files.
func TestServerFilesystem(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(dir, "root")
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Fatal(err)
	}
	inside, outside := filepath.Join(root, "a.txt"), filepath.Join(dir, "b.txt")
	for _, name := range []string{inside, outside} {
		if err := os.WriteFile(name, []byte("in "+filepath.Base(name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := npmServer(t, "server-filesystem")
	c := mcptool.Config{Name: "files", Command: append(command, root)}
	shell, err := exec.LookPath("sh")
	if err == nil { // which tells its id, and then becomes the server
		c.Command = append([]string{shell, "-c", `echo $$ > "$0"; exec "$@"`, filepath.Join(dir, "pid")}, c.Command...)
	}
	s := open(t, c)
	read := func(name string) (agent.Output, error) {
		arguments, _ := json.Marshal(map[string]string{"path": name})
		return call(t.Context(), t, s, "read_text_file", string(arguments))
	}
	check := func() {
		t.Helper()
		if got, err := read(inside); err != nil || !strings.Contains(string(got.Data), "in a.txt") {
			t.Errorf("got %s %v", got.Data, err)
		}
	}
	check()
	if got, err := read(outside); codeOf(err) != agent.CodeToolFailed || !strings.Contains(err.Error(), "denied") {
		t.Errorf("outside of its root: %s %v", got.Data, err)
	}
	if shell == "" {
		return
	}
	pid, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	kill(t, string(pid))
	check() // it is started again
}
