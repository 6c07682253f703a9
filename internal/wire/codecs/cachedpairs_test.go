package codecs_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// cachedAnswers are answers of providers by API, whole and streamed: to 100 tokens, of which 40 came from the cache and 30 went into it, where the
// API counts these.
var cachedAnswers = map[callwright.WireName]struct {
	whole, stream string
	read, write   string // as counts of the answer
}{
	callwright.WireOpenAI: {
		`{"id":"r","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":5,"total_tokens":105,"prompt_tokens_details":{"cached_tokens":40,"cache_write_tokens":30}}}`,
		"data: {\"id\":\"r\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"a\"},\"finish_reason\":null}]}\n\n" +
			"data: {\"id\":\"r\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n" +
			"data: {\"id\":\"r\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":5,\"total_tokens\":105,\"prompt_tokens_details\":{\"cached_tokens\":40,\"cache_write_tokens\":30}}}\n\ndata: [DONE]\n\n",
		"40", "30"},
	callwright.WireResponses: {
		`{"id":"r","object":"response","created_at":1,"status":"completed","model":"m","output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"a","annotations":[]}]}],"usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":40,"cache_write_tokens":30},"output_tokens":5,"total_tokens":105}}`,
		"event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"r\",\"object\":\"response\",\"status\":\"in_progress\",\"model\":\"m\",\"output\":[]}}\n\n" +
			"event: response.output_item.added\ndata: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"message\",\"id\":\"msg_1\",\"role\":\"assistant\",\"content\":[]}}\n\n" +
			"event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"item_id\":\"msg_1\",\"output_index\":0,\"content_index\":0,\"delta\":\"a\"}\n\n" +
			"event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\",\"object\":\"response\",\"status\":\"completed\",\"model\":\"m\",\"output\":[{\"type\":\"message\",\"id\":\"msg_1\",\"role\":\"assistant\",\"status\":\"completed\",\"content\":[{\"type\":\"output_text\",\"text\":\"a\",\"annotations\":[]}]}]," +
			"\"usage\":{\"input_tokens\":100,\"input_tokens_details\":{\"cached_tokens\":40,\"cache_write_tokens\":30},\"output_tokens\":5,\"total_tokens\":105}}}\n\n",
		"40", "30"},
	callwright.WireAnthropic: {
		`{"id":"r","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"a"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":30,"cache_creation_input_tokens":30,"cache_read_input_tokens":40,"output_tokens":5}}`,
		"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"r\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[],\"stop_reason\":null,\"usage\":{\"input_tokens\":30,\"cache_creation_input_tokens\":30,\"cache_read_input_tokens\":40,\"output_tokens\":1}}}\n\n" +
			"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n" +
			"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n" +
			"event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n" +
			"event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":5}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
		"40", "30"},
	callwright.WireGemini: {
		`{"responseId":"r","modelVersion":"m","candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"a"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":40,"candidatesTokenCount":5,"totalTokenCount":105}}`,
		"data: {\"responseId\":\"r\",\"modelVersion\":\"m\",\"candidates\":[{\"index\":0,\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"a\"}]},\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":100,\"cachedContentTokenCount\":40,\"candidatesTokenCount\":5,\"totalTokenCount\":105}}\n\n",
		"40", "0"},
	callwright.WireOllama: {
		`{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"a"},"done":true,"done_reason":"stop","prompt_eval_count":100,"eval_count":5}`,
		"{\"model\":\"m\",\"created_at\":\"2026-01-01T00:00:00Z\",\"message\":{\"role\":\"assistant\",\"content\":\"a\"},\"done\":false}\n" +
			"{\"model\":\"m\",\"created_at\":\"2026-01-01T00:00:00Z\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":100,\"eval_count\":5}\n",
		"0", "0"},
}

// counts are where an API has its counts: what was read, what was written, and all of the input. Anthropic's input is without what was
// read or written.
var counts = map[callwright.WireName]struct {
	in                 string // the member that has them, "" for the answer itself
	input, read, write string
	apart              bool
}{
	callwright.WireOpenAI:    {"usage", "prompt_tokens", "prompt_tokens_details.cached_tokens", "prompt_tokens_details.cache_write_tokens", false},
	callwright.WireResponses: {"usage", "input_tokens", "input_tokens_details.cached_tokens", "input_tokens_details.cache_write_tokens", false},
	callwright.WireAnthropic: {"usage", "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", true},
	callwright.WireGemini:    {"usageMetadata", "promptTokenCount", "cachedContentTokenCount", "", false},
	callwright.WireOllama:    {"", "prompt_eval_count", "", "", false},
}

// What a provider counts as cached is counted for the client, whichever API either speaks, whole and streamed, in the terms of the client's
// API: there is nothing that is counted twice or not at all. Ollama's API has no such count.
func TestCachedTokensAcross(t *testing.T) {
	apart := map[string]string{"40 30": "30", "40 0": "60", "0 0": "100"}
	for from, answer := range cachedAnswers {
		for _, to := range codecs.All() {
			count := counts[to.Name()]
			want := map[string]string{count.input: "100", count.read: answer.read, count.write: answer.write}
			if count.apart {
				want[count.input] = apart[answer.read+" "+answer.write]
			}
			provider := codecOf(t, from)
			resp, err := provider.DecodeResponse([]byte(answer.whole))
			if err != nil {
				t.Fatal(err)
			}
			whole, _, err := to.EncodeResponse(&callwright.Request{}, resp)
			if err != nil {
				t.Fatal(err)
			}
			enc, out := to.NewStreamEncoder(&callwright.Request{Params: callwright.Params{Stream: true, StreamUsage: true}}), []byte(nil)
			for _, b := range wiretest.Decode(provider, strings.NewReader(answer.stream)).Batches {
				out = enc.Encode(out, b)
			}
			for way, got := range map[string]map[string]string{"whole": countsIn(count.in, want, whole), "streamed": countsIn(count.in, want, out)} {
				for path, n := range want {
					if has := got[path]; path != "" && has != n && (has != "" || n != "0") {
						t.Errorf("%s to %s, %s: %s is %q, want %s", from, to.Name(), way, path, has, n)
					}
				}
			}
		}
	}
}

// countsIn are the last counts at some paths of an answer, or of the events of a stream.
func countsIn(in string, paths map[string]string, answer []byte) map[string]string {
	got := map[string]string{}
	for _, line := range bytes.Split(answer, []byte("\n")) {
		doc := bytes.TrimPrefix(line, []byte("data: "))
		for _, above := range []string{"", "response", "message"} {
			v := doc
			for _, name := range []string{above, in} {
				if name != "" {
					v, _ = jsonx.Find(v, name)
				}
			}
			for path := range paths {
				if n, ok := jsonx.Lookup(v, strings.Split(path, ".")...); ok && path != "" {
					got[path] = string(n)
				}
			}
		}
	}
	return got
}
