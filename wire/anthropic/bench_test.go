package anthropic_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/sse"
	"github.com/callwright/callwright/wire/anthropic"
)

// conversation is a request with tools and turns of a tool loop, about size bytes long in messages messages.
func conversation(messages, size int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"model":"claude-opus-4-8","max_tokens":8000,"stream":true,"system":[{"type":"text","text":"You keep the harbour log."}],"tools":[`)
	for i := range 8 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"tool_%d","description":"Does thing %d.","input_schema":{"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer"}},"required":["path"]}}`, i, i)
	}
	b.WriteString(`],"messages":[{"role":"user","content":"Begin."}`)
	line := `Entry: the tide stood at four metres, the lamp burned, nothing passed.\n`
	filler := strings.Repeat(line, max(1, size/messages/len(line)))
	for i := 1; i+1 < messages; i += 2 {
		fmt.Fprintf(&b, `,{"role":"assistant","content":[{"type":"text","text":"Step %d."},{"type":"tool_use","id":"toolu_%d","name":"tool_%d","input":{"path":"/log/%d","note":"%s"}}]}`, i, i, i%8, i, filler)
		fmt.Fprintf(&b, `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":[{"type":"text","text":"%s"}]}]}`, i, filler)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

func BenchmarkRequest(b *testing.B) {
	for _, size := range []struct {
		name            string
		messages, bytes int
	}{{"15KB", 12, 13 << 10}, {"400KB", 300, 400 << 10}} {
		body := conversation(size.messages, size.bytes)
		b.Run("passed/"+size.name, func(b *testing.B) { benchRequest(b, body, false) })
		b.Run("anew/"+size.name, func(b *testing.B) { benchRequest(b, body, true) })
	}
}

func benchRequest(b *testing.B, body []byte, anew bool) {
	var codec anthropic.Codec
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		req, err := codec.DecodeRequest(body)
		if err != nil {
			b.Fatal(err)
		}
		req.Body.Outline()
		if anew {
			req.Messages, _ = req.History()
			req.Tools, _ = req.Toolset()
			req.Body = nil
		}
		if _, _, err = codec.EncodeRequest(req, "claude-other", caps.Caps{}); err != nil {
			b.Fatal(err)
		}
	}
}

// deltas is a stream of a call with n pieces of arguments.
func deltas(n int) []byte {
	var b []byte
	add := func(name, data string) { b = sse.Append(b, name, []byte(data)) }
	add("message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}}`)
	add("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"log","input":{}}}`)
	add("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"text\": \""}}`)
	for i := range n {
		add("content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"piece %d of the log "}}`, i))
	}
	add("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\"}"}}`)
	add("content_block_stop", `{"type":"content_block_stop","index":0}`)
	add("message_delta", `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":80}}`)
	add("message_stop", `{"type":"message_stop"}`)
	return b
}

func BenchmarkStream(b *testing.B) {
	raw := deltas(60)
	for _, mode := range []string{"decode", "passed", "anew"} {
		b.Run(mode, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				benchStream(b, raw, mode)
			}
		})
	}
}

func benchStream(b *testing.B, raw []byte, mode string) {
	var codec anthropic.Codec
	r := sse.NewReader(bytes.NewReader(raw))
	d, e := codec.NewStreamDecoder(), codec.NewStreamEncoder(nil)
	var events []callwright.Event
	var out []byte
	for {
		ev, err := r.Next()
		if err != nil {
			break
		}
		if events, err = d.Feed(ev, events[:0]); err != nil {
			b.Fatal(err)
		}
		for _, event := range events {
			if _, framed := event.(callwright.Frame); mode == "decode" || mode == "anew" && framed {
				continue
			}
			out = e.Encode(out[:0], event)
		}
	}
	if _, err := d.Close(nil); err != nil {
		b.Fatal(err)
	}
}
