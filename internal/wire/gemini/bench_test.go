package gemini_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/gemini"
	"github.com/callwright/callwright/internal/wire/wiretest"
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

func BenchmarkRequests(b *testing.B) { wiretest.BenchRequests(b, gemini.Codec{}, conversation) }

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

func BenchmarkAnswers(b *testing.B) { wiretest.BenchAnswers(b, gemini.Codec{}) }

func BenchmarkStream(b *testing.B) { wiretest.BenchStream(b, gemini.Codec{}, deltas(60)) }
