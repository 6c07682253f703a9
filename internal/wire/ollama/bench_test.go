package ollama_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/ollama"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// conversation is a request with n messages of about size bytes each: questions, calls, results of code.
func conversation(n, size int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"model":"lab/tern","options":{"temperature":0.7},"tools":[`)
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
		fmt.Fprintf(&b, `},{"role":"assistant","content":"","tool_calls":[{"id":"call_%d","function":{"index":0,"name":"tool1",`+
			`"arguments":{"path":"a/b.go","first":%d}}}]},{"role":"tool","tool_name":"tool1","tool_call_id":"call_%d","content":`, i, i, i)
		b.Write(jsonx.AppendQuote(nil, code))
		b.WriteString(`}`)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

func BenchmarkRequests(b *testing.B) { wiretest.BenchRequests(b, ollama.Codec{}, conversation) }

// deltas is a stream of n pieces of text and a call.
func deltas(n int) []byte {
	var b []byte
	line := func(message, rest string) {
		b = fmt.Appendf(b, `{"model":"tern:8b","created_at":"2026-11-20T12:00:00.123456789Z","message":{"role":"assistant",%s},"done":%s}`+"\n", message, rest)
	}
	for i := range n {
		line(fmt.Sprintf(`"content":"word %d "`, i), "false")
	}
	line(`"content":"","tool_calls":[{"id":"call_1","function":{"index":0,"name":"tool1","arguments":{"path":"a/b.go","first":7}}}]`, "false")
	line(`"content":""`, `true,"done_reason":"stop","total_duration":912000000,"prompt_eval_count":180,"eval_count":31`)
	return b
}

func BenchmarkAnswers(b *testing.B) { wiretest.BenchAnswers(b, ollama.Codec{}) }

func BenchmarkStream(b *testing.B) { wiretest.BenchStream(b, ollama.Codec{}, deltas(60)) }
