package interop_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/dialect/describe"
	"github.com/callwright/callwright/interop"
	"github.com/callwright/callwright/provider"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
	"github.com/callwright/callwright/transform"
)

// A program runs a tool for a simulated model until the model has its answer.
func Example_loop() {
	remote, err := provider.Open("sim/hermes", provider.WithWire(callwright.WireOpenAI), provider.WithBaseURL("http://simulator/v1"),
		provider.WithTransport(simulate.NewTransport(simulate.New(simulate.Weather())))) // a model that writes its calls as text
	if err != nil {
		panic(err)
	}
	client := reliable.New(remote)
	req := &callwright.Request{
		Messages: []callwright.Message{callwright.UserText("What is the weather in Oslo?")},
		Tools: []callwright.Tool{{Name: "get_weather", Schema: json.RawMessage(`{"type": "object",
			"properties": {"city": {"type": "string"}}, "required": ["city"]}`)}},
	}
	for {
		resp, err := client.Generate(context.Background(), req)
		if err != nil {
			panic(err)
		}
		if len(resp.Calls()) == 0 {
			fmt.Println(resp.Text())
			return
		}
		req.Messages = append(req.Messages, resp.Message())
		for _, call := range resp.Calls() {
			fmt.Println(call.Name, string(call.Arguments))
			req.Messages = append(req.Messages, callwright.ToolResult(call, "3 degrees in Oslo"))
		}
	}
	// Output:
	// get_weather {"city": "Oslo"}
	// It is 3 degrees in Oslo.
}

// A program with an HTTP client of its own hands a tool of an MCP server to Anthropic's API, checks the call that comes
// back, and gives it to the server.
func Example() {
	tool, err := interop.MCP.ReadTool([]byte(`{"name": "get_weather", "inputSchema": {"type": "object",
		"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}}`))
	if err != nil {
		panic(err)
	}
	declared, _, err := interop.Anthropic.WriteTool(tool)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(declared[:40]), "...")

	call, err := interop.Anthropic.ReadCall([]byte(`{"type": "tool_use", "id": "toolu_1", "name": "get_weather",
		"input": {"city": "Oslo", "days": "3"}}`))
	if err != nil {
		panic(err)
	}
	verdict, err := reliable.Validate(call, []callwright.Tool{tool}, reliable.ValidateOptions{})
	if err != nil || !verdict.OK {
		panic("the call cannot be run")
	}
	params, notes, err := interop.MCP.WriteCall(verdict.Call)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(params))
	for _, n := range notes {
		fmt.Println("left out:", n.Path)
	}

	result, err := interop.MCP.ReadResult([]byte(`{"content": [{"type": "text", "text": "4 degrees"}], "isError": false}`))
	if err != nil {
		panic(err)
	}
	result.CallID = call.ID
	block, _, err := interop.Anthropic.WriteResult(result)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(block))
	// Output:
	// {"type":"custom","name":"get_weather","i ...
	// {"name":"get_weather","arguments":{"city": "Oslo", "days": 3}}
	// left out: /id
	// {"type":"tool_result","tool_use_id":"toolu_1","content":"4 degrees"}
}

// A format of a program's own is a value: the places of the members.
func ExampleForm() {
	house := interop.Form{
		Name: "house", Wire: "house",
		Calls: []interop.CallForm{{ID: "ref", Name: "do.action", Arguments: "do.with"}},
	}
	call, err := house.ReadCall([]byte(`{"ref": "7", "do": {"action": "get_weather", "with": {"city": "Oslo"}}, "by": "planner"}`))
	if err != nil {
		panic(err)
	}
	there, _, err := interop.OpenAI.WriteCall(call)
	if err != nil {
		panic(err)
	}
	back, _, err := house.WriteCall(call)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(there))
	fmt.Println(string(back))
	// Output:
	// {"type":"function","id":"7","function":{"name":"get_weather","arguments":"{\"city\": \"Oslo\"}"}}
	// {"ref":"7","do":{"action":"get_weather","with":{"city": "Oslo"}},"by":"planner"}
}

// Calls that a model writes as text, in marks of a program's own, are found like those of every known format.
func Example_marks() {
	marks, err := dialect.NewMarks(dialect.Format{
		Name: "house", Marks: []dialect.Mark{{Open: "[[CALL]]", Close: "[[END]]", Role: dialect.Wrap}},
	})
	if err != nil {
		panic(err)
	}
	tools := []callwright.Tool{{Name: "get_weather"}}
	x, err := reliable.NewExtractor(tools, reliable.ExtractOptions{Marks: marks})
	if err != nil {
		panic(err)
	}
	answer := x.Extract([]callwright.Event{
		callwright.TextDelta{Text: `I will look. [[CALL]]{"name": "get_weather", "argum`},
		callwright.TextDelta{Text: `ents": {"city": "Oslo",}}[[END]]`},
	})
	call, _, err := interop.Generic.WriteCall(callwright.Call{Name: answer.Calls[0].Name, Arguments: answer.Calls[0].Arguments})
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.Content, string(call))
	for _, n := range answer.Notes {
		fmt.Println(n.Rule)
	}
	// Output:
	// I will look. {"tool_name":"get_weather","parameters":{"city": "Oslo"}}
	// dialect.house
	// json.trailing_comma
	// finish.derived
}

// A format of calls is made of one example.
func Example_describe() {
	format, err := (&describe.Description{Example: `<run tool="search"><with key="q">tea</with></run>`}).Compile()
	if err != nil {
		panic(err) // it says what was read in place of the call
	}
	fmt.Println(format.Tool, string(format.Arguments))
	fmt.Println(format.RenderCalls([]dialect.RenderedCall{{Name: "ping", Arguments: []byte(`{"host": "db"}`)}}))
	// Output:
	// search {"q":"tea"}
	// <run tool="ping"><with key="host">db</with></run>
}

// A program changes the calls of a model before they are judged, by a function of its own.
func Example_transform() {
	model, err := provider.Open("sim/hermes", provider.WithWire(callwright.WireOpenAI), provider.WithBaseURL("http://simulator/v1"),
		provider.WithTransport(simulate.NewTransport(simulate.New(simulate.Weather()))))
	if err != nil {
		panic(err)
	}
	country := transform.OnToolCall("country", func(c callwright.Call) (callwright.Call, error) {
		c.Arguments = bytes.Replace(c.Arguments, []byte(`"Oslo"`), []byte(`"Oslo, Norway"`), 1)
		return c, nil
	})
	builtin, err := transform.ByName("openai_compatible_reliability", "tool_result_compact_envelope")
	if err != nil {
		panic(err)
	}
	client := reliable.New(model, reliable.WithTransforms(append(builtin, country)...))
	resp, err := client.Generate(context.Background(), &callwright.Request{
		Messages: []callwright.Message{callwright.UserText("What is the weather in Oslo?")},
		Tools: []callwright.Tool{{Name: "get_weather", Schema: json.RawMessage(`{"type": "object",
			"properties": {"city": {"type": "string"}}, "required": ["city"]}`)}},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(resp.Calls()[0].Name, string(resp.Calls()[0].Arguments))
	for _, n := range resp.Report.Notes {
		if n.Rule == "transform.country" {
			fmt.Println(n.Rule, n.Was, "->", n.Now)
		}
	}
	// Output:
	// get_weather {"city": "Oslo, Norway"}
	// transform.country {"city": "Oslo"} -> {"city": "Oslo, Norway"}
}
