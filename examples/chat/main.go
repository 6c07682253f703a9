// Command chat asks a model that damages its calls, and prints the repaired call and the notes of the report.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/provider"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

func main() {
	// With a real provider: provider.Open("groq/llama-3.3-70b-versatile").
	model, err := provider.Open("sim/hermes-unclosed", provider.WithWire(callwright.WireOpenAI), provider.WithBaseURL("http://simulator/v1"),
		provider.WithTransport(simulate.NewTransport(simulate.New(simulate.Weather()))))
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	client := reliable.New(model)
	req := &callwright.Request{
		Messages: []callwright.Message{callwright.UserText("What is the weather in Oslo?")},
		Tools:    []callwright.Tool{{Name: "get_weather", Schema: json.RawMessage(simulate.WeatherSchema)}},
	}
	for {
		resp, err := client.Generate(context.Background(), req)
		if err != nil {
			log.Fatal(err)
		}
		for _, note := range resp.Report.Notes {
			fmt.Println("note:", note.Rule)
		}
		calls := resp.Calls()
		if len(calls) == 0 {
			fmt.Println("answer:", resp.Text())
			return
		}
		req.Messages = append(req.Messages, resp.Message())
		for _, call := range calls {
			fmt.Println("call:", call.Name, string(call.Arguments))
			req.Messages = append(req.Messages, callwright.ToolResult(call, "3 degrees"))
		}
	}
}
