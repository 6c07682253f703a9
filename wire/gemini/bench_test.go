package gemini_test

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
	"github.com/callwright/callwright/wire/gemini"
)

// conversation is a request with n contents of about size bytes each: questions, calls, results of code.
func conversation(n, size int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"generationConfig":{"temperature":0.7},"systemInstruction":{"parts":[{"text":"Help."}]},"tools":[{"functionDeclarations":[`)
	for i := range 12 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"tool%d","description":"Reads a part of a file and gives it with line numbers.",`+
			`"parametersJsonSchema":{"type":"object","properties":{"path":{"type":"string"},"first":{"type":"integer"}},"required":["path"]}}`, i)
	}
	b.WriteString(`]}],"contents":[`)
	code := strings.Repeat("func main() {\n\tfmt.Println(\"hello\")\n}\n", 1+size/38)[:size]
	prose := strings.Repeat("The quick brown fox jumps over the lazy dög. ", 1+size/45)[:size-1]
	for i := range (n - 1) / 3 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"role":"user","parts":[{"text":`)
		b.Write(jsonx.AppendQuote(nil, prose))
		fmt.Fprintf(&b, `}]},{"role":"model","parts":[{"functionCall":{"name":"tool1","args":{"path":"a/b.go","first":%d},"id":"call%d"},`+
			`"thoughtSignature":"++//AAAA"}]},{"role":"user","parts":[{"functionResponse":{"name":"tool1","id":"call%d","response":{"output":`, i, i, i)
		b.Write(jsonx.AppendQuote(nil, code))
		b.WriteString(`}}}]}`)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

var sizes = []struct {
	name string
	body []byte
}{{"15KB", conversation(16, 1000)}, {"400KB", conversation(301, 1750)}, {"800KB", conversation(601, 1750)}}

func BenchmarkPassThrough(b *testing.B) {
	var c gemini.Codec
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
	var c gemini.Codec
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
	line := func(part, rest string) {
		b = fmt.Appendf(b, `data: {"candidates":[{"content":{"parts":[%s],"role":"model"},"index":0%s}],"usageMetadata":{"promptTokenCount":180,`+
			`"candidatesTokenCount":31,"totalTokenCount":211,"promptTokensDetails":[{"modality":"TEXT","tokenCount":180}]},`+
			`"modelVersion":"tern-8b","responseId":"r1"}`+"\r\n\r\n", part, rest)
	}
	for i := range n {
		line(fmt.Sprintf(`{"text":"word %d "}`, i), "")
	}
	line(`{"functionCall":{"name":"tool1","args":{"path":"a/b.go","first":7},"id":"call1"},"thoughtSignature":"++//AAAA"}`, "")
	line(`{"text":""}`, `,"finishReason":"STOP"`)
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
				r := sse.NewReader(bytes.NewReader(raw))
				d := gemini.Codec{}.NewStreamDecoder()
				e := gemini.Codec{}.NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
				out = out[:0]
				for more := true; more; {
					ev, err := r.Next()
					if more = !errors.Is(err, io.EOF); more {
						events, err = d.Feed(ev, events[:0])
					} else {
						events, err = d.Close(events[:0])
					}
					if err != nil {
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
