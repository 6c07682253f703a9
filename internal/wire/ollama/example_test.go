package ollama_test

import (
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/ollama"
	"github.com/callwright/callwright/sse"
)

// A client's request goes to a server with nothing changed but the model's name.
func ExampleCodec_DecodeRequest() {
	var c ollama.Codec
	req, err := c.DecodeRequest([]byte(`{"model": "lab/tern", "messages": [{"role": "user", "content": "Hello"}], "keep_alive": -1}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	body, notes, err := c.EncodeRequest(req, "tern:7b", caps.Caps{})
	fmt.Println(string(body), req.Params.Stream, len(notes), err)
	// Output: {"model": "tern:7b", "messages": [{"role": "user", "content": "Hello"}], "keep_alive": -1} true 0 <nil>
}

// The call decides, not the reason.
func ExampleCodec_DecodeResponse() {
	resp, err := ollama.Codec{}.DecodeResponse([]byte(`{"model":"tern","done":true,"done_reason":"stop","message":{"role":"assistant","content":"",
		"tool_calls":[{"function":{"name":"now","arguments":{"zone":"UTC"}}}]}}`))
	fmt.Println(resp.Finish, resp.Calls()[0].Name, string(resp.Calls()[0].Arguments), err)
	// Output: tool_calls now {"zone":"UTC"} <nil>
}

func ExampleCodec_NewStreamDecoder() {
	d := ollama.Codec{}.NewStreamDecoder()
	var events []callwright.Event
	for _, line := range []string{
		`{"model":"tern","message":{"role":"assistant","content":"Hi"},"done":false}`,
		`{"model":"tern","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}`,
	} {
		b, _ := d.Feed(sse.Event{Data: []byte(line)})
		events = append(events, b.Events...)
	}
	b, _ := d.Close()
	for _, ev := range append(events, b.Events...) {
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
