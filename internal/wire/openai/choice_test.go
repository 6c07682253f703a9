package openai_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/openai"
)

// A whole answer whose choice has a member that chunks have for themselves is streamed without writing it twice.
func TestChoiceWithADelta(t *testing.T) {
	resp, err := openai.Codec{}.DecodeResponse([]byte(`{"id":"a","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"delta":{"content":"hi"},"logprobs":null,"finish_reason":"stop"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Raw = nil
	e := openai.Codec{}.NewStreamEncoder(&callwright.Request{Model: "m"})
	for _, ev := range resp.Events() {
		out := e.Encode(nil, callwright.Batch{Events: []callwright.Event{ev}, More: true})
		if len(out) < len("data: {") || out[6] != '{' {
			continue
		}
		choices, _ := jsonx.Find(out[len("data: "):], "choices")
		names := map[string]bool{}
		for k := range jsonx.Members(jsonx.First(choices)) {
			if names[k.String()] {
				t.Errorf("%s stands twice in %s", k, out)
			}
			names[k.String()] = true
		}
	}
}
