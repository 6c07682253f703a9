package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/freeport"
	"github.com/callwright/callwright/internal/testcert"
)

// fakeAgent stands for a coding agent. It does what each of its words says; those it does not know are settings of the agent that it plays.
func fakeAgent() {
	for i, word := range os.Args[1:] {
		next := ""
		if i+2 < len(os.Args) {
			next = os.Args[i+2]
		}
		switch word {
		case "say-env":
			fmt.Printf("%s=%s\n", next, os.Getenv(next))
		case "say-file": // that a variable names
			text, err := os.ReadFile(os.Getenv(next))
			fmt.Printf("%s%v\n", text, err)
		case "say-input":
			text, err := io.ReadAll(os.Stdin)
			fmt.Printf("input %s%v\n", text, err)
		case "ask":
			fmt.Println(askGateway(next))
		case "ask-again": // until there is an answer
			answer := ""
			for !strings.HasPrefix(answer, "200 ") {
				answer = askGateway(next)
			}
			fmt.Println("again", answer)
		case "ask-as": // by another name than that of the address
			fmt.Println("as", next, askAs(next))
		case "signal-parent":
			fmt.Println(signalParent())
		case "kill-parent":
			_ = signalTo(os.Getppid(), os.Kill)
		case "die":
			_ = signalTo(os.Getpid(), os.Kill)
			select {}
		case "fail":
			os.Exit(7)
		}
	}
}

// signalParent sends the parent a signal and returns the one that this process then gets.
func signalParent() os.Signal {
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGTERM)
	_ = signalTo(os.Getppid(), syscall.SIGTERM)
	return <-got
}

// signalTo sends a process a signal, where the system has such.
func signalTo(pid int, s os.Signal) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Signal(s)
}

// askGateway asks the model of Claude Code and returns what it says.
func askGateway(text string) string {
	req, err := http.NewRequest(http.MethodPost, os.Getenv("ANTHROPIC_BASE_URL")+"/v1/messages", strings.NewReader(
		`{"model":"`+os.Getenv("ANTHROPIC_MODEL")+`","max_tokens":99,"messages":[{"role":"user","content":"`+text+`"}]}`))
	if err != nil {
		return err.Error()
	}
	req.Header.Set("Authorization", "Bearer "+os.Getenv("ANTHROPIC_AUTH_TOKEN"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return fmt.Sprint(resp.StatusCode, " ", string(body), err)
}

// askAs asks for the models by a name, as a page does that has it mean this machine, and returns the status.
func askAs(host string) int {
	req, err := http.NewRequest(http.MethodGet, os.Getenv("ANTHROPIC_BASE_URL")+"/v1/models", nil)
	if err != nil {
		return 0
	}
	req.Host = host
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// A launched command is what became of it.
type launched struct {
	status    int
	out, errs string
}

// launchAgent runs the command in this process, with these variables and a state of its own.
func launchAgent(t *testing.T, env map[string]string, args ...string) launched {
	t.Helper()
	var out, errs bytes.Buffer
	look := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	args = append([]string{"launch", "--verbose", "--state", t.TempDir(), "--listen", "127.0.0.1:0"}, args...)
	status := run(t.Context(), args, streams{in: strings.NewReader("typed"), out: &out, err: &errs}, look)
	return launched{status, out.String(), errs.String()}
}

// writeConfig writes a configuration and returns its path.
func writeConfig(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "conf.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// check checks the exit status and that standard output, or standard error, has a text.
func (l launched) check(t *testing.T, status int, out, errs string) {
	t.Helper()
	if l.status != status || !strings.Contains(l.out, out) || !strings.Contains(l.errs, errs) {
		t.Errorf("exit status %d\n%s\n%s\nwant %d, %q, %q", l.status, l.out, l.errs, status, out, errs)
	}
}

// A gateway that runs is used, with its key: that of the variable, else of the configuration.
func TestLaunchAtRunningGateway(t *testing.T) {
	s := serve(t, "keys: [sesame, other]\nproviders: {sim: {}}\nmodels: {fast: {model: sim/native}}\n", nil)
	at := strings.TrimPrefix(s.url, "http://")
	file := writeConfig(t, "keys: [sesame]\nproviders: {sim: {}}\nmodels: {fast: {model: sim/native}}\n")
	const answered = `200 {"`
	for key, want := range map[string]string{"": "ANTHROPIC_AUTH_TOKEN=sesame", "other": "ANTHROPIC_AUTH_TOKEN=other"} {
		env := map[string]string{}
		if key != "" {
			env["CALLWRIGHT_KEY"] = key
		}
		l := launchAgent(t, env, "claude", "--listen", at, "--config", file, "--", "ask", "Hello", "say-env", "ANTHROPIC_AUTH_TOKEN")
		l.check(t, exitDone, answered, "already runs")
		l.check(t, exitDone, want, "ANTHROPIC_AUTH_TOKEN=********")
		if strings.Contains(l.errs, "sesame") || strings.Contains(l.errs, "other") {
			t.Errorf("it says the key: %s", l.errs)
		}
	}
	launchAgent(t, map[string]string{"CALLWRIGHT_KEY": "wrong"}, "claude", "--listen", at, "--config", file, "--", "ask", "Hello").
		check(t, exitMisused, "", "rejects the key")
	launchAgent(t, nil, "claude", "--listen", at, "--config", file, "--model", "nobody").check(t, exitMisused, "", " (there are fast)\n")
	launchAgent(t, nil, "claude", "--listen", at, "--config", file, "--model", "fsat").check(t, exitMisused, "", "did you mean fast? (there are fast)\n")
	other := writeConfig(t, "keys: [sesame]\nproviders: {sim: {}}\nmodels: {quick: {model: sim/native}}\n")
	launchAgent(t, nil, "claude", "--listen", at, "--config", other, "--model", "quick").check(t, exitMisused, "",
		"the configuration has it, but the gateway at http://"+at+" uses another configuration: ")
	if status, body := s.ask("fast", "sesame"); status != http.StatusOK {
		t.Errorf("after the agents the gateway says %d %s", status, body)
	}
}

// A gateway that speaks TLS alone is reached by a port of loopback, from which it is trusted by the certificate of the configuration and no other.
func TestLaunchTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := testcert.Write(t, dir, "gate.example", time.Now())
	conf := "server: {tls: {cert: " + cert + ", key: " + key + "}}\nproviders: {sim: {}}\nmodels: {fast: {model: sim/native}}\n"
	file := writeConfig(t, conf)
	const by = "ANTHROPIC_BASE_URL=http://127.0.0.1:"
	launchAgent(t, nil, "claude", "--config", file, "--", "ask", "Hello", "say-env", "ANTHROPIC_BASE_URL").check(t, exitDone, `200 {"`, "starts and ends with the agent")
	s := serve(t, conf, nil)
	at := strings.TrimPrefix(s.url, "https://")
	l := launchAgent(t, nil, "claude", "--config", file, "--listen", at, "--", "ask", "Hello", "say-env", "ANTHROPIC_BASE_URL", "ask-as", "rebound.example", "ask-as", "localhost")
	l.check(t, exitDone, "as rebound.example 403\nas localhost 200\n", "already runs")
	l.check(t, exitDone, `200 {"`, "gateway  "+s.url+", already runs")
	l.check(t, exitDone, by, by)
	if strings.Contains(l.out, at) {
		t.Errorf("the agent asks the gateway itself: %s", l.out)
	}
	other, _ := testcert.Write(t, t.TempDir(), "gate.example", time.Now())
	file = writeConfig(t, strings.Replace(conf, cert, other, 1))
	launchAgent(t, nil, "claude", "--config", file, "--listen", at, "--", "ask", "Hello").check(t, exitMisused, "", "is in use by ")
}

// Another program at the address is not taken for a gateway.
func TestLaunchBesideAnotherProgram(t *testing.T) {
	other := background(t, "simulate", "callwright simulates models on ", nil, nil)
	l := launchAgent(t, nil, "claude", "--model", "sim/native", "--listen", strings.TrimPrefix(other.url, "http://"))
	l.check(t, exitMisused, "", "is in use by ")
	l.check(t, exitMisused, "", ": stop it, or use another port: --listen 127.0.0.1:")
}

// A heard text is what a process has said up to now.
type heard struct {
	mu   sync.Mutex
	text strings.Builder
	more chan struct{}
}

func newHeard() *heard { return &heard{more: make(chan struct{}, 1)} }

func (h *heard) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case h.more <- struct{}{}:
	default:
	}
	return h.text.Write(b)
}

// until waits for a text.
func (h *heard) until(t *testing.T, text string) {
	t.Helper()
	for {
		h.mu.Lock()
		said := h.text.String()
		h.mu.Unlock()
		if strings.Contains(said, text) {
			return
		}
		select {
		case <-h.more:
		case <-t.Context().Done():
			t.Fatalf("never said %q, but\n%s", text, said)
		}
	}
}

// Starts at one address share a gateway. When the agent ends that it was started for, it goes on at another's.
func TestLaunchesShareGateway(t *testing.T) {
	state, address := t.TempDir(), freeAddress(t)
	file := writeConfig(t, "providers: {sim: {}}\nstate: {dir: "+t.TempDir()+"}\n") // which one gateway at a time can have
	begin := func(words ...string) (said *heard, in *io.PipeWriter, status chan int) {
		r, in := io.Pipe()
		said, status = newHeard(), make(chan int, 1)
		args := append([]string{"launch", "--verbose", "--config", file, "--state", state, "--listen", address, "--model", "sim/native", "claude", "--"}, words...)
		go func() { status <- run(t.Context(), args, streams{in: r, out: said, err: said}, noEnv) }()
		return said, in, status
	}
	first, firstIn, firstStatus := begin("ask", "Hello", "say-input")
	first.until(t, "200 {")
	second, secondIn, secondStatus := begin("ask", "Hello", "say-input", "ask-again", "Hello")
	second.until(t, "200 {")
	_ = firstIn.Close()
	if status := <-firstStatus; status != exitDone {
		t.Errorf("the first ended with %d", status)
	}
	_ = secondIn.Close()
	if status := <-secondStatus; status != exitDone {
		t.Errorf("the second ended with %d", status)
	}
	first.until(t, "starts and ends with the agent")
	second.until(t, "already runs")
	second.until(t, "again 200 {")
	if _, err := http.Get("http://" + address + "/healthz"); err == nil {
		t.Error("the gateway runs on without an agent")
	}
	if left, err := os.ReadDir(filepath.Join(state, "launch")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// freeAddress is one at which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	ports, err := freeport.Find(1)
	if err != nil {
		t.Fatal(err)
	}
	return freeport.Address(ports[0])
}

// What cannot be started is misuse, which says a way out.
func TestLaunchMisused(t *testing.T) {
	for line, want := range map[string]string{
		"clade":                               `unknown agent "clade": did you mean claude?`,
		"claude":                              "no model is named: name one with --model; there are only simulated models, such as sim/native",
		"claude --model nobody/x":             `--model nobody/x: unknown provider "nobody"`,
		"claude --model tiny=sim/native":      `unknown role "tiny": expected main, small or planner`,
		"codex --model small=sim/native":      "Codex has no role small: its roles are main",
		"claude Fix":                          "expected one agent, also got Fix: write arguments for the agent after --",
		"--model sim/native":                  "expected the name of an agent: callwright launch lists the agents",
		"-- claude":                           "expected the name of an agent: callwright launch lists the agents",
		"claude --model sim/native --json":    "--json needs --dry-run",
		"claude --listen 0.0.0.0:1":           "expected keys",
		"claude --config none.yaml --dry-run": "none.yaml",
	} {
		launchAgent(t, nil, strings.Fields(line)...).check(t, exitMisused, "", want)
	}
	t.Setenv("PATH", t.TempDir())
	launchAgent(t, nil, "claude", "--model", "sim/native", "--listen", "127.0.0.1:0").
		check(t, exitMisused, "", "Claude Code is not installed: install it with npm install -g @anthropic-ai/claude-code")
	launchAgent(t, nil, "claude", "--model", "sim/native", "--dry-run").check(t, exitDone, "agent    Claude Code, not installed: install it with npm install -g", "")
}

func TestLaunchList(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	launchAgent(t, nil).check(t, exitDone, "copilot   GitHub Copilot CLI  not installed  npm install -g @github/copilot\n", "")
	launchAgent(t, nil, "--json").check(t, exitDone, `{"agents":[{"name":"claude","title":"Claude Code","installed":false,"install":"npm install -g @anthropic-ai/claude-code"},`, "")
}
