// Command mcptools gives a model the tools of an MCP server. With the argument server it is that server, on standard
// input and output.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/mcptool"
	"github.com/callwright/callwright/provider"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

func main() {
	ctx := context.Background()
	if len(os.Args) > 1 && os.Args[1] == "server" {
		if err := serve(ctx); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := ask(ctx); err != nil {
		log.Fatal(err)
	}
}

// serve offers one tool to the client on standard input and output.
func serve(ctx context.Context) error {
	weather := mcptool.ServedTool{
		Name: "get_weather", Description: "Reports the weather in a city.",
		Schema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`),
		Run: func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
			var in struct{ City string }
			if err := json.Unmarshal(arguments, &in); err != nil {
				return nil, err
			}
			return json.Marshal("3 degrees in " + in.City)
		},
	}
	return mcptool.Serve(ctx, "weather", "1.0.0", []mcptool.ServedTool{weather}, os.Stdin, os.Stdout)
}

// ask starts this program as a server and lets a model that writes its calls as text use the tools of the server.
func ask(ctx context.Context) error {
	server, err := mcptool.Open(ctx, mcptool.Config{Name: "weather", Command: []string{os.Args[0], "server"}})
	if err != nil {
		return err
	}
	defer server.Close()
	tools, err := server.Tools(ctx)
	if err != nil {
		return err
	}
	for _, t := range tools {
		fmt.Println("tool of the server:", t.Name)
	}
	model, err := provider.Open("sim/hermes", provider.WithWire(callwright.WireOpenAI), provider.WithBaseURL("http://simulator"),
		provider.WithTransport(simulate.NewTransport(simulate.New(simulate.Weather()))))
	if err != nil {
		return err
	}
	defer model.Close()
	loop := agent.New(reliable.New(model), agent.From(server), agent.WithMaxSteps(4))
	result, err := loop.Run(ctx, callwright.UserText("What is the weather in Oslo?"))
	if err != nil {
		return err
	}
	for _, m := range result.Messages {
		for _, part := range m.Parts {
			if call, ok := part.(callwright.Call); ok {
				fmt.Println("called:", call.Name, string(call.Arguments))
			}
		}
	}
	fmt.Println("answer:", result.Text)
	return nil
}
