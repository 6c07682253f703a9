package anthropic_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/wire/anthropic"
	"github.com/callwright/callwright/wire/wiretest"
)

// The sources that pieces of a stream name stand in their texts when the stream is made whole, wherever among the words they came.
func TestSourcesOfAStreamMadeWhole(t *testing.T) {
	const words, source = `{"type":"text_delta","text":"ab"}`, `{"type":"citations_delta","citation":{"cited_text":"x"}}`
	for pieces, want := range map[string]string{
		words + "\n" + source:                                `{"type":"text","text":"ab","citations":[{"cited_text":"x"}]}`,
		words + "\n" + source + "\n" + words:                 `{"type":"text","text":"abab","citations":[{"cited_text":"x"}]}`,
		words + "\n" + source + "\n" + source + "\n" + words: `{"type":"text","text":"abab","citations":[{"cited_text":"x"},{"cited_text":"x"}]}`,
		words + "\n" + words:                                 `{"type":"text","text":"abab"}`,
	} {
		stream := `data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[]}}` + "\n\n" +
			`data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n"
		for piece := range strings.Lines(pieces) {
			stream += `data: {"type":"content_block_delta","index":0,"delta":` + strings.TrimSpace(piece) + "}\n\n"
		}
		stream += `data: {"type":"content_block_stop","index":0}` + "\n\n" + `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n"
		resp, err := callwright.Collect(wiretest.Decode(anthropic.Codec{}, strings.NewReader(stream)).All())
		if err != nil {
			t.Fatal(err)
		}
		resp.Raw = nil
		out, notes, err := anthropic.Codec{}.EncodeResponse(nil, resp)
		if err != nil || len(notes) > 0 || !strings.Contains(string(out), `"content":[`+want+`]`) {
			t.Errorf("expected %s, got %s (notes %v, error %v)", want, out, notes, err)
		}
	}
}
