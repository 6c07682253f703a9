package trace_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// clientRequest is a request as an agent sends it: many tools, and a conversation of some turns with calls.
func clientRequest() []byte {
	var tools, turns []string
	for i := range 20 {
		tools = append(tools, fmt.Sprintf(`{"type":"function","function":{"name":"tool_%d","description":"%s","parameters":{"type":"object","properties":{"path":{"type":"string","description":"%s"},"count":{"type":"integer","minimum":0}},"required":["path"]}}}`,
			i, strings.Repeat("Says what it does. ", 20), strings.Repeat("what it is for ", 8)))
	}
	for i := range 8 {
		turns = append(turns, fmt.Sprintf(`{"role":"user","content":"%s"},{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"tool_1","arguments":"{\"path\":\"a\"}"}}]},{"role":"tool","tool_call_id":"c%d","content":"%s"}`,
			strings.Repeat("please ", 10), i, i, strings.Repeat("found it\\n", 20)))
	}
	return []byte(`{"model":"m","messages":[` + strings.Join(turns, ",") + `],"tools":[` + strings.Join(tools, ",") + `]}`)
}

// BenchmarkRecord records a request of a client again and again, with its contents and without.
func BenchmarkRecord(b *testing.B) {
	codec, ok := codecs.Of(callwright.WireOpenAI)
	if !ok {
		b.Fatal("no codec")
	}
	body := clientRequest()
	for name, opts := range map[string][]trace.Option{"content": nil, "bare": {trace.WithoutContent()}} {
		b.Run(name, func(b *testing.B) {
			m := trace.Record(&scripted{resp: answer()}, trace.NewWriter(io.Discard, opts...))
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				req, err := codec.DecodeRequest(body)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := m.Generate(b.Context(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
