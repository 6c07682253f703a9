package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveAsker is an MCP server as a command, whose tool asks the person for the city before it answers.
func serveAsker() {
	s := mcp.NewServer(&mcp.Implementation{Name: "asker", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "get_weather", InputSchema: json.RawMessage(`{"type": "object"}`)}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		got, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Which day?", RequestedSchema: json.RawMessage(
			`{"type": "object", "required": ["day"], "properties": {"day": {"type": "string", "enum": ["today", "tomorrow"]}, "hour": {"type": "integer", "maximum": 23}}}`)})
		if err != nil {
			return nil, err
		}
		content, err := json.Marshal(got)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "the person said " + string(content)}}}, err
	})
	_ = s.Run(context.Background(), &mcp.StdioTransport{})
}

// A server of tools that asks in the middle of a call is told, in a pipe, that it is declined, and the run goes on.
func TestRunElicitInPipe(t *testing.T) {
	for _, flags := range [][]string{nil, {"--json"}, {"--yes"}} {
		var stdout, stderr bytes.Buffer
		std := streams{in: strings.NewReader("a\n1\n\ns\n"), out: &stdout, err: &stderr}
		args := append([]string{"run", "--model", "sim/native", "--state", t.TempDir(), "--mcp", "mcp-asker"}, flags...)
		status := run(t.Context(), append(args, "What is the weather in Oslo?"), std, noEnv)
		if status != exitDone || !strings.Contains(strings.ReplaceAll(stdout.String(), `\`, ""), `{"action":"decline"}`) {
			t.Errorf("%v: status %d, got %s", flags, status, stdout.String())
		}
		if !strings.Contains(stderr.String(), "the MCP server asker asks: Which day?\n  declined: there is no terminal to answer at\n") {
			t.Errorf("%v: said %s", flags, stderr.String())
		}
	}
}
