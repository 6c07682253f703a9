package anthropic_test

import (
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire/anthropic"
)

// A request that was built leaves in the shape this API wants, with a note for what was changed.
func ExampleCodec_EncodeRequest() {
	req := &callwright.Request{
		Messages: []callwright.Message{
			{Role: callwright.RoleSystem, Parts: []callwright.Part{callwright.Text{Text: "Be brief."}}},
			{Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Text{Text: "Hello"}}},
		},
		Params: callwright.Params{MaxTokens: "100", Temperature: "1.5"},
	}
	body, notes, err := anthropic.Codec{}.EncodeRequest(req, "claude-x", caps.Caps{})
	fmt.Println(string(body), err)
	for _, n := range notes {
		fmt.Println(n.Rule, n.Was, "->", n.Now)
	}
	// Output:
	// {"model":"claude-x","max_tokens":100,"system":"Be brief.","messages":[{"role":"user","content":"Hello"}],"temperature":1} <nil>
	// params.temperature 1.5 -> 1
}

// A request that came over this wire leaves as it came, but for the model's name.
func ExampleCodec_DecodeRequest() {
	codec := anthropic.Codec{}
	req, err := codec.DecodeRequest([]byte(`{"model": "fast", "max_tokens": 5, "messages": [{"role": "user", "content": "Hi"}], "x": 1e400}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(req.Model, companion.Of(req).Body.Summaries()[0].Role)
	body, _, _ := codec.EncodeRequest(req, "claude-x", caps.Caps{})
	fmt.Println(string(body))
	// Output:
	// fast user
	// {"model": "claude-x", "max_tokens": 5, "messages": [{"role": "user", "content": "Hi"}], "x": 1e400}
}

// An answer with a call, read whole.
func ExampleCodec_DecodeResponse() {
	resp, err := anthropic.Codec{}.DecodeResponse([]byte(`{"id":"msg_1","type":"message","role":"assistant","model":"m",
		"content":[{"type":"tool_use","id":"toolu_1","name":"add","input":{"a":1}}],"stop_reason":"tool_use","usage":{"input_tokens":9,"output_tokens":3}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range resp.Calls() {
		fmt.Println(c.ID, c.Name, string(c.Arguments), resp.Finish)
	}
	// Output: toolu_1 add {"a":1} tool_calls
}
