package responses_test

import (
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/sse"
)

// A client's request goes to a provider with nothing changed but the model's name.
func ExampleCodec_DecodeRequest() {
	var c responses.Codec
	req, err := c.DecodeRequest([]byte(`{"model": "lab/tern", "input": "Hello", "store": false}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	body, notes, err := c.EncodeRequest(req, "tern-7b", caps.Caps{})
	fmt.Println(string(body), len(notes), err)
	// Output: {"model": "tern-7b", "input": "Hello", "store": false} 0 <nil>
}

// There is no finish reason: an item that is a call decides.
func ExampleCodec_DecodeResponse() {
	resp, err := responses.Codec{}.DecodeResponse([]byte(`{"id":"resp_1","model":"tern","status":"completed","output":[
		{"type":"function_call","id":"fc_1","call_id":"a","name":"now","arguments":"{\"zone\":\"UTC\"}"}]}`))
	fmt.Println(resp.Finish, resp.Calls()[0].Name, string(resp.Calls()[0].Arguments), err)
	// Output: tool_calls now {"zone":"UTC"} <nil>
}

func ExampleCodec_NewStreamDecoder() {
	d := responses.Codec{}.NewStreamDecoder()
	var events []callwright.Event
	for _, data := range []string{
		`{"type":"response.created","response":{"id":"resp_1","model":"tern"}}`,
		`{"type":"response.output_item.added","output_index":0,"item":{"type":"message","role":"assistant"}}`,
		`{"type":"response.output_text.delta","output_index":0,"delta":"Hi"}`,
		`{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi"}]}]}}`,
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

// What a server that keeps answers does with them.
func ExampleCodec_Continue() {
	kept, err := (responses.Codec{}).Items([]byte(`{"model":"m","input":"Hi"}`), []byte(`{"output":[{"type":"message","role":"assistant","content":"Hello"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	body, err := (responses.Codec{}).Continue([]byte(`{"model":"m","previous_response_id":"resp_1","input":[{"role":"user","content":"Bye"}]}`), kept)
	fmt.Println(string(body), err)
	// Output: {"model":"m","input":[{"role":"user","content":"Hi"},{"type":"message","role":"assistant","content":"Hello"},{"role":"user","content":"Bye"}]} <nil>
}
