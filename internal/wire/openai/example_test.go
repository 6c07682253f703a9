package openai_test

import (
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/sse"
)

// A client's request goes to a provider with nothing changed but the model's name.
func ExampleCodec_DecodeRequest() {
	var c openai.Codec
	req, err := c.DecodeRequest([]byte(`{"model": "lab/tern", "messages": [{"role": "user", "content": "Hello"}], "n": 1}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	body, notes, err := c.EncodeRequest(req, "tern-7b", caps.Caps{})
	fmt.Println(string(body), len(notes), err)
	// Output: {"model": "tern-7b", "messages": [{"role": "user", "content": "Hello"}], "n": 1} 0 <nil>
}

// The call decides, not the finish reason.
func ExampleCodec_DecodeResponse() {
	resp, err := openai.Codec{}.DecodeResponse([]byte(`{"id":"c","model":"tern","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant",
		"tool_calls":[{"id":"a","type":"function","function":{"name":"now","arguments":"{\"zone\":\"UTC\"}"}}]}}]}`))
	fmt.Println(resp.Finish, resp.Calls()[0].Name, string(resp.Calls()[0].Arguments), err)
	// Output: tool_calls now {"zone":"UTC"} <nil>
}

func ExampleCodec_NewStreamDecoder() {
	d := openai.Codec{}.NewStreamDecoder()
	var events []callwright.Event
	for _, data := range []string{
		`{"id":"c","model":"tern","choices":[{"index":0,"delta":{"content":"Hi"}}]}`,
		`{"id":"c","model":"tern","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
		`[DONE]`,
	} {
		b, _ := d.Feed(sse.Event{Data: []byte(data)})
		events = append(events, b.Events...)
	}
	for _, ev := range events {
		switch ev := ev.(type) {
		case callwright.TextDelta:
			fmt.Println("text", ev.Text)
		case callwright.End:
			fmt.Println("end", ev.Finish)
		}
	}
	// Output:
	// text Hi
	// end stop
}
