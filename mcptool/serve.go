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

// A ServedTool is a function that MCP clients may call.
type ServedTool struct {
	Name        string
	Description string
	Schema      json.RawMessage // of the arguments, with the type object
	Effects     agent.Effects   // the effects of a call, of which clients are told

	// Run answers a call. arguments are a JSON object that was not validated against Schema. The result is JSON. An error
	// is sent to the client as the error of the tool. Run is called concurrently.
	Run func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error)
}

// Serve answers an MCP client that writes to in and reads from out, as servers over standard input and output do, until
// in ends or ctx does. A line that is no message is answered with an error, and the session goes on. Requests that came
// before in ended are answered. Reads from in have to end with ctx. It panics when a schema is not one of an object.
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
	err := server.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(lines), Writer: outOnly{both}, MaxLineLength: -1}) // lines are bounded before
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// hints are effects as annotations.
func hints(e agent.Effects) *mcp.ToolAnnotations {
	destructive := e == agent.EffectsDestructive
	h := &mcp.ToolAnnotations{ReadOnlyHint: e == agent.EffectsNone, IdempotentHint: e == agent.EffectsIdempotent}
	if e != agent.EffectsUnknown {
		h.DestructiveHint = &destructive
	}
	return h
}

// answer runs a call. A result that is an object is given in both forms that clients read.
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

// An outOnly is a writer that stays open.
type outOnly struct{ io.Writer }

// Close does nothing.
func (outOnly) Close() error { return nil }
