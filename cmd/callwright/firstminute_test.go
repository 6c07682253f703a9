package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// startTime bounds a start that goes wrong.
const startTime = 5 * time.Second

// TestFirstMinute runs the program as it is first run, and wrongly. Each file of testdata/firstminute is a script whose lines are the rows; a new row is a new line, or
// a new file:
//
//	server NAME KIND                       starts a server and sets NAME to its address; see serverKinds
//	config FILE                            expands $NAME in a file of the archive
//	start STATUS PATTERN [NAME=VALUE]... callwright ARGS...
//	serves PATTERN [NAME=VALUE]... callwright ARGS...
//	asks PATTERN PATH BODY [NAME=VALUE]... callwright ARGS...
//	reloads PATTERN FROM TO [NAME=VALUE]... callwright ARGS...
//	running [NAME=VALUE]... callwright ARGS...
//
// start runs the program in an empty home with these variables alone. It has to end within startTime with the exit status, and what it prints has to match the
// pattern and may not show the key "sesame". serves runs one that goes on until it has printed a match, and then has to end when it is interrupted.
// asks runs a gateway and posts the body to a path of it until the answer matches the pattern.
// reloads runs a gateway, copies the file FROM over TO, and waits until its log has a match; then it still has to answer as before. running runs a gateway beside the rows that follow.
func TestFirstMinute(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the rows have the words of POSIX systems, and interrupt processes")
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/firstminute", ContinueOnError: true,
		Cmds: firstMinuteCommands,
	})
}

// firstMinuteCommands are the commands of the rows.
var firstMinuteCommands = map[string]func(*testscript.TestScript, bool, []string){
	"server": startServer, "config": expandConfig, "start": startWrongly, "serves": servesAllTheSame, "asks": asksGateway, "reloads": reloadsWrongly, "running": runsBeside,
}

// expandConfig puts addresses into a file.
func expandConfig(ts *testscript.TestScript, _ bool, args []string) {
	text := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// startWrongly runs a row.
func startWrongly(ts *testscript.TestScript, _ bool, args []string) {
	status, err := strconv.Atoi(args[0])
	ts.Check(err)
	want := regexp.MustCompile(args[1])
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	cmd := firstCommand(ctx, ts, args[2:])
	said, err := cmd.CombinedOutput()
	_, exited := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		ts.Fatalf("still running after %s:\n%s", startTime, said)
	case err != nil && !exited:
		ts.Fatalf("%v", err)
	case cmd.ProcessState.ExitCode() != status:
		ts.Fatalf("exit status %d, want %d:\n%s", cmd.ProcessState.ExitCode(), status, said)
	case !want.Match(said):
		ts.Fatalf("want %q, got:\n%s", args[1], said)
	case strings.Contains(string(said), "sesame"):
		ts.Fatalf("it shows the key:\n%s", said)
	}
}

// firstCommand is a command line, with variables in front, in an empty home.
func firstCommand(ctx context.Context, ts *testscript.TestScript, words []string) *exec.Cmd {
	home := ts.MkAbs("home")
	ts.Check(os.MkdirAll(home, 0o700))
	env := []string{"PATH=" + ts.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, "OLLAMA_HOST=" + ts.Getenv("OLLAMA_HOST")}
	for len(words) > 0 && strings.Contains(words[0], "=") {
		env, words = append(env, words[0]), words[1:]
	}
	program, err := exec.LookPath(words[0])
	ts.Check(err)
	cmd := exec.CommandContext(ctx, program, words[1:]...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = env, ts.MkAbs("."), time.Second
	return cmd
}

// servesAllTheSame runs a row that goes on.
func servesAllTheSame(ts *testscript.TestScript, _ bool, args []string) {
	want := regexp.MustCompile(args[0])
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	cmd := firstCommand(ctx, ts, args[1:])
	out, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	var said strings.Builder
	found := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if !found && want.MatchString(lines.Text()) {
			found = true
			ts.Check(cmd.Process.Signal(os.Interrupt))
		}
	}
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		ts.Fatalf("never ended, want %q:\n%s", args[0], said.String())
	case !found || err != nil:
		ts.Fatalf("want %q, got %v:\n%s", args[0], err, said.String())
	case strings.Contains(said.String(), "sesame"):
		ts.Fatalf("it shows the key:\n%s", said.String())
	}
}

// asksGateway runs a row that asks a gateway.
func asksGateway(ts *testscript.TestScript, _ bool, args []string) {
	want, path, body := regexp.MustCompile(args[0]), args[1], args[2]
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	cmd := firstCommand(ctx, ts, args[3:])
	out, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	lines, said, answer := bufio.NewScanner(out), strings.Builder{}, ""
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		address, ok := strings.CutPrefix(lines.Text(), "callwright listens on ")
		if !ok {
			continue
		}
		for ctx.Err() == nil && !want.MatchString(answer) {
			answer = post(ctx, address+path, body)
		}
		ts.Check(cmd.Process.Signal(os.Interrupt))
	}
	if err := cmd.Wait(); err != nil || !want.MatchString(answer) {
		ts.Fatalf("want %q, got %s, %v:\n%s", args[0], answer, err, said.String())
	}
}

// reloadsWrongly runs a row whose gateway is given another configuration.
func reloadsWrongly(ts *testscript.TestScript, _ bool, args []string) {
	want := regexp.MustCompile(args[0])
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	cmd := firstCommand(ctx, ts, args[3:])
	out, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	lines, said, base, answer := bufio.NewScanner(out), strings.Builder{}, "", ""
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		address, listens := strings.CutPrefix(lines.Text(), "callwright listens on ")
		switch {
		case listens:
			base = address
		case base != "" && strings.Contains(lines.Text(), "pages for a browser"): // it has said all
			ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(ts.ReadFile(args[1])), 0o600))
			ts.Check(cmd.Process.Signal(syscall.SIGHUP))
		case want.MatchString(lines.Text()):
			answer = post(ctx, base+"/v1/chat/completions", `{"model":"fast","messages":[{"role":"user","content":"Hi"}]}`)
			ts.Check(cmd.Process.Signal(os.Interrupt))
		}
	}
	if err := cmd.Wait(); err != nil || !strings.HasPrefix(answer, "200 ") {
		ts.Fatalf("want %q and an answer, got %q, %v:\n%s", args[0], answer, err, said.String())
	}
}

// runsBeside starts a gateway that runs until the script ends.
func runsBeside(ts *testscript.TestScript, _ bool, args []string) {
	cmd := firstCommand(context.Background(), ts, args)
	out, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "callwright listens on ") {
	}
	ts.Check(lines.Err())
	go func() { _, _ = io.Copy(io.Discard, out) }()
}

// post returns the answer to a body, or the error.
func post(ctx context.Context, url, body string) string {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	req.Header.Set("Content-Type", jsonForm)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	text, _ := io.ReadAll(resp.Body)
	return fmt.Sprintf("%d %s", resp.StatusCode, text)
}

// startServer starts a server of a kind.
func startServer(ts *testscript.TestScript, _ bool, args []string) {
	kind, ok := serverKinds[args[1]]
	if !ok {
		ts.Fatalf("unknown kind of server %q", args[1])
	}
	if kind == nil {
		at := closedAddress(ts)
		ts.Setenv(args[0], "http://"+at)
		ts.Setenv(args[0]+"_AT", at)
		return
	}
	srv := httptest.NewServer(kind)
	ts.Setenv(args[0], srv.URL)
	ts.Setenv(args[0]+"_AT", strings.TrimPrefix(srv.URL, "http://"))
	ts.Defer(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
}

// closedAddress returns an address at which nothing listens while the script runs: a connection has its port.
func closedAddress(ts *testscript.TestScript) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}}).Dial("tcp", ln.Addr().String())
	ts.Check(err)
	ts.Defer(func() {
		_ = conn.Close()
		_ = ln.Close()
	})
	return conn.LocalAddr().String()
}

// always answers every request alike.
func always(status int, form, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", form)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// at answers at these paths, and elsewhere as other does.
func at(other http.HandlerFunc, paths map[string]http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if h, ok := paths[r.URL.Path]; ok {
			h(w, r)
			return
		}
		other(w, r)
	}
}

const (
	jsonForm  = "application/json"
	modelList = `{"object":"list","data":[{"id":"qwen3-coder","owned_by":"lab"},{"id":"llama-3.3-70b-versatile","owned_by":"lab"},{"id":"tiny","owned_by":"lab"}]}`
)

var (
	notFound     = always(http.StatusNotFound, "text/plain", "404 page not found")
	notFoundJSON = always(http.StatusNotFound, jsonForm, `{"detail":"Not Found"}`)
	lists        = always(http.StatusOK, jsonForm, modelList)
	answers      = always(http.StatusOK, jsonForm, `{"id":"c1","object":"chat.completion","created":1,"model":"tiny","choices":[{"index":0,"message":{"role":"assistant","content":"Hello there"},"finish_reason":"stop"}]}`)
)

// serverKinds are the servers that rows may start.
var serverKinds = map[string]http.HandlerFunc{
	"closed": nil,
	"openai": at(notFoundJSON, map[string]http.HandlerFunc{"/v1/models": lists, "/v1/chat/completions": answers}),
	"plain":  at(notFound, map[string]http.HandlerFunc{"/v1/models": lists}),
	"ollama": at(notFound, map[string]http.HandlerFunc{"/api/tags": always(http.StatusOK, jsonForm, `{"models":[{"name":"qwen3:latest"},{"name":"llama3.2:3b"}]}`)}),
	"unlisted": at(notFoundJSON, map[string]http.HandlerFunc{
		"/v1/chat/completions": always(http.StatusBadRequest, jsonForm, `{"error":{"message":"expected messages"}}`),
	}),
	"llama-server": at(notFound, map[string]http.HandlerFunc{"/v1/models": always(http.StatusOK, jsonForm, `{"data":[{"id":"own.gguf","owned_by":"llamacpp"}]}`)}),
	"refuses":      always(http.StatusUnauthorized, jsonForm, `{"error":{"message":"Incorrect API key provided: sesame","type":"invalid_request_error","code":"invalid_api_key"}}`),
	"forbids":      always(http.StatusForbidden, jsonForm, `{"error":{"message":"Missing scopes: api.model.read"}}`),
	"limits":       always(http.StatusTooManyRequests, jsonForm, `{"error":{"message":"slow down"}}`),
	"fails":        always(http.StatusInternalServerError, jsonForm, `{"error":{"message":"out of memory"}}`),
	"page":         always(http.StatusOK, "text/html", "<!doctype html><title>Welcome</title>"),
	"missing":      notFound,
	"missing-json": notFoundJSON,
	"text":         always(http.StatusOK, "text/plain", "hello"),
	"empty":        always(http.StatusOK, jsonForm, `{"data":[]}`),
	"moved":        func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
	"callwright":   always(http.StatusOK, "text/plain", "callwright is running\n"),
	"struggles":    at(always(http.StatusInternalServerError, jsonForm, `{"error":{"message":"starting"}}`), map[string]http.HandlerFunc{"/v1/chat/completions": answers}),
	"breaks":       at(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, map[string]http.HandlerFunc{"/v1/chat/completions": answers}),
	"silent":       func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
}

// Every file of the table has rows.
func TestFirstMinuteRows(t *testing.T) {
	files, err := filepath.Glob("testdata/firstminute/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(fmt.Errorf("no rows: %w", err))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), "\nstart ") {
			t.Errorf("%s has no row: %v", file, err)
		}
	}
}
