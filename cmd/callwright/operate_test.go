package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A process is the gateway in a process of its own.
type process struct {
	*exec.Cmd
	url  string
	said *bufio.Scanner // standard error after the address
}

// startGateway runs the gateway in a process of its own, through a shell that has set what setup says.
func startGateway(t testing.TB, setup, conf string, args ...string) *process {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "callwright") // as which the tests' own binary is the command
	if err := os.Symlink(self, bin); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ownConfig), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	shell := append([]string{"-c", setup + ` exec "$0" serve --listen 127.0.0.1:0 "$@"`, bin}, args...)
	p := &process{Cmd: exec.CommandContext(t.Context(), "sh", shell...)}
	p.Dir = dir
	out, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.Process.Kill()
		_ = p.Wait()
	})
	for p.said = bufio.NewScanner(out); p.said.Scan(); {
		if at := strings.Index(p.said.Text(), "http://"); at >= 0 {
			p.url = strings.TrimRight(p.said.Text()[at:], `"}`)
			return p
		}
	}
	t.Fatal("it never listens")
	return nil
}

func (p *process) ask(c *http.Client, model string) (int, error) {
	resp, err := c.Post(p.url+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"`+model+`","messages":[{"role":"user","content":"hi"}]}`))
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, err
}

// A gateway reads callwright.yaml where it stands and says so; it outlives its terminal, and SIGTERM ends it cleanly. In JSON each line
// that it says is a record.
func TestOperate(t *testing.T) {
	for _, format := range []string{"text", "json", "short"} {
		p := startGateway(t, "", "providers: {sim: {}}\nmodels: {mine: {model: sim/hermes}}\n", "--log-format", format)
		if err := p.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		var lines []string
		for !strings.Contains(strings.Join(lines, ""), "SIGHUP") && p.said.Scan() {
			lines = append(lines, p.said.Text())
		}
		if status, err := p.ask(http.DefaultClient, "mine"); status != 200 {
			t.Errorf("%s: got %d, %v", format, status, err)
		}
		if err := p.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		for p.said.Scan() {
			lines = append(lines, p.said.Text())
			var m map[string]any
			if format == "json" && json.Unmarshal(p.said.Bytes(), &m) != nil {
				t.Errorf("not a record: %s", p.said.Text())
			}
		}
		if err := p.Wait(); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		all := strings.Join(lines, "\n")
		for _, want := range []string{"callwright.yaml in this folder", "SIGHUP", "finishes running requests", "sim/hermes", map[string]string{"text": " report=rep_", "json": `"duration_ms":`, "short": "mine -> sim/hermes passed"}[format]} {
			if !strings.Contains(all, want) {
				t.Errorf("%s: it does not say %q:\n%s", format, want, all)
			}
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// What is below the level is not said; what cannot be a level or a form is a misuse.
func TestLogFlags(t *testing.T) {
	p := startGateway(t, "", "providers: {sim: {}}\n", "--log-level", "error")
	if status, err := p.ask(http.DefaultClient, "sim/native"); status != 200 {
		t.Errorf("got %d, %v", status, err)
	}
	http.DefaultClient.CloseIdleConnections()
	_ = p.Process.Signal(syscall.SIGTERM)
	for p.said.Scan() {
		if strings.Contains(p.said.Text(), "duration") {
			t.Errorf("said %s", p.said.Text())
		}
	}
	_ = p.Wait()
	for _, flag := range []string{"--log-level=loud", "--log-format=xml"} {
		none := func(string) (string, bool) { return "", false }
		if code := run(context.Background(), []string{"serve", flag}, streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}, none); code != exitMisused {
			t.Errorf("%s: exit status %d", flag, code)
		}
	}
}

// Connections on which nothing happens do not keep others out when file descriptors run short, nor requests from their provider.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	far := newEcho(t)
	p := startGateway(t, "ulimit -n 64;", `providers: {far: {base_url: "`+far+`/v1"}}`)
	address := strings.TrimPrefix(p.url, "http://")
	var waiting []net.Conn
	for i := range 150 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		waiting = append(waiting, conn)
		if i%2 == 0 { // half of them have asked something
			_, _ = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
		}
	}
	c := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for range 20 {
		if status, err := p.ask(c, "far/m"); status != 200 {
			t.Fatalf("got %d, %v", status, err)
		}
	}
	open := 0
	for _, conn := range waiting {
		_ = conn.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
		if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
			open++
		}
	}
	if open == 0 || open > 32 {
		t.Errorf("%d connections wait: half of the descriptors are for them, and the newest stay", open)
	}
}

// newEcho returns the address of a provider that always says the same.
func newEcho(t testing.TB) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}]}`)
	})}
	go func() { _ = srv.Serve(ln) }()
	t.Cleanup(func() { _ = srv.Close() })
	return "http://" + ln.Addr().String()
}
