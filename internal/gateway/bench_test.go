package gateway_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
)

// canned answers every request of its wire with the same bytes, without a network.
type canned map[string][2]string // by path: whole, streamed

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	defer r.Body.Close() // as transports do, for what it holds is used again then
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	body, kind := c[r.URL.Path][0], "application/json"
	if bytes.Contains(raw[:min(len(raw), 64)], []byte(`"stream":true`)) || bytes.Contains(raw[max(0, len(raw)-200):], []byte(`"stream":true`)) {
		body, kind = c[r.URL.Path][1], "text/event-stream"
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r}, nil
}

var benchArguments = `{"path":"/srv/app/main.go","patch":"` + strings.Repeat(`+ line of code\n`, 30) + `"}`

func benchAnswers() canned {
	args := callwrightQuote(benchArguments)
	var openai, anthropic strings.Builder
	openai.WriteString(`data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"tool_3","arguments":""}}]},"finish_reason":null}]}` + "\n\n")
	anthropic.WriteString("event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"model\":\"m\",\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n" +
		"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"call_1\",\"name\":\"tool_3\",\"input\":{}}}\n\n")
	for i := range 60 {
		piece := callwrightQuote(benchArguments[len(benchArguments)*i/60 : len(benchArguments)*(i+1)/60])
		fmt.Fprintf(&openai, `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":%s}}]},"finish_reason":null}]}`+"\n\n", piece)
		fmt.Fprintf(&anthropic, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":%s}}\n\n", piece)
	}
	openai.WriteString(`data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n")
	anthropic.WriteString("event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n" +
		"event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":9}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n")
	return canned{
		chat:     {`{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"tool_3","arguments":` + args + `}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`, openai.String()},
		messages: {`{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"call_1","name":"tool_3","input":` + benchArguments + `}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}`, anthropic.String()},
	}
}

// benchBody returns a request with ten tools and a history of so many messages.
func benchBody(path, model, more string, history int) string {
	return benchBodyOf(&benchPath{path: path, model: model, more: more, history: history}, history)
}

// benchBodyOf returns a request of a path with a history of so many messages.
func benchBodyOf(p *benchPath, history int) string {
	path, model, more := p.path, p.model, p.more
	schema := `{"type":"object","properties":{"path":{"type":"string","description":"` + strings.Repeat("where it is ", 30) + `"},"patch":{"type":"string","description":"` +
		strings.Repeat("what changes ", 30) + `"},"line":{"type":"integer","minimum":0},"mode":{"enum":["read","write"]}},"required":["path"],"additionalProperties":false}`
	var tools, turns []string
	for i := range cmp.Or(p.tools, 10) {
		if path == messages {
			tools = append(tools, fmt.Sprintf(`{"name":"tool_%d","description":"Edits.","input_schema":%s}`, i, schema))
		} else {
			tools = append(tools, fmt.Sprintf(`{"type":"function","function":{"name":"tool_%d","description":"Edits.","parameters":%s}}`, i, schema))
		}
	}
	prose, output := callwrightQuote(strings.Repeat("Look at \"this\" module,\n please. ", 25)), callwrightQuote(strings.Repeat("output of the tool\n", 120))
	for i := 0; i < history; i += 4 {
		call, result := `{"role":"assistant","content":null,"tool_calls":[{"id":"call_%d","type":"function","function":{"name":"tool_1","arguments":`+callwrightQuote(benchArguments)+`}}]}`, `{"role":"tool","tool_call_id":"call_%d","content":`+output+`}`
		if path == messages {
			call, result = `{"role":"assistant","content":[{"type":"tool_use","id":"call_%d","name":"tool_1","input":`+benchArguments+`}]}`, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_%d","content":`+output+`}]}`
		}
		turns = append(turns, `{"role":"user","content":`+prose+`}`, strings.Replace(call, "call_%d", fmt.Sprint("call_1", i), 1),
			strings.Replace(result, "call_%d", fmt.Sprint("call_1", i), 1), `{"role":"assistant","content":`+prose+`}`)
	}
	turns = append(turns, `{"role":"user","content":"Apply the patch."}`)
	return `{"model":"` + model + `","max_tokens":1024` + more + `,"messages":[` + strings.Join(turns, ",") + `],"tools":[` + strings.Join(tools, ",") + `]}`
}

func callwrightQuote(s string) string { return fmt.Sprintf("%q", s) }

// A benchPath is a way through the gateway: what a client asks, and of which model.
type benchPath struct {
	name, path, model, more string
	history                 int
	tools                   int  // 0 for ten
	grows                   bool // each request has one turn more than the one before
}

var benchPaths = []benchPath{
	{"pass-through/whole/15KB", chat, "openai/m", "", 0, 0, false},
	{"pass-through/stream/60", chat, "openai/m", `,"stream":true`, 0, 0, false},
	{"pass-through/whole/400KB", chat, "openai/m", "", 300, 0, false},
	{"openai-to-anthropic/whole/15KB", chat, "anthropic/m", "", 0, 0, false},
	{"openai-to-anthropic/stream/60", chat, "anthropic/m", `,"stream":true`, 0, 0, false},
	{"anthropic-to-openai/whole/15KB", messages, "openai/m", "", 0, 0, false},
	{"anthropic-to-openai/stream/60", messages, "openai/m", `,"stream":true`, 0, 0, false},
	{"anthropic-to-openai/whole/400KB", messages, "openai/m", "", 300, 0, false},
	{"pass-through/whole/1.2MB", chat, "openai/m", "", 900, 0, false},
	{"pass-through/whole/200tools", chat, "openai/m", "", 0, 200, false},
	{"pass-through/whole/1000tools", chat, "openai/m", "", 0, 1000, false},
	{"pass-through/growing/400KB", chat, "openai/m", "", 300, 0, true},
	{"anthropic-to-openai/whole/200tools", messages, "openai/m", "", 0, 200, false},
	{"anthropic-to-openai/growing/400KB", messages, "openai/m", "", 300, 0, true},
}

func BenchmarkGateway(b *testing.B) {
	d := directory{}
	for _, c := range []provider.Config{
		{Name: "openai", Wire: callwright.WireOpenAI, BaseURL: "http://upstream/v1"},
		{Name: "anthropic", Wire: callwright.WireAnthropic, BaseURL: "http://upstream"},
	} {
		c.APIKey, c.Transport = provider.NewSecret("k"), benchAnswers()
		p, err := provider.New(c)
		if err != nil {
			b.Fatal(err)
		}
		defer p.Close()
		d[c.Name] = p
	}
	s := gateway.New(gateway.Config{Reuse: gateway.Reuse{Bodies: true}, Models: cachedDirectory(d)})
	for _, bc := range benchPaths {
		b.Run(bc.name, func(b *testing.B) {
			body := benchBodyOf(&bc, bc.history)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			var answer bytes.Buffer // used again, since long answers would cost more than what is measured
			for b.Loop() {
				r := httptest.NewRequest(http.MethodPost, bc.path, strings.NewReader(body))
				r.Host = "localhost"
				r.Header.Set("Content-Type", "application/json")
				answer.Reset()
				w := httptest.NewRecorder()
				w.Body = &answer
				s.ServeHTTP(w, r)
				if w.Code != 200 || !bytes.Contains(answer.Bytes(), []byte("call_1")) {
					b.Fatalf("%d %s", w.Code, w.Body)
				}
			}
		})
	}
}

// cachedDirectory keeps its clients, as a gateway's directory does.
func cachedDirectory(d directory) gateway.Models {
	clients := map[string]*reliable.Client{}
	for _, name := range []string{"openai/m", "anthropic/m"} {
		c, err := d.Resolve(name)
		if err != nil {
			panic(err)
		}
		clients[name] = c
	}
	return fixedModels{d, clients}
}

type fixedModels struct {
	directory
	clients map[string]*reliable.Client
}

func (f fixedModels) Resolve(name string) (*reliable.Client, error) { return f.clients[name], nil }
