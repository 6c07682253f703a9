package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// mcpServer is a server of tools over HTTP with this list.
func mcpServer(t *testing.T, tools string) string {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			ID     json.RawMessage
			Method string
		}
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&in) != nil {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		result, ok := map[string]string{
			"initialize": `{"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "shed", "version": "1"}}`,
			"tools/list": `{"tools": ` + tools + `}`,
			"tools/call": `{"content": [{"type": "text", "text": "3 degrees"}]}`,
		}[in.Method]
		if !ok { // a notice
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc": "2.0", "id": %s, "result": %s}`, in.ID, result)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// The tools of a server are offered, those that cannot be are named, and a server that is not there is an error that names it.
func TestRunServer(t *testing.T) {
	do := func(server string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		std := streams{in: strings.NewReader(""), out: &stdout, err: &stderr}
		status := run(t.Context(), []string{"run", "--model", "sim/native", "--state", t.TempDir(), "--mcp", server, "What is the weather in Oslo?"}, std, noEnv)
		return status, stdout.String(), stderr.String()
	}
	status, out, said := do(mcpServer(t, `[{"name": "get_weather", "inputSchema": {"type": "object"}}, {"name": "saw", "inputSchema": 7}]`))
	if status != exitDone || !strings.Contains(out, "3 degrees") {
		t.Errorf("status %d, got %s", status, out)
	}
	if lines := strings.Split(said, "\n"); lines[0] != `the MCP server shed: the tool "saw" is left out: expected a schema of an object, got 7` || !strings.HasPrefix(lines[1], "* shed:get_weather ") {
		t.Errorf("said %q", lines)
	}
	const gone = "http://127.0.0.1:1/mcp"
	if status, _, said := do(gone); status != exitFailed || !strings.HasPrefix(said, `callwright: mcptool.open: the MCP server "`+gone+`": `) {
		t.Errorf("status %d, said %s", status, said)
	}
}
