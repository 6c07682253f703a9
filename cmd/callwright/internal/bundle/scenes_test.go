package bundle_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// A scene is a request that ends in a known fault, with the side that broke it.
type scene struct {
	name   string
	at     callwright.WireName // of the provider
	client callwright.WireName
	model  string // a model of the simulator, which shows a fault
	stream bool
	side   string // the label, "" where no side is certain

	provider string // further settings of the provider, in YAML
	settings string // settings of the model, in YAML
	body     string // the client's request, with MODEL for the model's name; "" asks for the weather
	up       http.HandlerFunc
	around   func(callwright.Model) callwright.Model
}

// hermes says that the model's own format is that of Hermes.
const hermes = "caps: {dialect: hermes}"

// The labels say who broke what, by what the wire shows: the model by the tokens that it wrote, the engine by its prompt template, its parser and
// its stream, the provider by its API, its limits and its network, the client by its request. Where two are possible none is certain.
var scenes = []scene{
	// A call in the text, though tools were sent by the API.
	{name: "call in tags, the model's own format", at: "openai", client: "openai", model: "hermes-plain", settings: hermes, side: "engine"},
	{name: "call in tags without a closer, the model's own format", at: "ollama", client: "anthropic", model: "hermes-unclosed", settings: hermes, stream: true, side: "engine"},
	{name: "call in parameter tags, not the model's own format", at: "openai", client: "responses", model: "qwen3xml-plain", settings: hermes, side: "model"},
	{name: "bare JSON, no format known", at: "openai", client: "openai", model: "text_json-bare", side: ""},
	{name: "call in the reasoning alone", at: "openai", client: "openai", model: "in_think-only", side: ""},

	// Arguments and names are the model's tokens.
	{name: "trailing comma", at: "openai", client: "anthropic", model: "json_damage-trailing_comma", side: "model"},
	{name: "no closing brace", at: "openai", client: "gemini", model: "json_damage-missing_brace", stream: true, side: "model"},
	{name: "single quotes", at: "responses", client: "openai", model: "json_damage-single_quotes", side: "model"},
	{name: "array as a string", at: "anthropic", client: "openai", model: "stringify-array", side: "model"},
	{name: "placeholder", at: "gemini", client: "openai", model: "optional_placeholder-empty", side: "model"},
	{name: "undeclared tool", at: "openai", client: "openai", model: "bad_name-unknown", side: "model"},
	{name: "prefix before the name", at: "openai", client: "ollama", model: "bad_name-prefix", side: "model"},
	{name: "argument names in other case", at: "ollama", client: "ollama", model: "key_rename", side: "model"},
	{name: "required argument missing once", at: "anthropic", client: "anthropic", model: "wrong_then_right", side: "model"},
	{name: "required argument always missing", at: "openai", client: "openai", model: "never_right", side: "model"},
	{name: "arguments encoded twice", at: "openai", client: "openai", model: "double_encode", side: ""},
	{name: "cut at the limit", at: "openai", client: "openai", model: "truncate-at", side: ""},
	{name: "malformed call of Gemini", at: "gemini", client: "openai", model: "gemini_malformed-call", side: "model"},
	{name: "empty answer", at: "openai", client: "openai", model: "empty_turn", side: ""},

	// Ids, indexes, finish reasons and forms are written by the engine.
	{name: "arguments as an object", at: "openai", client: "openai", model: "args_as_object", side: "engine"},
	{name: "one id for two calls", at: "openai", client: "anthropic", model: "id-dup", side: "engine", body: twoCities},
	{name: "empty ids", at: "openai", client: "openai", model: "id-empty", stream: true, side: "engine"},
	{name: "one index for all calls", at: "openai", client: "openai", model: "index-all0", stream: true, side: "engine", body: twoCities},
	{name: "index drifts", at: "openai", client: "responses", model: "index_drift", stream: true, side: "engine", body: twoCities},
	{name: "finish stop with calls", at: "openai", client: "anthropic", model: "finish-stop_with_calls", side: "engine"},
	{name: "parser error that quotes the call", at: "openai", client: "openai", model: "engine500_with_payload", side: "engine"},
	{name: "parser error without the call", at: "openai", client: "openai", model: "engine500_parser", side: "engine"},
	{name: "forced choice not held", at: "openai", client: "openai", model: "forced_choice_ignored", side: "engine", body: forced},

	// Refusals, limits and connections are the provider's.
	{name: "call refused by the provider", at: "openai", client: "openai", model: "groq_failed-call", side: "provider"},
	{name: "no tools", at: "openai", client: "openai", model: "no_tools_400", side: "provider"},
	{name: "forced choice refused", at: "openai", client: "openai", model: "forced_choice_400", side: "provider", body: forced},
	{name: "broken off", at: "openai", client: "openai", model: "midstream-cut", stream: true, side: "provider"},
	{name: "error inside the answer", at: "anthropic", client: "openai", model: "midstream-inband", stream: true, side: "provider"},
	{name: "status 500", at: "openai", client: "openai", model: "500", side: "provider"},
	{name: "status 503", at: "gemini", client: "anthropic", model: "503", side: "provider"},
	{name: "status 529", at: "anthropic", client: "anthropic", model: "529", side: "provider"},
	{name: "rate limit", at: "openai", client: "openai", model: "429-retry_after", side: "provider"},
	{name: "no JSON at all", at: "openai", client: "openai", model: "m", side: "provider", up: says(200, "text/html", "<html>Welcome to nginx!</html>")},

	// The request is the client's.
	{name: "result without its call", at: "openai", client: "openai", model: "native", side: "client", body: orphanResult},
	{name: "call without its result", at: "openai", client: "openai", model: "native", side: "client", body: orphanCall},
	{name: "broken arguments in the history", at: "anthropic", client: "openai", model: "native", side: "client", body: badArguments},
	{name: "one id for two calls of the history", at: "openai", client: "openai", model: "native", side: "client", body: duplicateIDs},
	{name: "choice of an undeclared tool", at: "openai", client: "openai", model: "native", side: "client", body: unknownChoice},
	{name: "schema that is none", at: "openai", client: "openai", model: "native", side: "client", body: brokenSchema},
	{name: "longer than the context", at: "openai", client: "openai", model: "m", side: "client",
		up: says(400, "application/json", `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.","type":"invalid_request_error","code":"context_length_exceeded"}}`)},
	{name: "request refused as it came", at: "openai", client: "openai", model: "m", side: "client",
		up: says(400, "application/json", `{"error":{"message":"Invalid value for 'user'","type":"invalid_request_error","param":"user"}}`)},

	// Not certain: the request was written by the gateway, in another API.
	{name: "request refused that was translated", at: "openai", client: "anthropic", model: "m", side: "",
		up: says(400, "application/json", `{"error":{"message":"Invalid value for 'messages'","type":"invalid_request_error","param":"messages"}}`)},
	{name: "key refused", at: "openai", client: "openai", model: "m", side: "", up: says(401, "application/json", `{"error":{"message":"Incorrect API key provided"}}`)},

	// Faults of the gateway, which a hook makes.
	{name: "gateway lets an invalid call out", at: "openai", client: "openai", model: "native", side: "callwright", around: breakCalls(`{"city": 5}`, "")},
	{name: "gateway lets an undeclared call out", at: "openai", client: "openai", model: "native", side: "callwright", around: breakCalls(`{"city": "Oslo"}`, "no_such_tool")},
	{name: "gateway fails", at: "openai", client: "openai", model: "native", side: "callwright", around: failInside},
}

const (
	weatherTool = `{"type":"function","function":{"name":"get_weather","description":"Tells the weather","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}`

	filler = `{"role":"system","content":"You are a helpful assistant. Answer in short sentences, and never make anything up."},{"role":"user","content":"Hello there, how are you?"},{"role":"assistant","content":"I am well. How can I help you today?"},`

	twoCities    = `{"model":"MODEL","messages":[` + filler + `{"role":"user","content":"What is the weather in Oslo and in Rome?"}],"tools":[` + weatherTool + `]}`
	forced       = `{"model":"MODEL","messages":[` + filler + `{"role":"user","content":"What is the weather in Oslo?"}],"tools":[` + weatherTool + `],"tool_choice":"required"}`
	orphanResult = `{"model":"MODEL","messages":[` + filler + `{"role":"user","content":"What is the weather in Oslo?"},{"role":"tool","tool_call_id":"call_abc","content":"3 degrees"},{"role":"user","content":"And?"}],"tools":[` + weatherTool + `]}`
	orphanCall   = `{"model":"MODEL","messages":[` + filler + `{"role":"user","content":"What is the weather in Oslo?"},` + oneCall + `,{"role":"user","content":"And?"}],"tools":[` + weatherTool + `]}`
	oneCall      = `{"role":"assistant","content":null,"tool_calls":[{"id":"call_abc","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}`
	badArguments = `{"model":"MODEL","messages":[` + filler + `{"role":"user","content":"What is the weather in Oslo?"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_abc","type":"function","function":{"name":"get_weather","arguments":"{\"city\":"}}]},` +
		`{"role":"tool","tool_call_id":"call_abc","content":"3 degrees"}],"tools":[` + weatherTool + `]}`
	duplicateIDs = `{"model":"MODEL","messages":[` + filler + `{"role":"user","content":"What is the weather in Oslo and in Rome?"},{"role":"assistant","content":null,"tool_calls":[` +
		`{"id":"call_abc","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}},{"id":"call_abc","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Rome\"}"}}]},` +
		`{"role":"tool","tool_call_id":"call_abc","content":"3 degrees"},{"role":"tool","tool_call_id":"call_abc","content":"4 degrees"}],"tools":[` + weatherTool + `]}`
	unknownChoice = `{"model":"MODEL","messages":[` + filler + `{"role":"user","content":"What is the weather in Oslo?"}],"tools":[` + weatherTool + `],"tool_choice":{"type":"function","function":{"name":"get_wether"}}}`
	brokenSchema  = `{"model":"MODEL","messages":[` + filler + `{"role":"user","content":"What is the weather in Oslo?"}],"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":5}}}}}]}`
)

func says(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// A broken is a model whose answers are changed on their way out.
type broken struct {
	callwright.Model
	change func(*callwright.Response) error
}

func (b broken) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	resp, err := b.Model.Generate(ctx, req)
	if err == nil {
		err = b.change(resp)
	}
	if err != nil {
		return nil, err
	}
	return resp, nil
}

func (b broken) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return b.Model.Stream(ctx, req)
}

// breakCalls puts other arguments, and another name where one is given, into the calls of answers.
func breakCalls(arguments, name string) func(callwright.Model) callwright.Model {
	return func(m callwright.Model) callwright.Model {
		return broken{m, func(resp *callwright.Response) error {
			resp.Parts = slices.Clone(resp.Parts)
			for i, p := range resp.Parts {
				if call, ok := p.(callwright.Call); ok {
					if call.Arguments = []byte(arguments); name != "" {
						call.Name = name
					}
					resp.Parts[i] = call
				}
			}
			return nil
		}}
	}
}

func failInside(m callwright.Model) callwright.Model {
	return broken{m, func(*callwright.Response) error { return errors.New("index out of range [3] with length 3") }}
}

// A recorded is what the record of a scene has.
type recorded struct {
	conf    *config.Config
	entries []trace.Entry
}

// play has a gateway answer the request of a scene, and returns its record.
func (s *scene) play(t *testing.T, opts ...trace.Option) *recorded {
	t.Helper()
	var up http.Handler = simulate.New(simulate.Weather())
	if s.up != nil {
		up = s.up
	}
	srv := httptest.NewServer(up)
	defer srv.Close()
	base := srv.URL
	if s.at == callwright.WireOpenAI || s.at == callwright.WireResponses {
		base += "/v1"
	}
	text := fmt.Sprintf("discover: off\nproviders:\n  lab: {wire: %s, base_url: %q, max_retries: 0%s}\nmodels:\n  lab/%s: {%s}\n", s.at, base, s.provider, s.model, s.settings)
	conf, err := config.Parse([]byte(text), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w := trace.NewWriter(&file, opts...)
	models, err := config.NewRegistry(conf, config.WithTransport(func(name string, spoken callwright.WireName, next http.RoundTripper) http.RoundTripper {
		codec, _ := codecs.Of(spoken)
		return w.Transport(next, trace.Endpoint{Provider: name, Wire: spoken, DecodeError: codec.DecodeError})
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer models.Close()
	s.post(t, gateway.New(gateway.Config{Models: models, Record: func(m callwright.Model) callwright.Model {
		if s.around != nil {
			m = s.around(m)
		}
		return trace.Record(m, w)
	}}))
	entries, err := trace.ReadAll(&file)
	if err != nil {
		t.Fatal(err)
	}
	return &recorded{conf, entries}
}

// post sends the request of the scene and reads the answer to its end.
func (s *scene) post(t *testing.T, gw http.Handler) {
	t.Helper()
	client, _ := codecs.Of(s.client)
	name := "lab/" + s.model
	body := []byte(strings.ReplaceAll(s.body, "MODEL", name))
	ask := &callwright.Request{
		Messages: []callwright.Message{callwright.SystemText("You are a helpful assistant."), callwright.UserText("Hello."), callwright.AssistantText("Good morning."), callwright.UserText("What is the weather in Oslo?")},
		Tools:    []callwright.Tool{{Name: "get_weather", Description: "Tells the weather", Schema: []byte(simulate.WeatherSchema)}, {Name: "get_time", Description: "Tells the time", Schema: []byte(`{"type":"object","properties":{"zone":{"type":"string"}}}`)}},
		Params:   callwright.Params{MaxTokens: "300", Stream: s.stream},
	}
	if s.body != "" { // in the words of one API: said in those of the client
		from, _ := codecs.Of(callwright.WireOpenAI)
		req, err := from.DecodeRequest(body)
		if err != nil {
			t.Fatal(err)
		}
		req.Params.Stream = s.stream
		ask = req
	}
	if s.body == "" || s.client != callwright.WireOpenAI {
		var err error
		if body, _, err = client.EncodeRequest(ask, name, caps.Caps{}); err != nil {
			t.Fatal(err)
		}
	} else if s.stream {
		body = bytes.Replace(body, []byte(`{"model"`), []byte(`{"stream":true,"model"`), 1)
	}
	path, query := client.Target(name, s.stream)
	if n := client.Name(); n == callwright.WireOpenAI || n == callwright.WireResponses {
		path = "/v1" + path
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path+"?"+query, bytes.NewReader(body))
	r.Host = "localhost"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "scene/1.0")
	defer func() { _ = recover() }() // a stream that was cut
	gw.ServeHTTP(httptest.NewRecorder(), r)
}
