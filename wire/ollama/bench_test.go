package ollama_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/sse"
	"github.com/callwright/callwright/wire/ollama"
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

var sizes = []struct {
	name string
	body []byte
}{{"15KB", conversation(16, 1000)}, {"400KB", conversation(301, 1750)}, {"800KB", conversation(601, 1750)}}

func BenchmarkPassThrough(b *testing.B) {
	var c ollama.Codec
	for _, s := range sizes {
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(s.body)))
			b.ReportAllocs()
			for b.Loop() {
				req, err := c.DecodeRequest(s.body)
				if err != nil {
					b.Fatal(err)
				}
				req.Body.Outline()
				if _, _, err := c.EncodeRequest(req, "tern-large", caps.Caps{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecodeAll(b *testing.B) {
	var c ollama.Codec
	for _, s := range sizes {
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(s.body)))
			b.ReportAllocs()
			for b.Loop() {
				req, err := c.DecodeRequest(s.body)
				if err != nil {
					b.Fatal(err)
				}
				built := *req
				built.Messages, _ = req.History()
				built.Tools, _ = req.Toolset()
				built.Body = nil
				if _, _, err := c.EncodeRequest(&built, "tern-large", caps.Caps{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

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

func BenchmarkStream(b *testing.B) {
	raw := deltas(60)
	for _, mode := range []string{"pass", "rewrite"} {
		b.Run(mode, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			var out []byte
			var events []callwright.Event
			for b.Loop() {
				r := sse.NewLineReader(bytes.NewReader(raw))
				d := ollama.Codec{}.NewStreamDecoder()
				e := ollama.Codec{}.NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
				out = out[:0]
				for {
					ev, err := r.Next()
					if errors.Is(err, io.EOF) {
						break
					}
					if events, err = d.Feed(ev, events[:0]); err != nil {
						b.Fatal(err)
					}
					for _, ev := range events {
						if _, frame := ev.(callwright.Frame); !frame || mode == "pass" {
							out = e.Encode(out, ev)
						}
					}
				}
			}
		})
	}
}
