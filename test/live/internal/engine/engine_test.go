package engine_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/prerequisite"
	"github.com/callwright/callwright/test/live/internal/engine"
)

// Stop ends the processes that a server started, too.
func TestStop(t *testing.T) {
	prerequisite.Program(t, "python3")
	dir := t.TempDir()
	program := filepath.Join(dir, "server")
	// The child serves, and does not end when it is told to.
	script := "#!/bin/sh\nport=8080\nwhile [ $# -gt 0 ]; do [ \"$1\" = --port ] && port=$2; shift; done\npython3 " + filepath.Join(dir, "serve.py") + " $port &\nwait\n"
	serve := `import http.server, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
class Props(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"build_info": "b1"}')
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Props).serve_forever()
`
	for name, text := range map[string]string{program: script, filepath.Join(dir, "serve.py"): serve} {
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s, err := engine.StartLlama(t.Context(), program, "x.gguf", "x", dir)
	if err != nil {
		t.Fatal(err)
	}
	if s.Version != "llama-server b1" {
		t.Errorf("the version is %q", s.Version)
	}
	s.Stop()
	if resp, err := http.Get(s.URL + "/props"); err == nil {
		resp.Body.Close()
		t.Error("a process of the server goes on")
	}
}

// A server that ends before it answers is an error with its log.
func TestStartEnded(t *testing.T) {
	dir := t.TempDir()
	for name, start := range map[string]func() (*engine.Server, error){
		"llama-server": func() (*engine.Server, error) { return engine.StartLlama(t.Context(), "false", "x.gguf", "x", dir) },
		"ollama":       func() (*engine.Server, error) { return engine.StartOllama(t.Context(), "false", "x.gguf", "x", dir) },
		"no program": func() (*engine.Server, error) {
			return engine.StartLlama(t.Context(), "/nowhere/llama-server", "x.gguf", "x", dir)
		},
	} {
		s, err := start()
		if err == nil {
			s.Stop()
			t.Errorf("%s: started", name)
		} else if name != "no program" && !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: the error names no log: %v", name, err)
		}
	}
}
