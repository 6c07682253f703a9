package reliable_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/provider"
	"github.com/callwright/callwright/reliable"
)

// A model of a provider, made reliable.
func Example() {
	model, err := provider.Open("groq/llama-3.3-70b-versatile") // the key comes from GROQ_API_KEY
	if err != nil {
		log.Fatal(err)
	}
	client := reliable.New(model) // a model whose calls can be trusted
	resp, err := client.Generate(context.Background(), &callwright.Request{
		Messages: []callwright.Message{callwright.UserText("Weather in Oslo?")},
		Tools: []callwright.Tool{{Name: "get_weather", Schema: json.RawMessage(`{"type": "object",
			"properties": {"city": {"type": "string"}}, "required": ["city"]}`)}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, call := range resp.Calls() {
		fmt.Println(call.Name, string(call.Arguments)) // resp.Report has what was changed on the way
	}
}

func ExampleNew() {
	// Any Model will do; provider.Open gives one that is reached over HTTP. This one writes its call as text, with a
	// number in quotes.
	model := &scripted{name: "lab/small", answers: []any{
		text("<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\", \"days\": \"2\"}}\n</tool_call>"),
	}}
	client := reliable.New(model)
	resp, err := client.Generate(context.Background(), &callwright.Request{
		Messages: []callwright.Message{callwright.UserText("Weather in Oslo?")},
		Tools:    weather,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range resp.Calls() {
		fmt.Println(c.Name, string(c.Arguments))
	}
	for _, n := range resp.Report.Notes {
		fmt.Println(n.Rule)
	}
	// Output:
	// get_weather {"city": "Oslo", "days": 2}
	// dialect.hermes
	// coerce.string_to_integer
	// finish.derived
}

func ExampleShape() {
	req := &callwright.Request{
		Messages: []callwright.Message{callwright.UserText("Weather in Oslo?")},
		Tools:    weather,
	}
	shaped, err := reliable.Shape(req, caps.Caps{}, caps.Text, reliable.ShapeOptions{Dialect: "hermes"})
	if err != nil {
		fmt.Println(err)
		return
	}
	msgs, _ := shaped.Request.History()
	tools, _ := shaped.Request.DeclaredTools()
	fmt.Println(len(msgs), "messages,", len(tools), "tools, the first message is of the", msgs[0].Role)
	// Output: 2 messages, 0 tools, the first message is of the system
}

func ExampleValidate() {
	v, err := reliable.Validate(callwright.Call{ID: "call_1", Name: "get_weather", Arguments: []byte(`{"days":"soon"}`)}, weather, reliable.ValidateOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.OK)
	for _, broken := range v.Invalid.Violations {
		fmt.Println(broken.Keyword, broken.Path)
	}
	// Output:
	// false
	// type /days
	// required
}

// A saved conversation whose last call never got its result is made one that providers take.
func ExampleFitHistory() {
	saved, err := codecs.ReadConversation([]byte(`[{"role": "user", "content": "Weather?"},
		{"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}]}]`), "")
	if err != nil {
		panic(err)
	}
	mended, err := reliable.FitHistory(saved.Request, saved.Codec, caps.ShippedByMaker("openai", ""), reliable.FitOptions{Place: saved.Place})
	if err != nil {
		panic(err)
	}
	for _, n := range mended.Findings {
		fmt.Println(n.Rule, n.Path)
	}
	list := saved.Like(mended.Body, saved.Wire())
	fmt.Println(string(list[bytes.LastIndexByte(list, '{'):]))
	// Output:
	// history.orphan_call /1/tool_calls/0
	// {"role":"tool","tool_call_id":"c1","content":"Error:\nno result: the call was not executed"}]
}
