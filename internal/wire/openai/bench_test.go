package openai_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/sse"
)

// conversation is a request with n messages of about size bytes each: questions, calls, results of code.
func conversation(n, size int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"model":"lab/tern","stream":true,"temperature":0.7,"tools":[`)
	for i := range 12 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"type":"function","function":{"name":"tool%d","description":"Reads a part of a file and gives it with line numbers.",`+
			`"parameters":{"type":"object","properties":{"path":{"type":"string"},"first":{"type":"integer"}},"required":["path"]}}}`, i)
	}
	b.WriteString(`],"messages":[{"role":"system","content":"Help."}`)
	code := strings.Repeat("func main() {\n\tfmt.Println(\"hello\")\n}\n", 1+size/38)[:size]
	prose := strings.Repeat("The quick brown fox jumps over the lazy dög. ", 1+size/45)[:size-1]
	for i := range (n - 1) / 3 {
		b.WriteString(`,{"role":"user","content":`)
		b.Write(jsonx.AppendQuote(nil, prose))
		fmt.Fprintf(&b, `},{"role":"assistant","content":null,"tool_calls":[{"id":"call_%d","type":"function","function":{"name":"tool1",`+
			`"arguments":"{\"path\":\"a/b.go\",\"first\":%d}"}}]},{"role":"tool","tool_call_id":"call_%d","content":`, i, i, i)
		b.Write(jsonx.AppendQuote(nil, code))
		b.WriteString(`}`)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

func BenchmarkRequests(b *testing.B) { wiretest.BenchRequests(b, openai.Codec{}, conversation) }

// deltas is a stream of n deltas: half text, half arguments.
func deltas(n int) []byte {
	var b []byte
	chunk := func(delta, finish string) {
		b = sse.Append(b, "", fmt.Appendf(nil, `{"id":"cmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"tern",`+
			`"system_fingerprint":"fp_1","choices":[{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}],"usage":null}`, delta, finish))
	}
	chunk(`{"role":"assistant","content":""}`, "null")
	for i := range n / 2 {
		chunk(fmt.Sprintf(`{"content":"word %d "}`, i), "null")
	}
	chunk(`{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"tool1","arguments":""}}]}`, "null")
	chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":["}}]}`, "null")
	for range n / 2 {
		chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"1234,"}}]}`, "null")
	}
	chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"0]}"}}]}`, "null")
	chunk(`{}`, `"tool_calls"`)
	return sse.Append(b, "", []byte("[DONE]"))
}

func BenchmarkAnswers(b *testing.B) { wiretest.BenchAnswers(b, openai.Codec{}) }

func BenchmarkStream(b *testing.B) { wiretest.BenchStream(b, openai.Codec{}, deltas(60)) }
