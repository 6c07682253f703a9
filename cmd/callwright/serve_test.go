package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// A served is a gateway that runs in this process.
type served struct {
	t     *testing.T
	lines *bufio.Scanner // of standard error
	said  string
	url   string
	stop  context.CancelFunc
	exit  chan int

	config string // its file, where it has one
}

// serve runs the gateway with a configuration and waits until it listens.
func serve(t *testing.T, conf string, env map[string]string, flags ...string) *served {
	t.Helper()
	file := ""
	if conf != "" {
		file = filepath.Join(t.TempDir(), "conf.yaml")
		if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
			t.Fatal(err)
		}
		flags = append(flags, "--config", file)
	}
	s := background(t, "serve", "callwright listens on ", flags, env)
	s.config = file
	return s
}

// background runs a command that serves at an address until it is stopped, and waits until it says where.
func background(t *testing.T, command, listens string, args []string, env map[string]string) *served {
	t.Helper()
	if !slices.Contains(args, "--listen=") {
		args = append([]string{"--listen", "127.0.0.1:0"}, args...)
	}
	args = append([]string{command}, args...)
	ctx, stop := context.WithCancel(t.Context())
	out, in, err := os.Pipe() // what nobody reads yet must not hold the gateway
	if err != nil {
		t.Fatal(err)
	}
	s := &served{t: t, lines: bufio.NewScanner(out), stop: stop, exit: make(chan int, 1)}
	look := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	go func() {
		code := run(ctx, args, streams{in: strings.NewReader(""), out: io.Discard, err: in}, look)
		_ = in.Close()
		s.exit <- code
	}()
	t.Cleanup(func() {
		stop()
		_ = out.Close()
	})
	s.url = strings.TrimPrefix(s.until(listens), listens)
	return s
}

// until reads what the gateway says up to a line with this text, and gives that.
func (s *served) until(text string) string {
	s.t.Helper()
	for s.lines.Scan() {
		s.said += s.lines.Text() + "\n"
		if strings.Contains(s.lines.Text(), text) {
			return s.lines.Text()
		}
	}
	s.t.Fatalf("never said %q, but:\n%s", text, s.said)
	return ""
}

// rest reads what is said up to the end and gives the exit status.
func (s *served) rest() int {
	for s.lines.Scan() {
		s.said += s.lines.Text() + "\n"
	}
	return <-s.exit
}

// ask asks for the weather.
func (s *served) ask(model, key string) (status int, body string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/v1/chat/completions", strings.NewReader(
		`{"model":"`+model+`","messages":[{"role":"user","content":"What is the weather in Oslo?"}],"tools":[{"type":"function","function":`+
			`{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}]}`))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func TestServe(t *testing.T) {
	s := serve(t, `
keys: [env:GATE]
agent: {mcp: {files: {command: files, env: {TOKEN: "env:NOT_SET"}}}}
providers: {sim: {}, groq: {}}
models: {fast: {model: sim/hermes-unclosed}, "groq/*": {policy: observe}}
`, map[string]string{"GATE": "sesame"})
	if status, body := s.ask("fast", "sesame"); status != http.StatusOK || !strings.Contains(body, `"get_weather"`) || !strings.Contains(body, "Oslo") {
		t.Errorf("got %d %s", status, body)
	}
	for key, want := range map[string]int{"": http.StatusUnauthorized, "wrong": http.StatusUnauthorized} {
		if status, body := s.ask("fast", key); status != want {
			t.Errorf("key %q: got %d %s", key, status, body)
		}
	}
	for model, want := range map[string]int{"nobody": http.StatusNotFound, "groq/x": http.StatusUnauthorized} {
		if status, body := s.ask(model, "sesame"); status != want || !strings.Contains(body, `"error"`) {
			t.Errorf("%s: got %d %s, want %d", model, status, body, want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	s.stop()
	if code := s.rest(); code != exitDone {
		t.Errorf("exit status %d", code)
	}
	for _, want := range []string{
		"  base URL for OpenAI clients     " + s.url + "/v1\n", "  provider  sim\n", "  provider  groq\n", `problem="providers.groq.api_key: GROQ_API_KEY is not set: export GROQ_API_KEY=... with a key of groq"`,
		"  model     fast -> sim/hermes-unclosed\n", "  model     groq/*\n", "warning: ", "finishes running requests",
	} {
		if !strings.Contains(s.said, want) {
			t.Errorf("it does not say %q, but:\n%s", want, s.said)
		}
	}
	if strings.Contains(s.said, "sesame") {
		t.Error("it says the key")
	}
}

// A start says once of each provider what is wrong with it, whatever the form of the log, and also of one that is asked nothing.
func TestServeToldOnce(t *testing.T) {
	for _, form := range []string{"text", "json"} {
		for _, discover := range []string{"off", "auto"} {
			s := serve(t, "discover: "+discover+"\nproviders: {sim: {}, groq: {}, lab: {base_url: \"http://127.0.0.1:1/v1\", api_key: env:LAB_KEY}}\nmodels: {fast: {model: sim/native}}\n",
				map[string]string{"LAB_KEY": " "}, "--log-format", form)
			s.until("LAB_KEY is empty")
			s.stop()
			if code := s.rest(); code != exitDone {
				t.Errorf("exit status %d", code)
			}
			for _, want := range []string{"GROQ_API_KEY is not set", "LAB_KEY is empty"} {
				if n := strings.Count(s.said, want); n != 1 {
					t.Errorf("discover %s, %s: %q is said %d times:\n%s", discover, form, want, n, s.said)
				}
			}
		}
	}
}

// A gateway answers while the check of its start waits for a provider.
func TestServeBesideCheck(t *testing.T) {
	answered := make(chan struct{})
	provider := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-answered:
		case <-r.Context().Done():
			t.Error("the check ended before the gateway answered")
		}
	}))
	defer provider.Close()
	s := serve(t, "providers: {sim: {}, slow: {base_url: \""+provider.URL+"/v1\"}}\n", nil)
	if status, body := s.ask("sim/native", ""); status != http.StatusOK {
		t.Errorf("got %d %s", status, body)
	}
	close(answered)
	http.DefaultClient.CloseIdleConnections()
	s.stop()
	if code := s.rest(); code != exitDone {
		t.Errorf("exit status %d", code)
	}
}

func TestServeWithoutConfiguration(t *testing.T) {
	s := serve(t, "", nil)
	s.until("only simulated models are available")
	if status, body := s.ask("sim/native", ""); status != http.StatusOK {
		t.Errorf("got %d %s", status, body)
	}
	http.DefaultClient.CloseIdleConnections()
	s.stop()
	if code := s.rest(); code != exitDone {
		t.Errorf("exit status %d", code)
	}
}

// TestServeEndsAtOnce: a request that never ends holds the gateway until it is told a second time.
func TestServeEndsAtOnce(t *testing.T) {
	arrived := make(chan struct{})
	hung := newHung(arrived)
	defer hung.Close()
	s := serve(t, `providers: {lab: {base_url: "`+hung.URL+`/v1"}}`, nil)
	failed := make(chan error, 1)
	go func() {
		resp, err := http.Post(s.url+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"lab/x","messages":[{"role":"user","content":"hi"}]}`))
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		failed <- err
	}()
	<-arrived
	s.stop()
	s.until("finishes running requests")
	if err := signalTo(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := s.rest(); code != exitFailed || !strings.Contains(s.said, errAborted.Error()) {
		t.Errorf("exit status %d, said:\n%s", code, s.said)
	}
	if err := <-failed; err == nil {
		t.Error("the client was not cut off")
	}
}

// newHung returns a provider that never answers a request for a model. It tells once that a request has arrived.
func newHung(arrived chan<- struct{}) *httptest.Server {
	var once sync.Once
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet { // the list of models, which a gateway asks for as it starts
			http.NotFound(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		once.Do(func() { close(arrived) })
		<-r.Context().Done()
	}))
}

// TestServeListen: the address of the configuration counts where the command line has none.
func TestServeListen(t *testing.T) {
	address := freeAddress(t)
	s := serve(t, "providers: {sim: {}}\nlisten: "+address+"\n", nil, "--listen=")
	if s.url != "http://"+address {
		t.Errorf("got %s, expected %s", s.url, address)
	}
	if resp, err := http.Get("http://" + address + "/healthz"); err != nil {
		t.Error(err)
	} else if _ = resp.Body.Close(); resp.StatusCode != http.StatusOK {
		t.Error(resp.Status)
	}
}
