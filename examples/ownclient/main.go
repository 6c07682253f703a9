// Command ownclient keeps its own HTTP client. It shapes a request for a model without native tool calling, sends it in
// a form of its own, extracts the calls of the answer and validates one.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func main() {
	client := &http.Client{Transport: simulate.NewTransport(simulate.New(simulate.Weather()))}
	req := &callwright.Request{
		Messages: []callwright.Message{callwright.UserText("What is the weather in Oslo?")},
		Tools:    []callwright.Tool{{Name: "get_weather", Schema: json.RawMessage(simulate.WeatherSchema)}},
	}

	// Step 1: the tools become part of the prompt.
	shaped, err := reliable.Shape(req, caps.Caps{Tools: caps.No}, caps.Text, reliable.ShapeOptions{Dialect: "hermes"})
	if err != nil {
		log.Fatal(err)
	}
	text := post(client, shaped.Request.Messages)

	// Step 2: the calls of the answer. The events may be pieces of a stream.
	found, err := reliable.Extract([]callwright.Event{callwright.TextDelta{Text: text}}, req.Tools,
		reliable.ExtractOptions{Dialect: shaped.Dialect, Names: shaped.Names, MintID: func(string) string { return "call_1" }})
	if err != nil {
		log.Fatal(err)
	}
	for _, call := range found.Calls {
		fmt.Println("call:", call.Name, string(call.Arguments))
	}

	// Step 3: a native call of the model, validated alone.
	call := callwright.Call{ID: "call_2", Name: "get_weather", Arguments: json.RawMessage(`{"city": 7, "days": "soon"}`)}
	verdict, err := reliable.Validate(call, req.Tools, reliable.ValidateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("valid:", verdict.OK)
	correction := reliable.CorrectionMessage(verdict)
	fmt.Println("correction from the", correction.Role)
}

// post sends the messages as a chat completion and returns the text of the answer.
func post(client *http.Client, messages []callwright.Message) string {
	var sent struct {
		Model    string    `json:"model"`
		Messages []message `json:"messages"`
	}
	sent.Model = "hermes"
	for _, m := range messages {
		sent.Messages = append(sent.Messages, message{Role: string(m.Role), Content: callwright.TextOf(m.Parts)})
	}
	body, err := json.Marshal(sent)
	if err != nil {
		log.Fatal(err)
	}
	resp, err := client.Post("http://simulator/v1/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		log.Fatal(err)
	}
	var completion struct {
		Choices []struct{ Message message }
	}
	if err := json.Unmarshal(answer, &completion); err != nil || len(completion.Choices) == 0 {
		log.Fatalf("unexpected answer %s: %v", answer, err)
	}
	return completion.Choices[0].Message.Content
}
