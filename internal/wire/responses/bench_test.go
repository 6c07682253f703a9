package responses_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/sse"
)

// conversation is a request with n items of about size bytes each: questions, calls, outputs of code.
func conversation(n, size int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"model":"lab/tern","stream":true,"temperature":0.7,"store":false,"instructions":"Help.","tools":[`)
	for i := range 12 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"type":"function","name":"tool%d","description":"Reads a part of a file and gives it with line numbers.",`+
			`"parameters":{"type":"object","properties":{"path":{"type":"string"},"first":{"type":"integer"}},"required":["path"]},"strict":false}`, i)
	}
	b.WriteString(`],"input":[{"role":"developer","content":"Go on."}`)
	code := strings.Repeat("func main() {\n\tfmt.Println(\"hello\")\n}\n", 1+size/38)[:size]
	prose := strings.Repeat("The quick brown fox jumps over the lazy dög. ", 1+size/45)[:size-1]
	for i := range (n - 1) / 3 {
		b.WriteString(`,{"role":"user","content":`)
		b.Write(jsonx.AppendQuote(nil, prose))
		fmt.Fprintf(&b, `},{"type":"function_call","call_id":"call_%d","name":"tool1",`+
			`"arguments":"{\"path\":\"a/b.go\",\"first\":%d}"},{"type":"function_call_output","call_id":"call_%d","output":`, i, i, i)
		b.Write(jsonx.AppendQuote(nil, code))
		b.WriteString(`}`)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

func BenchmarkRequests(b *testing.B) { wiretest.BenchRequests(b, responses.Codec{}, conversation) }

// deltas is a stream of n deltas: half text, half arguments.
func deltas(n int) []byte {
	var b []byte
	seq := 0
	event := func(name, rest string) {
		b = sse.Append(b, name, fmt.Appendf(nil, `{"type":%q,%s,"sequence_number":%d}`, name, rest, seq))
		seq++
	}
	const head = `"object":"response","created_at":1700000000,"model":"tern","error":null,"incomplete_details":null,"metadata":{},"store":false`
	event("response.created", `"response":{"id":"resp_1",`+head+`,"status":"in_progress","output":[],"usage":null}`)
	event("response.output_item.added", `"output_index":0,"item":{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]}`)
	event("response.content_part.added", `"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}`)
	said, args := "", `{"a":[`
	for i := range n / 2 {
		word := fmt.Sprintf("word %d ", i)
		said += word
		event("response.output_text.delta", fmt.Sprintf(`"item_id":"msg_1","output_index":0,"content_index":0,"delta":%q,"logprobs":[]`, word))
	}
	part := fmt.Sprintf(`{"type":"output_text","text":%q,"annotations":[]}`, said)
	message := `{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[` + part + `]}`
	event("response.output_text.done", fmt.Sprintf(`"item_id":"msg_1","output_index":0,"content_index":0,"text":%q`, said))
	event("response.content_part.done", `"item_id":"msg_1","output_index":0,"content_index":0,"part":`+part)
	event("response.output_item.done", `"output_index":0,"item":`+message)
	const call = `{"id":"fc_1","type":"function_call","call_id":"call_1","name":"tool1","status":%q,"arguments":%q}`
	event("response.output_item.added", `"output_index":1,"item":`+fmt.Sprintf(call, "in_progress", ""))
	piece := func(s string) {
		event("response.function_call_arguments.delta", fmt.Sprintf(`"item_id":"fc_1","output_index":1,"delta":%q`, s))
	}
	piece(args)
	for range n / 2 {
		args += "1234,"
		piece("1234,")
	}
	args += "0]}"
	piece("0]}")
	event("response.function_call_arguments.done", fmt.Sprintf(`"item_id":"fc_1","output_index":1,"arguments":%q`, args))
	whole := fmt.Sprintf(call, "completed", args)
	event("response.output_item.done", `"output_index":1,"item":`+whole)
	event("response.completed", `"response":{"id":"resp_1",`+head+`,"status":"completed","output":[`+message+`,`+whole+`],"usage":null}`)
	return b
}

func BenchmarkAnswers(b *testing.B) { wiretest.BenchAnswers(b, responses.Codec{}) }

func BenchmarkStream(b *testing.B) { wiretest.BenchStream(b, responses.Codec{}, deltas(60)) }
