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

// TestServeLines: a line that is no message is answered with the error that JSON-RPC has for it, and the session goes on.
func TestServeLines(t *testing.T) {
	begin := func(version string) string {
		return `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	}
	ping := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }
	long := `{"jsonrpc":"2.0","id":3,"method":"ping","params":{"x":"` + strings.Repeat("x", 17<<20) + `"}}`
	const parse, request = -32700, -32600
	for _, c := range []struct {
		line, version string
		code          int    // 0: it is answered
		id            string // of the answer
	}{
		{"not json", "2025-06-18", parse, "null"}, {`{"jsonrpc":"2.0","id":3,`, "2025-06-18", parse, "null"}, {ping("3") + ping("4"), "2025-06-18", parse, "null"}, {"\xff\xfe", "2025-11-25", parse, "null"},
		{`{"jsonrpc":"2.0","id":3,"method":"ping","params":{"x":"` + "\x00" + `"}}`, "2025-06-18", parse, "null"}, {strings.Repeat("[", 200000), "2025-03-26", parse, "null"},
		{"7", "2025-06-18", request, "null"}, {"null", "2025-06-18", request, "null"}, {`"ping"`, "2025-06-18", request, "null"}, {"{}", "2025-06-18", request, "null"},
		{`{"id":3,"method":"ping"}`, "2025-06-18", request, "3"}, {`{"jsonrpc":"1.0","id":"a","method":"ping"}`, "2025-06-18", request, `"a"`}, {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, "2025-06-18", request, "null"},
		{"[" + ping("3") + "]", "2025-06-18", request, "null"}, {"[]", "2025-03-26", request, "null"}, {"[7]", "2025-03-26", request, "null"}, {"[" + ping("3") + "," + ping("3") + "]", "2025-03-26", request, "null"},
		{long, "2025-06-18", request, "null"},
		{"[" + ping("3") + "]", "2025-03-26", 0, "3"}, {" " + ping("3") + " \t\r", "2025-06-18", 0, "3"}, {`{"jsonrpc":"2.0","id":3,"method":"nothing/known"}`, "2025-06-18", -32601, "3"},
	} {
		var out strings.Builder
		in := strings.Join([]string{begin(c.version), "", "  ", c.line, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, ping("9")}, "\n") // without an end
		if err := mcptool.Serve(t.Context(), "served", "1", served, strings.NewReader(in), &out); err != nil {
			t.Errorf("%.60q: %v", c.line, err)
		}
		got := map[string]int{}
		for line := range strings.Lines(strings.NewReplacer("[{", "{", "}]", "}").Replace(out.String())) {
			var m struct {
				ID    json.RawMessage
				Error struct{ Code int }
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Errorf("%.60q: answered %q: %v", c.line, line, err)
			}
			got[string(m.ID)] = m.Error.Code
		}
		if want := map[string]int{"0": 0, c.id: c.code, "9": 0}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%.60q in %s: got %v, want %v: %.300s", c.line, c.version, got, want, out.String())
		}
	}
}
