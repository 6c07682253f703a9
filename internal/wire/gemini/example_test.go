package gemini_test

import (
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/gemini"
	"github.com/callwright/callwright/sse"
)

// The model is named in the path, so that nothing of the body changes.
func ExampleCodec_DecodeRequest() {
	var c gemini.Codec
	req, err := c.DecodeRequest([]byte(`{"contents": [{"role": "user", "parts": [{"text": "Hello"}]}], "generation_config": {"top_k": 3}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	body, notes, err := c.EncodeRequest(req, "gemini-3-flash", caps.Caps{})
	fmt.Println(string(body), req.Params.TopK, len(notes), err)
	path, query := c.Target("gemini-3-flash", true)
	fmt.Println(path, query)
	// Output:
	// {"contents": [{"role": "user", "parts": [{"text": "Hello"}]}], "generation_config": {"top_k": 3}} 3 0 <nil>
	// /v1beta/models/gemini-3-flash:streamGenerateContent alt=sse
}

// The call decides, not the reason.
func ExampleCodec_DecodeResponse() {
	resp, err := gemini.Codec{}.DecodeResponse([]byte(`{"candidates":[{"finishReason":"STOP","content":{"role":"model",
		"parts":[{"functionCall":{"name":"now","args":{"zone":"UTC"}}}]}}]}`))
	fmt.Println(resp.Finish, resp.Calls()[0].Name, string(resp.Calls()[0].Arguments), err)
	// Output: tool_calls now {"zone":"UTC"} <nil>
}

// The end of the body is the end of the answer.
func ExampleCodec_NewStreamDecoder() {
	d := gemini.Codec{}.NewStreamDecoder()
	var events []callwright.Event
	for _, data := range []string{
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]}}]}`,
		`{"candidates":[{"content":{"role":"model","parts":[{"text":""}]},"finishReason":"STOP"}]}`,
	} {
		b, _ := d.Feed(sse.Event{Data: []byte(data)})
		events = append(events, b.Events...)
	}
	b, err := d.Close()
	for _, ev := range append(events, b.Events...) {
		switch ev := ev.(type) {
		case callwright.TextDelta:
			fmt.Println("text", ev.Text)
		case callwright.End:
			fmt.Println("end", ev.Finish, err)
		}
	}
	// Output:
	// text Hi
	// end stop <nil>
}

// A client that does not ask for events gets one JSON array.
func ExampleCodec_Arrays() {
	e := gemini.Codec{}.Arrays().NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
	out := e.Encode(nil, callwright.Batch{Events: []callwright.Event{callwright.TextDelta{Text: "Hi"}}})
	out = e.Encode(out, callwright.Batch{Events: []callwright.Event{callwright.End{Finish: callwright.FinishStop}}})
	fmt.Println(e.ContentType(), string(out[:1]), string(out[len(out)-1:]))
	// Output: application/json; charset=utf-8 [ ]
}
