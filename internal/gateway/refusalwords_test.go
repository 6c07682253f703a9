package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// A refuser is a server that refuses requests with something in them.
type refuser struct {
	http.Handler

	mu      sync.Mutex
	refuses func(body []byte) bool
	words   string // of the body of the error
	bodies  [][]byte
}

func (r *refuser) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	req.Body = io.NopCloser(bytes.NewReader(body))
	r.mu.Lock()
	r.bodies = append(r.bodies, body)
	refused, words := r.refuses(body), r.words
	r.mu.Unlock()
	if refused {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, words)
		return
	}
	r.Handler.ServeHTTP(w, req)
}

// matches is a test of a body.
func matches(pattern string) func([]byte) bool { return regexp.MustCompile(pattern).Match }

// wordedRefusals are words by which servers refuse a thing, and whether a body has it. more are the members of a request with the thing, beside the
// model and the message; native says that the tools are still sent where it is refused.
var wordedRefusals = []struct {
	about, more string
	has         func(body []byte) bool
	native      bool
	words       []string
}{
	{"calls in streams", `"stream":true,"tools":[` + weatherTool + `]`, matches(`(?s)"stream":true.*"tools":\[|"tools":\[.*"stream":true`), true, []string{
		"Streaming is not supported when tools are used",
		"Tool calling is not supported in streaming mode",
		"This model doesn't support tool use in streaming mode.",
		"stream must be false when tools are provided",
		"Tools cannot be used with stream=true",
		"Function calling with streaming is currently not supported",
		"'stream' is not supported with 'tools'",
		"Stream mode does not support function call",
		"tools are not supported with stream",
		"Tool use is not available for streaming requests",
		"Currently only non-streaming requests can use tools",
	}},
	{"schemas of answers", `"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":{"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"]}}}`,
		matches(`"type":"json_schema"`), false, []string{
			"'response_format.type' must be 'json_object' or 'text'",
			"This response_format type is unavailable now",
			"response_format value must be one of [text, json_object]",
			"response_format.type must be text or json_object",
			"invalid response_format: expected one of text, json_object",
			"Unsupported response_format type: json_schema",
			"Invalid value: 'json_schema'. Supported values are: 'text' and 'json_object'.",
			"response_format.type: unknown variant `json_schema`, expected `text` or `json_object`",
			"json_schema response format is not supported",
			"Structured outputs are not supported by this model",
		}},
	{"first characters of names", `"tools":[` + strings.Replace(weatherTool, "get_weather", "2d_weather", 1) + `]`, matches(`"name":"[^a-z]`), true, []string{
		"tool name must start with a letter",
		"Invalid request: function name is invalid, must start with a letter and can contain letters, numbers, underscores, and dashes",
		"Function name must start with an alphabetic character",
		"Invalid function name: Names must begin with a letter",
		"Invalid tool name '2d_weather': must match ^[a-zA-Z][a-zA-Z0-9_-]*$",
		"tools[0].function.name contains invalid characters",
	}},
	{"underscores before names", `"tools":[` + strings.Replace(weatherTool, "get_weather", "_get_weather", 1) + `]`, matches(`"name":"[^a-z]`), true, []string{
		"tool name must start with a letter",
	}},
	{"custom tools", `"tools":[` + weatherTool + `,{"type":"custom","custom":{"name":"apply_patch","description":"Patches."}}]`, matches(`"type":"custom"`), true, []string{
		"'type' of tool must be 'function'",
		"tools[1].type must be 'function'",
		"tools[1].type must be one of the following: function",
		"tools[1]: missing field `function`",
		"body.tools.1.type: Input should be 'function'",
		"body.tools.1.function: Field required",
		"Only function tools are supported",
		"Invalid tool type 'custom', expected 'function'",
	}},
}

const weatherTool = `{"type":"function","function":{"name":"get_weather","parameters":` + simulate.WeatherSchema + `}}`

// A refusal teaches the thing that it names, whatever its words: the request is sent again without that thing alone, and the next one is sent so at once.
func TestWordsOfRefusals(t *testing.T) {
	up := &refuser{Handler: simulate.New(simulate.Weather())}
	far := httptest.NewServer(up)
	t.Cleanup(far.Close)
	p, clients := providerAt(t, callwright.WireOpenAI, far.URL), kept{}
	srv := serve(t, gateway.Config{Models: clients})
	n := 0
	for _, c := range wordedRefusals {
		for _, words := range c.words {
			n++
			model := fmt.Sprint("m", n)
			clients[model] = reliable.New(p.Model(model))
			up.refuses, up.words = c.has, fmt.Sprintf(`{"error":{"message":%q,"type":"invalid_request_error","param":null,"code":null}}`, words)
			for i, want := range []int{2, 1} {
				up.bodies = nil
				got := post(t, srv.URL+chat, fmt.Sprintf(`{"model":%q,"messages":[{"role":"user","content":"What is the weather in Oslo?"}],%s}`, model, c.more))
				if got.status != 200 || len(up.bodies) != want {
					t.Errorf("%s, %q, request %d: status %d after %d requests, want %d: %s", c.about, words, i, got.status, len(up.bodies), want, got.body)
					continue
				}
				if strings.Contains(got.body, `"system_fingerprint":null`) && strings.HasPrefix(got.body, "data:") {
					t.Errorf("%s, %q: null in a chunk: %s", c.about, words, got.body) // OpenAI's schema has a text or none there
				}
				if last := up.bodies[want-1]; c.has(last) || c.native != bytes.Contains(last, []byte(`"tools":[`)) {
					t.Errorf("%s, %q, request %d: sent %s", c.about, words, i, last)
				}
			}
		}
	}
}
