package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/mcptool"
)

// TestMCP starts the command as a client does, and calls its tools.
func TestMCP(t *testing.T) {
	bin, err := exec.LookPath("callwright")
	if err != nil {
		t.Fatal(err)
	}
	s, err := mcptool.Open(t.Context(), mcptool.Config{Command: []string{bin, "mcp"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tools, err := s.Tools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	run := map[string]agent.Tool{}
	for _, tool := range tools {
		run[tool.Name] = tool
		if wantNone := tool.Name != "callwright:probe"; (tool.Effects == agent.EffectsNone) != wantNone {
			t.Errorf("%s: effects %d", tool.Name, tool.Effects)
		}
	}
	for _, c := range []struct{ tool, arguments, path, want string }{
		{"parse", `{"text": "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 12345678901234567890,}}</tool_call>", "tools": {"name": "f"}}`, "calls", `[{"name":"f","arguments":{"a":12345678901234567890}}]`},
		{"parse", `{"txt": "a"}`, "", `unknown member "txt": did you mean "text"?`},
		{"parse", `{}`, "", "expected a member text, chunks, native_calls"},
		{"schema", `{"target": "gemini", "tool": {"name": "f", "parameters": {"type": "object", "properties": {"a": {"const": 3}}}}}`, "name", `"f"`},
		{"schema", `{"target": "gemni", "tool": {}}`, "", `unknown target "gemni": did you mean gemini?`},
		{"doctor", `{"conversation": [{"role": "user", "content": "hi"}, {"role": "user", "content": ""}], "wire": "openai", "to": "anthropic"}`, "to", `"anthropic"`},
		{"doctor", `{"conversation": "{\"messages\": [{\"role\": \"user\", \"content\": \"hi\"}]}", "wire": "openai"}`, "conversation", `{"messages":[{"role":"user","content":"hi"}]}`},
		{"doctor", `{"wire": "openai"}`, "", "expected a member conversation"},
		{"doctor", `{"conversation": [], "wire": "opnai"}`, "", `unknown wire "opnai": did you mean openai?`},
		{"doctor", `{"conversation": 7}`, "", "expected"},
		{"probe", `{"model": "sim/native"}`, "model", `"sim/native"`},
		{"probe", `{"model": "sim/nobody"}`, "", "nobody"},
		{"probe", `{}`, "", "expected a member model"},
		{"probe", `{"model": 7}`, "", `member "model": expected a string`},
	} {
		got, err := run["callwright:"+c.tool].Run(t.Context(), json.RawMessage(c.arguments))
		if c.path == "" {
			if e, ok := errors.AsType[*agent.ToolError](err); !ok || e.Code != agent.CodeToolFailed || !strings.Contains(e.Message, c.want) {
				t.Errorf("%s %s: got %v", c.tool, c.arguments, err)
			}
			continue
		}
		v, _ := jsonx.Find(got.Data, c.path)
		if err != nil || !jsonx.Equal(v, []byte(c.want)) || len(got.Parts) > 0 {
			t.Errorf("%s %s: got %s %v", c.tool, c.arguments, got.Data, err)
		}
	}
}

// A page shows the tools as they are.
func TestMCPPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range servedTools(&app{env: noEnv}, "") {
		if !strings.Contains(string(page), "| `"+tool.Name+"` |") {
			t.Errorf("docs/mcp.md has no row for %s", tool.Name)
		}
	}
}
