package anthropic_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/callwright/callwright/internal/wire/wiretest"
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

// Sources that were made up for a client of this API, which have an empty index, do not go back to it, nor do texts that had nothing else;
// the API's own stay, and so does every other byte.
func TestMadeUpSourcesDoNotGoBack(t *testing.T) {
	const made, real = `{"type":"web_search_result_location","url":"https://a.example","title":"A","encrypted_index": "","cited_text":"b"}`,
		`{"type":"web_search_result_location","url":"https://b.example","title":"B","encrypted_index":"x","cited_text":"b"}`
	for content, want := range map[string]string{
		`{"type":"text","text":"a","citations":[` + made + `]}`:                                            `{"type":"text","text":"a"}`,
		`{"type":"text","text":"a","citations":[` + made + `,` + real + `,` + made + `]}`:                  `{"type":"text","text":"a","citations":[` + real + `]}`,
		`{"type":"text","text":"a","citations":[` + real + `]}`:                                            `{"type":"text","text":"a","citations":[` + real + `]}`,
		`{"type":"text","text":"a"},{"type":"text","text":"","citations":[` + made + `]}`:                  `{"type":"text","text":"a"}`,
		`{"type":"text","text":"a"},{"type":"text","text":""}`:                                             `{"type":"text","text":"a"}`,
		`{"citations": [ ],"type":"text", "text":"a"}`:                                                     `{"citations": [ ],"type":"text", "text":"a"}`,
		`{"type":"text","text":"a","cache_control":{"type":"ephemeral"},"citations":[` + made + `]}`:       `{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}`,
		`{"type":"text","text":"a","citations":[{"type":"char_location","cited_text":"encrypted_index"}]}`: `{"type":"text","text":"a","citations":[{"type":"char_location","cited_text":"encrypted_index"}]}`,
	} {
		body := `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[` + content + `]},{"role":"user","content":"Go on"}]}`
		req, err := anthropic.Codec{}.DecodeRequest([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := anthropic.Codec{}.EncodeRequest(req, "m", caps.Caps{})
		if expected := strings.Replace(body, content, want, 1); err != nil || string(out) != expected {
			t.Errorf("expected %s, got %s (%v)", expected, out, err)
		}
		list, err := req.History()
		if err != nil {
			t.Fatal(err)
		}
		built := &callwright.Request{Model: "m", Messages: list}
		if out, _, err = (anthropic.Codec{}).EncodeRequest(built, "m", caps.Caps{}); err != nil || strings.Contains(string(out), "a.example") {
			t.Errorf("built of its parts: %s (%v)", out, err)
		}
	}
}
