package mcptool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/callwright/callwright/mcptool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func Example() {
	server := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "greet", InputSchema: json.RawMessage(`{"type": "object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Hello"}}}, nil
		})
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer srv.Close()

	ctx := context.Background()
	s, err := mcptool.Open(ctx, mcptool.Config{URL: srv.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	tools, err := s.Tools(ctx)
	if err != nil {
		log.Fatal(err)
	}
	out, err := tools[0].Run(ctx, nil)
	fmt.Println(tools[0].Name, string(out.Data), err)
	// Output: greeter:greet "Hello" <nil>
}
