package mcptool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/mcptool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// served are tools for tests of Serve.
var served = []mcptool.ServedTool{
	{Name: "double", Description: "Double a number.", Schema: json.RawMessage(`{"type": "object", "properties": {"n": {"type": "integer"}}}`), Effects: agent.EffectsNone,
		Run: func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
			var in struct{ N int }
			if err := json.Unmarshal(arguments, &in); err != nil {
				return nil, err
			}
			return json.RawMessage(fmt.Sprintf(`{"n":%d,"big":12345678901234567890}`, 2*in.N)), nil
		}},
	{Name: "list", Schema: json.RawMessage(`{"type": "object"}`), Effects: agent.EffectsDestructive,
		Run: func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`[1]`), nil }},
	{Name: "fail", Schema: json.RawMessage(`{"type": "object"}`), Effects: agent.EffectsIdempotent,
		Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return nil, errors.New("it is Monday")
		}},
}

func TestServe(t *testing.T) {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- mcptool.Serve(t.Context(), "served", "1.2.3", served, fromClient, toClient)
		toClient.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if info := s.InitializeResult().ServerInfo; info.Name != "served" || info.Version != "1.2.3" {
		t.Errorf("got %+v", info)
	}
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var hints []string
	for _, tool := range list.Tools {
		a := tool.Annotations
		hints = append(hints, fmt.Sprint(tool.Name, a.ReadOnlyHint, *a.DestructiveHint, a.IdempotentHint))
	}
	if want := []string{"doubletrue false false", "failfalse false true", "listfalse true false"}; !slices.Equal(hints, want) {
		t.Errorf("got %q", hints)
	}
	for _, c := range []struct{ tool, arguments, text, structured string }{
		{"double", `{"n": 4}`, `{"n":8,"big":12345678901234567890}`, "map"},
		{"double", `{"n": "four"}`, "cannot unmarshal string", "<nil>"},
		{"list", `{}`, "[1]", "<nil>"},
		{"fail", `{}`, "it is Monday", "<nil>"},
	} {
		got, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: json.RawMessage(c.arguments)})
		if err != nil {
			t.Fatal(err)
		}
		said := got.Content[0].(*mcp.TextContent).Text
		if !strings.Contains(said, c.text) || !strings.HasPrefix(fmt.Sprint(got.StructuredContent), c.structured) || got.IsError != (c.text[0] != '{' && c.text[0] != '[') {
			t.Errorf("%s: got %s %v %t", c.tool, said, got.StructuredContent, got.IsError)
		}
	}
	s.Close()
	if err := <-done; err != nil {
		t.Errorf("it ended with %v", err)
	}
}
