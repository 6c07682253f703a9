package packages_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/callwright/callwright/internal/prerequisite"
	"github.com/callwright/callwright/internal/version"
)

// A root is a folder that is the root of programs: it has no Go, no C library and no shell but BusyBox.
type root struct {
	t    *testing.T
	path string
}

// newRoot makes an empty root.
func newRoot(t *testing.T) *root {
	t.Helper()
	if os.Getuid() != 0 {
		prerequisite.Missing(t, "only root can enter another root")
	}
	return &root{t, t.TempDir()}
}

// addBusyBox adds a shell and the programs that scripts of packages use.
func (r *root) addBusyBox() {
	r.t.Helper()
	box := prerequisite.Program(r.t, "/bin/busybox", "busybox")
	if out, err := exec.Command("ldd", box).CombinedOutput(); err == nil {
		prerequisite.Missing(r.t, "busybox is not static: install busybox-static: "+string(out))
	}
	text, err := os.ReadFile(box)
	if err != nil {
		r.t.Fatal(err)
	}
	r.write("bin/busybox", text, 0o755)
	for _, name := range []string{"sh", "rm", "tar", "kill"} {
		if err := os.Symlink("busybox", filepath.Join(r.path, "bin", name)); err != nil {
			r.t.Fatal(err)
		}
	}
}

func (r *root) write(name string, text []byte, mode os.FileMode) {
	r.t.Helper()
	at := filepath.Join(r.path, name)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(at, text, mode); err != nil {
		r.t.Fatal(err)
	}
	if err := os.Chmod(at, mode); err != nil { // in spite of the umask
		r.t.Fatal(err)
	}
}

func (r *root) read(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.path, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

func (r *root) has(name string) bool {
	_, err := os.Lstat(filepath.Join(r.path, name))
	return err == nil
}

// command is a program in the root, run as a user.
func (r *root) command(user uint32, env []string, args ...string) *exec.Cmd {
	cmd := exec.Command(args[0], args[1:]...) // the context of a test ends before a gateway is told to
	cmd.Path, cmd.Err = args[0], nil
	cmd.Dir, cmd.Env = "/", append([]string{"PATH=/usr/bin:/bin"}, env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: r.path}
	if user != 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: user, Gid: user}
	}
	return cmd
}

// do runs a program in the root and returns what it prints.
func (r *root) do(args ...string) string {
	r.t.Helper()
	out, err := r.command(0, nil, args...).CombinedOutput()
	if err != nil {
		r.t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// A gateway is one that a test started.
type gateway struct {
	t   *testing.T
	url string
	key string
}

// start runs a command that serves, until the test ends.
func start(t *testing.T, cmd *exec.Cmd) *gateway {
	t.Helper()
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines, text := bufio.NewScanner(said), ""
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		for lines.Scan() { //nolint:revive // what is said must not hold the gateway
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("the gateway ended with %v", err)
		}
	})
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "callwright listens on "); ok {
			return &gateway{t: t, url: url}
		}
		text += lines.Text() + "\n"
	}
	t.Fatalf("it never listens:\n%s", text)
	return nil
}

func (g *gateway) fetch(method, path, body string) (int, string) {
	g.t.Helper()
	req, err := http.NewRequestWithContext(g.t.Context(), method, g.url+path, strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Callwright-Report", "body")
	if g.key != "" {
		req.Header.Set("Authorization", "Bearer "+g.key)
	}
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		g.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// question asks for a call that the simulated model writes as text, in a broken way.
const question = `{"model":"sim/hermes-unclosed","messages":[{"role":"user","content":"What is the weather in Oslo?"}],
	"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}]}`

// wantCall fails where a first request is not answered by the call.
func (g *gateway) wantCall() {
	g.t.Helper()
	status, text := g.fetch(http.MethodPost, "/v1/chat/completions", question)
	if status != 200 || !strings.Contains(text, `"name":"get_weather"`) || !strings.Contains(text, `"dialect.hermes"`) {
		g.t.Errorf("got %d %s", status, text)
	}
}

// wantReady fails where the gateway is not ready, or is another version.
func (g *gateway) wantReady() {
	g.t.Helper()
	if status, text := g.fetch(http.MethodGet, "/readyz", ""); status != 200 {
		g.t.Errorf("not ready: %d %s", status, text)
	}
	_, text := g.fetch(http.MethodGet, "/callwright/version", "")
	var b version.Build
	if err := json.Unmarshal([]byte(text), &b); err != nil || b.Version != "v"+version.Number || b.Commit == "" || b.Date == "" {
		g.t.Errorf("the version: %v, %s", err, text)
	}
}

// lines returns the lines of a text that are not empty.
func lines(text string) []string {
	var out []string
	for line := range bytes.Lines([]byte(text)) {
		if s := strings.TrimSpace(string(line)); s != "" {
			out = append(out, s)
		}
	}
	return out
}
