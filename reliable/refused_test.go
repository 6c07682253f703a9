package reliable_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// A refusingServer refuses requests with some words as long as their bodies have what it does not take, and answers others as a simulated
// model does.
type refusingServer struct {
	lacks    func(body string) bool
	words    string
	status   int
	next     http.RoundTripper
	statuses []int
}

func (s *refusingServer) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if s.lacks != nil && s.lacks(string(body)) {
		s.statuses = append(s.statuses, s.status)
		text := `{"error":{"message":` + string(jsonx.AppendQuote(nil, s.words)) + `}}`
		return &http.Response{StatusCode: s.status, Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: int64(len(text)), Body: io.NopCloser(strings.NewReader(text)), Request: r}, nil
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	resp, err := s.next.RoundTrip(r)
	if err == nil {
		s.statuses = append(s.statuses, resp.StatusCode)
	}
	return resp, err
}

// has is what a server does not take: a body with a piece of text.
func has(text string) func(string) bool {
	return func(body string) bool { return strings.Contains(body, text) }
}

// patterned are tools of which one has what engines make no grammar of.
func patterned(req *callwright.Request, _ callwright.WireName) {
	req.Tools = []callwright.Tool{{Name: "get_weather", Schema: []byte(
		`{"type":"object","properties":{"city":{"type":"string","pattern":"\\w+"},"days":{"type":"array","items":{"type":"integer","multipleOf":2},"minItems":1}},"required":["city"]}`)}}
}

// closedTools are two tools that have the same keyword.
func closedTools(req *callwright.Request, _ callwright.WireName) {
	req.Tools = nil
	for _, name := range []string{"get_weather", "get_news"} {
		req.Tools = append(req.Tools, callwright.Tool{Name: name, Schema: []byte(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`)})
	}
}

func strictTool(req *callwright.Request, said callwright.WireName) {
	req.Tools = []callwright.Tool{{Name: "get_weather", Strict: new(true), Extra: callwright.Extra{Wire: said}, Schema: []byte(
		`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`)}}
}

func reasoning(req *callwright.Request, _ callwright.WireName) { req.Params.Thinking.Effort = "high" }

// refusedCases are requests that a provider refuses, by the words for it.
var refusedCases = map[string]struct {
	wires  []callwright.WireName
	model  string
	change func(*callwright.Request, callwright.WireName)
	server refusingServer
	first  int // how many requests the first answer takes
}{
	"llama.cpp takes no such pattern": {[]callwright.WireName{callwright.WireOpenAI}, "grammar_400", patterned, refusingServer{}, 2},
	"a server makes no grammar of a keyword": {plainWires, "m", patterned,
		refusingServer{lacks: has(`"multipleOf"`), status: 400, words: "The provided JSON schema contains features not supported by xgrammar."}, 2},
	"a server makes no grammar of any schema": {plainWires, "m", patterned,
		refusingServer{lacks: has(`"required":["city"]`), status: 400, words: "Failed to initialize samplers: failed to parse grammar"}, 3},
	"a server makes none, behind a gateway": {plainWires, "m", patterned,
		refusingServer{lacks: has(`"multipleOf"`), status: 500, words: `litellm.InternalServerError: Hosted_vllmException - {"error":{"message":"Grammar error: Unimplemented keys: [\"multipleOf\"]"}}`}, 2},
	"Gemini behind another surface": {[]callwright.WireName{callwright.WireOpenAI, callwright.WireResponses}, "m", patterned, refusingServer{lacks: has(`"multipleOf"`), status: 400,
		words: `Invalid JSON payload received. Unknown name "multipleOf" at 'tools[0].function_declarations[0].parameters.properties[1].value.items': Cannot find field.`}, 2},
	"a keyword that no tool may have": {[]callwright.WireName{callwright.WireOpenAI, callwright.WireResponses}, "m", closedTools, refusingServer{lacks: has(`"additionalProperties"`), status: 400,
		words: "Invalid schema for function 'get_weather': In context=(), 'additionalProperties' is not permitted."}, 2},
	"strict by its place":       {strictWires, "m", strictTool, refusingServer{lacks: has(`"strict":true`), status: 400, words: "tools.0.custom.strict: Extra inputs are not permitted"}, 2},
	"strict by its place below": {strictWires, "m", strictTool, refusingServer{lacks: has(`"strict":true`), status: 400, words: "Unknown parameter: 'tools[0].function.strict'."}, 2},
	"strict by its name":        {strictWires, "m", strictTool, refusingServer{lacks: has(`"strict":true`), status: 422, words: "Unrecognized key(s) in object: 'strict'"}, 2},
	"strict in words":           {strictWires, "m", strictTool, refusingServer{lacks: has(`"strict":true`), status: 400, words: "Strict tools are not supported by this model."}, 2},
	"strict at any value":       {[]callwright.WireName{callwright.WireOpenAI, callwright.WireAnthropic}, "m", strictTool, refusingServer{lacks: has(`"strict":`), status: 400, words: "tools.0.function.strict: Extra inputs are not permitted"}, 2},
	"reasoning": {nil, "m", reasoning, refusingServer{lacks: func(body string) bool {
		return strings.Contains(body, `"reasoning_effort"`) || strings.Contains(body, `"reasoning":`) || strings.Contains(body, `"think`)
	}, status: 400, words: "tern does not support thinking"}, 2},
}

var strictWires = []callwright.WireName{callwright.WireOpenAI, callwright.WireResponses, callwright.WireAnthropic}

// plainWires are those over which schemas are sent as they came where nothing is known of the provider.
var plainWires = []callwright.WireName{callwright.WireOpenAI, callwright.WireResponses, callwright.WireAnthropic, callwright.WireOllama}

var allWires = []callwright.WireName{callwright.WireOpenAI, callwright.WireResponses, callwright.WireAnthropic, callwright.WireGemini, callwright.WireOllama}

// What a provider refuses is learned: the first request is made again without it, in the same mode, and the next is not refused at all.
func TestRefusedOnce(t *testing.T) {
	for name, c := range refusedCases {
		wires := c.wires
		if wires == nil {
			wires = allWires
		}
		for _, w := range wires {
			t.Run(fmt.Sprintf("%s/%s", name, w), func(t *testing.T) {
				server := c.server
				server.next = simulate.NewTransport(simulate.New(simulate.Weather()))
				p, err := provider.New(provider.Config{Name: "lab", Wire: w, BaseURL: "http://127.0.0.1:1", APIKey: provider.NewSecret("k"), Transport: &server})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(p.Close)
				client := reliable.New(p.Model(c.model), reliable.WithCapsStore(caps.NewMemory(nil)))
				for i, want := range []int{c.first, 1} {
					server.statuses = nil
					req := ask(callwright.Choice{})
					req.Model = ""
					c.change(req, w)
					resp, err := client.Generate(t.Context(), req)
					if err != nil {
						t.Fatalf("request %d: %v, %v", i, err, server.statuses)
					}
					if resp.Report.Mode != caps.Native || len(resp.Calls()) != 1 {
						t.Errorf("request %d: %d calls in mode %s", i, len(resp.Calls()), resp.Report.Mode)
					}
					if len(server.statuses) != want {
						t.Errorf("request %d: took %v", i, server.statuses)
					}
				}
			})
		}
	}
}
