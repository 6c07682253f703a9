package mcptool

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A ServedTool is a function that MCP clients can call.
type ServedTool struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments; its type must be object
	Effects     agent.Effects   // sent to clients as annotations

	// Run executes a call. arguments is a JSON object that was not validated against Schema. The result must be JSON. An
	// error is sent to the client as a result with isError. Run must be safe for concurrent use.
	Run func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error)
}

// Serve serves an MCP client with one JSON-RPC message per line: it reads requests from in and writes responses to out,
// such as os.Stdin and os.Stdout. It returns when in ends or ctx is done. Requests received before the end of in are
// answered. An invalid line is answered with an error, and the session continues. The caller must make reads from in
// fail when ctx is done. Serve panics if a Schema does not have the type object.
func Serve(ctx context.Context, name, version string, tools []ServedTool, in io.Reader, out io.Writer) error {
	server := mcp.NewServer(&mcp.Implementation{Name: name, Version: version}, nil)
	for i := range tools {
		t := &tools[i]
		server.AddTool(&mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: t.Schema, Annotations: hints(t.Effects)},
			func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return t.answer(ctx, req.Params.Arguments), nil
			})
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	both := &answerWriter{out: out}
	lines := &messageLines{in: bufio.NewReader(in), out: both, done: ctx.Done()}
	// The SDK has no line limit here, because messageLines limits lines.
	err := server.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(lines), Writer: outOnly{both}, MaxLineLength: -1})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// hints converts the effects of a tool to MCP annotations.
func hints(e agent.Effects) *mcp.ToolAnnotations {
	destructive := e == agent.EffectsDestructive
	h := &mcp.ToolAnnotations{ReadOnlyHint: e == agent.EffectsNone, IdempotentHint: e == agent.EffectsIdempotent}
	if e != agent.EffectsUnknown {
		h.DestructiveHint = &destructive
	}
	return h
}

// answer runs a call and returns its result. If the result is an object, it is sent both as text and as structured
// content, because clients differ in which one they read.
func (t *ServedTool) answer(ctx context.Context, arguments json.RawMessage) *mcp.CallToolResult {
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	var out mcp.CallToolResult
	got, err := t.Run(ctx, arguments)
	if err != nil {
		out.SetError(err)
		return &out
	}
	out.Content = []mcp.Content{&mcp.TextContent{Text: string(got)}}
	if jsonx.IsObject(got) {
		out.StructuredContent = got
	}
	return &out
}

// An outOnly is a writer whose Close does nothing, so that the SDK does not close it.
type outOnly struct{ io.Writer }

// Close does nothing: the wrapped writer stays open.
func (outOnly) Close() error { return nil }
