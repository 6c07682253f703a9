package reliable_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/reliable"
)

// A fixed is a Model that gives the same answer to everybody.
type fixed struct {
	scripted
	resp callwright.Response
}

func (f *fixed) SharedCaps() *caps.Caps { return &f.caps }

func (f *fixed) Generate(context.Context, *callwright.Request) (*callwright.Response, error) {
	out := f.resp
	return &out, nil
}

func (f *fixed) Batches(context.Context, *callwright.Request) iter.Seq2[callwright.Batch, error] {
	b := f.resp.Batch()
	return func(yield func(callwright.Batch, error) bool) { yield(b, nil) }
}

// BenchmarkGenerate is the way of a request with ten tools through a Client whose model answers at once.
func BenchmarkGenerate(b *testing.B) {
	var tools []string
	for i := range 10 {
		tools = append(tools, fmt.Sprintf(`{"type":"function","function":{"name":"tool_%d","parameters":{"type":"object","properties":{"path":{"type":"string"},"mode":{"enum":["read","write"]}},"required":["path"]}}}`, i))
	}
	body := `{"model":"m","max_tokens":1024,"messages":[{"role":"user","content":"Apply the patch."}],"tools":[` + strings.Join(tools, ",") + `]}`
	const call = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":%s,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"tool_3","arguments":"{\"path\":\"/srv/main.go\",\"mode\":\"read\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`
	answers := map[string]func() (*callwright.Response, error){
		"call": func() (*callwright.Response, error) {
			return openai.Codec{}.DecodeResponse(fmt.Appendf(nil, call, "null"))
		},
		"marks": func() (*callwright.Response, error) {
			return openai.Codec{}.DecodeResponse(fmt.Appendf(nil, call, "\"Let me look at `main.go` (the entry).\""))
		},
		"text call": func() (*callwright.Response, error) {
			return openai.Codec{}.DecodeResponse(fmt.Appendf(nil, call, `"Let me look at the file first."`))
		},
		"other wire": func() (*callwright.Response, error) {
			return anthropic.Codec{}.DecodeResponse([]byte(`{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Let me look at the file first."},{"type":"tool_use","id":"call_1","name":"tool_3","input":{"path":"/srv/main.go","mode":"read"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}`))
		},
	}
	for _, name := range []string{"call", "text call", "marks", "other wire"} {
		resp, err := answers[name]()
		if err != nil {
			b.Fatal(err)
		}
		req, err := openai.Codec{}.DecodeRequest([]byte(body))
		if err != nil {
			b.Fatal(err)
		}
		c := reliable.New(&fixed{scripted{name: "lab/m"}, *resp})
		b.Run("whole/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if got, err := c.Generate(context.Background(), req); err != nil || len(got.Calls()) != 1 {
					b.Fatal(got, err)
				}
			}
		})
		b.Run("stream/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range c.Stream(context.Background(), req) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
