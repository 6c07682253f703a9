package provider_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
)

// freePort returns a port of this machine at which nothing listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// isTaken reports whether something listens at a port of this machine.
func isTaken(port string) bool {
	l, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err == nil {
		l.Close()
	}
	return err != nil
}

// failureAt asks a provider and returns the error, whole and streamed alike.
func failureAt(t *testing.T, cfg provider.Config) *callwright.Error {
	t.Helper()
	cfg.Discovery = provider.DiscoverOff
	p, err := provider.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	_, err = p.Model("m").Generate(t.Context(), ask())
	e := errorOf(t, err)
	if g := gather(t.Context(), p.Model("m")); g.err == nil || g.err.Error() != e.Error() {
		t.Errorf("whole: %v\nstreamed: %v", e, g.err)
	}
	return e
}

// TestNothingListens: a refused connection names the provider, the address where it is a usual one, and how a known engine of this machine is
// started. No other address is named: a client is told of it too.
func TestNothingListens(t *testing.T) {
	for name, c := range map[string]struct{ provider, host, port, path, want string }{
		"no engine":              {"lab", "127.0.0.1", "0", "/v1", "lab/m: provider lab: nothing listens at its address: start the server, or correct the address"},
		"no engine, by name":     {"lab", "localhost", "0", "/v1", "lab/m: provider lab: nothing listens at its address: start the server, or correct the address"},
		"Ollama":                 {"lab", "127.0.0.1", "11434", "/v1", "lab/m: provider lab: nothing listens at http://127.0.0.1:11434 (Ollama): start it with `ollama serve`"},
		"Ollama of the table":    {"ollama", "", "11434", "", "ollama/m: provider ollama: nothing listens at http://127.0.0.1:11434 (Ollama): start it with `ollama serve`"},
		"Ollama at another port": {"ollama", "127.0.0.1", "0", "", "ollama/m: provider ollama: nothing listens at its address (Ollama): start it with `ollama serve`, or correct the address"},
		"llama-server":           {"lab", "localhost", "8080", "/v1", "lab/m: provider lab: nothing listens at http://localhost:8080 (llama-server): start it with `llama-server --jinja -m MODEL.gguf`"},
		"vLLM":                   {"lab", "127.0.0.1", "8000", "/v1", "lab/m: provider lab: nothing listens at http://127.0.0.1:8000 (vLLM): start it with `vllm serve MODEL`"},
		"vLLM at another's port": {"vllm", "127.0.0.1", "8080", "/v1", "vllm/m: provider vllm: nothing listens at its address (vLLM): start it with `vllm serve MODEL`, or correct the address"},
		"LM Studio":              {"lab", "127.0.0.1", "1234", "/v1", "lab/m: provider lab: nothing listens at http://127.0.0.1:1234 (LM Studio): start it with `lms server start`"},
		"a public provider":      {"groq", "", "443", "", "groq/m: provider groq: nothing listens at https://api.groq.com: is it reachable from here?"},
		"another machine":        {"lab", "10.7.7.7", "8000", "/v1", "lab/m: provider lab: nothing listens at its address: start the server, or correct the address"},
		"SGLang":                 {"lab", "127.0.0.1", "30000", "/v1", "lab/m: provider lab: nothing listens at http://127.0.0.1:30000 (SGLang): start it with `python -m sglang.launch_server --model-path MODEL`"},
	} {
		t.Run(name, func(t *testing.T) {
			port := c.port
			if port == "0" {
				port = freePort(t)
			}
			cfg := provider.Config{Name: c.provider, MaxRetries: new(int), APIKey: provider.NewSecret(testKey)}
			if c.host == "10.7.7.7" || c.provider == "groq" || isTaken(port) { // such as by the engine itself: a connection that is refused all the same
				cfg.Transport = failing{&net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}}
			}
			if c.host != "" {
				cfg.BaseURL = "http://" + c.host + ":" + port + c.path
			}
			e := failureAt(t, cfg)
			if e.Error() != c.want || e.Kind != callwright.KindUnavailable {
				t.Errorf("got %s %v\nexpected %s", e.Kind, e, c.want)
			}
		})
	}
}

// TestTimeoutWords: a timeout names the provider, the bound and the try.
func TestTimeoutWords(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	silent := "http://" + l.Addr().String() + "/v1" // the system accepts, and nobody answers
	defer l.Close()
	begun := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})}
	b, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = begun.Serve(b) }()
	defer begun.Close()
	one := 1
	for name, c := range map[string]struct {
		cfg  provider.Config
		want string
	}{
		"first byte":    {provider.Config{BaseURL: silent, MaxRetries: new(int), Timeouts: provider.Timeouts{FirstByte: 20 * time.Millisecond}}, "lab/m: provider lab did not answer in time, try 1 of 1: no data within 20ms (first byte)"},
		"the last try":  {provider.Config{BaseURL: silent, MaxRetries: &one, Timeouts: provider.Timeouts{FirstByte: 20 * time.Millisecond}}, "lab/m: provider lab did not answer in time, try 2 of 2: no data within 20ms (first byte)"},
		"between bytes": {provider.Config{BaseURL: "http://" + b.Addr().String() + "/v1", MaxRetries: new(int), Timeouts: provider.Timeouts{BetweenBytes: 20 * time.Millisecond}}, "lab/m: provider lab did not answer in time, try 1 of 1: no data within 20ms (between bytes)"},
		"connect": {provider.Config{BaseURL: "http://lab.test/v1", MaxRetries: new(int), Timeouts: provider.Timeouts{Connect: 3 * time.Second},
			Transport: failing{&net.OpError{Op: "dial", Err: timeout{}}}}, "lab/m: provider lab did not answer in time, try 1 of 1: no connection within 3s (connect)"},
	} {
		t.Run(name, func(t *testing.T) {
			c.cfg.Name = "lab"
			if e := failureAt(t, c.cfg); e.Error() != c.want || e.Kind != callwright.KindTimeout {
				t.Errorf("got %s %v\nexpected %s", e.Kind, e, c.want)
			}
		})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	p, err := provider.New(provider.Config{Name: "lab", BaseURL: silent, Discovery: provider.DiscoverOff})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	_, err = p.Model("m").Generate(ctx, ask())
	if want := "lab/m: provider lab did not answer in time, try 1 of 3: the request's own deadline passed"; err == nil || err.Error() != want {
		t.Errorf("got %v\nexpected %s", err, want)
	}
}

// TestBreakerWords: an open breaker names how the last try failed and the seconds left, but no words of a provider's: they may be about the request of
// another client.
func TestBreakerWords(t *testing.T) {
	port := freePort(t)
	for name, c := range map[string]struct {
		cfg  provider.Config
		last string
	}{
		"refused":  {provider.Config{BaseURL: "http://127.0.0.1:" + port + "/v1"}, "provider lab: nothing listens at its address: start the server, or correct the address"},
		"a status": {provider.Config{BaseURL: "http://lab.test/v1", Transport: &script{replies: []reply{{status: 500, body: `{"error":{"message":"the words of another"}}`}}}}, "500 provider_error"},
		"reset":    {provider.Config{BaseURL: "http://lab.test/v1", Transport: failing{errors.New("connection reset")}}, "provider lab did not answer: connection reset"},
	} {
		t.Run(name, func(t *testing.T) {
			c.cfg.Name, c.cfg.MaxRetries, c.cfg.Discovery = "lab", new(int), provider.DiscoverOff
			p, err := provider.New(c.cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			for range 20 {
				_, _ = p.Model("m").Generate(t.Context(), ask())
			}
			_, err = p.Model("m").Generate(t.Context(), ask())
			want := "lab/m: the circuit breaker is open: at least half of the last tries failed, the last one with " + c.last + "; 30 s left"
			if e := errorOf(t, err); e.Error() != want || e.Kind != callwright.KindUnavailable || e.RetryAfter <= 0 || e.RetryAfter > 30*time.Second {
				t.Errorf("got %v, %s\nexpected %s", e, e.RetryAfter, want)
			}
		})
	}
}
