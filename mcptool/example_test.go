package mcptool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/mcptool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tools of a server, called by a model in the loop of an agent.
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
	res, err := agent.New(eager{}, agent.From(s)).Run(ctx, callwright.UserText("Greet me."))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Text)
	// Output: greeter:greet gave {"ok":true,"data":"Hello","warnings":[],"errors":[]}
}

// An eager is a model that calls the first tool that it is offered, and then says what that gave.
type eager struct{}

func (eager) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	last := req.Messages[len(req.Messages)-1]
	if r, ok := last.Parts[0].(callwright.Result); ok {
		return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: r.Name + " gave " + r.Text()}}}, nil
	}
	return &callwright.Response{Parts: []callwright.Part{callwright.Call{Name: req.Tools[0].Name}}}, nil
}

func (e eager) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		resp, err := e.Generate(ctx, req)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, ev := range resp.Events() {
			if !yield(ev, nil) {
				return
			}
		}
	}
}
