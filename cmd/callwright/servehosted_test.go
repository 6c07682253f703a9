package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A tool of an MCP server runs in place of a search that a provider would run, and a wrong name is an error at the start.
func TestServeHostedTools(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		message, finish := `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"web_search","arguments":"{\"text\":\"the answer\"}"}}]}`, "tool_calls"
		if strings.Contains(string(raw), `"role":"tool"`) {
			message, finish = `{"role":"assistant","content":"It is there."}`, "stop"
		}
		fmt.Fprintf(w, `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":%s,"finish_reason":"%s"}]}`, message, finish)
	}))
	defer upstream.Close()
	conf := fmt.Sprintf("providers: {lab: {base_url: %s/v1}}\nagent: {mcp: {own: {command: [callwright, mcp]}}}\nhosted_tools: {web_search: own/", upstream.URL)
	s := serve(t, conf+"parse}\n", nil)
	resp, err := http.Post(s.url+"/v1/messages", "application/json", strings.NewReader(
		`{"model":"lab/m","max_tokens":9,"messages":[{"role":"user","content":"Where?"}],"tools":[{"type":"web_search_20250305","name":"web_search"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 || !strings.Contains(string(got), "web_search_tool_result\"") || !strings.Contains(string(got), "It is there.") {
		t.Errorf("%v, %d %s", err, resp.StatusCode, got)
	}
	ruled := serve(t, conf+"parse}\ncall_rules: [{name: inside, tools: [web_search], when: 'args.text.contains(\"answer\")'}]\n", nil)
	refused := ruled.post("/v1/messages", `{"model":"lab/m","max_tokens":9,"messages":[{"role":"user","content":"Where?"}],"tools":[{"type":"web_search_20250305","name":"web_search"}]}`, nil)
	if strings.Contains(refused, "web_search_tool_result\"") || strings.Contains(refused, "the answer") || !strings.Contains(refused, "200 OK") || !strings.Contains(refused, "It is there.") {
		t.Errorf("with a call rule: %s", refused)
	}
	file := filepath.Join(t.TempDir(), "conf.yaml")
	if err := os.WriteFile(file, []byte(conf+"no-such-tool}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	none := func(string) (string, bool) { return "", false }
	if code := run(t.Context(), []string{"serve", "--listen", "127.0.0.1:0", "--config", file}, streams{in: strings.NewReader(""), out: io.Discard, err: &said}, none); code != 1 || !strings.Contains(said.String(), "no-such-tool") || !strings.Contains(said.String(), "parse") {
		t.Errorf("exit %d: %s", code, said.String())
	}
}
