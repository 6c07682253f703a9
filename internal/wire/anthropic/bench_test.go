package anthropic_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/sse"
)

// conversation is a request with tools and n messages of a tool loop, of about size bytes each.
func conversation(n, size int) []byte {
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
	filler := strings.Repeat(line, max(1, size/len(line)))
	for i := 1; i+1 < n; i += 2 {
		fmt.Fprintf(&b, `,{"role":"assistant","content":[{"type":"text","text":"Step %d."},{"type":"tool_use","id":"toolu_%d","name":"tool_%d","input":{"path":"/log/%d","note":"%s"}}]}`, i, i, i%8, i, filler)
		fmt.Fprintf(&b, `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":[{"type":"text","text":"%s"}]}]}`, i, filler)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

func BenchmarkRequests(b *testing.B) { wiretest.BenchRequests(b, anthropic.Codec{}, conversation) }

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

func BenchmarkAnswers(b *testing.B) { wiretest.BenchAnswers(b, anthropic.Codec{}) }

func BenchmarkStream(b *testing.B) { wiretest.BenchStream(b, anthropic.Codec{}, deltas(60)) }
