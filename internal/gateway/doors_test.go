package gateway_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// An asker is how clients of a wire ask for the weather in Oslo, with the tool for it.
type asker struct {
	path, body string // MODEL and STREAM in them are the model's name, and what asks for a stream
	streams    [2]string
	marks      string // what an answer with a call has
}

var askers = map[callwright.WireName]asker{
	callwright.WireOpenAI:    {path: chat, marks: `"tool_calls"`},
	callwright.WireAnthropic: {path: messages, marks: `"tool_use"`},
	callwright.WireResponses: {path: "/v1/responses", marks: `"function_call"`, streams: [2]string{"false", "true"},
		body: `{"model":"MODEL","stream":STREAM,"input":"What is the weather in Oslo?","tools":[{"type":"function","name":"get_weather","parameters":SCHEMA}]}`},
	callwright.WireGemini: {path: "/v1beta/models/MODEL:STREAM", marks: `"functionCall"`, streams: [2]string{"generateContent", "streamGenerateContent?alt=sse"},
		body: `{"contents":[{"role":"user","parts":[{"text":"What is the weather in Oslo?"}]}],"tools":[{"functionDeclarations":[{"name":"get_weather","parametersJsonSchema":SCHEMA}]}]}`},
	callwright.WireOllama: {path: "/api/chat", marks: `"tool_calls"`, streams: [2]string{"false", "true"},
		body: `{"model":"MODEL","stream":STREAM,"messages":[{"role":"user","content":"What is the weather in Oslo?"}],"tools":[{"type":"function","function":{"name":"get_weather","parameters":SCHEMA}}]}`},
}

// ask returns the path and the body of a question.
func (a *asker) ask(model string, stream bool) (path, body string) {
	if a.body == "" {
		more := ""
		if stream {
			more = `,"stream":true`
		}
		return a.path, question(a.path, model, more)
	}
	way := a.streams[0]
	if stream {
		way = a.streams[1]
	}
	r := strings.NewReplacer("MODEL", model, "STREAM", way, "SCHEMA", simulate.WeatherSchema)
	return r.Replace(a.path), r.Replace(a.body)
}

func TestEveryDoorToEveryWire(t *testing.T) {
	srv := simulated(t)
	for _, c := range codecs.All() {
		a, ok := askers[c.Name()]
		if !ok {
			t.Fatalf("nobody asks over wire %s", c.Name())
		}
		for _, model := range []string{"openai/native", "anthropic/native", "openai/hermes", "anthropic/anthropic_invoke", "openai/no_tools_400"} {
			for _, stream := range []bool{false, true} {
				path, body := a.ask(model, stream)
				t.Run(path+" "+model, func(t *testing.T) {
					got := post(t, srv.URL+path, body)
					if got.status != http.StatusOK || got.err != nil {
						t.Fatalf("status %d, %v: %s", got.status, got.err, got.body)
					}
					for _, want := range []string{"get_weather", "Oslo", a.marks} {
						if !strings.Contains(got.body, want) {
							t.Errorf("the answer lacks %s: %s", want, got.body)
						}
					}
					if strings.Contains(got.body, "tool_call>") || strings.Contains(got.body, "<invoke") {
						t.Errorf("markup leaked: %s", got.body)
					}
				})
			}
		}
	}
}

// spoken serves the pretended codecs in front of a model that says what it was asked, whole and in two pieces.
func spoken(t *testing.T, cfg gateway.Config) (url string, sent func() string) {
	t.Helper()
	var seen string
	cfg.Models = models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		seen = string(raw)
		if strings.Contains(seen, `"stream":true`) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, `data: {"id":"streamed","choices":[{"index":0,"delta":{"role":"assistant","content":"one"}}]}`+"\n\n"+
				`data: {"choices":[{"index":0,"delta":{"content":" two"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"whole","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"one two"},"finish_reason":"stop"}]}`)
	}))
	cfg.Codecs = pretended()
	return serve(t, cfg).URL, func() string { return seen }
}

const hello = `{"messages":[{"role":"user","content":"hello"}]}`

// The path says the model and the way, whatever form it has.
func TestVerbs(t *testing.T) {
	url, sent := spoken(t, gateway.Config{})
	for path, want := range map[string]struct{ model, body, kind string }{
		"/v1beta/models/openai/m:generateContent":                   {"m", `"whole"`, "application/json"},
		"/v1beta/openai/m:generateContent":                          {"m", `"whole"`, "application/json"},
		"/v1/models/openai/m:generateContent":                       {"m", `"whole"`, "application/json"},
		"/v1beta/models/openai%2Fa%2Fb:7b:generateContent?key=x":    {"a/b:7b", `"whole"`, "application/json"},
		"/v1beta/models/openai/m:streamGenerateContent?alt=sse":     {"m", "data: \"one\"\n\ndata: \" two\"\n\n", "text/event-stream"},
		"/v1/models/openai/m:streamGenerateContent?alt=sse&key=any": {"m", "data: \"one\"\n\ndata: \" two\"\n\n", "text/event-stream"},
		"/v1beta/models/openai/m:streamGenerateContent":             {"m", `["one"," two"]`, "application/json"},
		"/v1beta/openai/m:streamGenerateContent?alt=json&other=sse": {"m", `["one"," two"]`, "application/json"},
	} {
		got := post(t, url+path, hello)
		if got.status != 200 || !strings.Contains(got.body, want.body) || got.header.Get("Content-Type") != want.kind {
			t.Errorf("%s: got %d %s %s", path, got.status, got.header.Get("Content-Type"), got.body)
		}
		if !strings.Contains(sent(), `"model":"`+want.model+`"`) {
			t.Errorf("%s: sent %s", path, sent())
		}
	}
	for path, status := range map[string]int{
		"/v1beta/models/openai/m:embedContent": 501, "/v1beta/models/openai/m": 404, "/v1beta/models/:generateContent": 404,
		"/v1beta/openai/chat/completions": 404, "/v1beta/models/nowhere/m:generateContent": 404, "/v1beta/models": 405,
	} {
		if got := post(t, url+path, hello); got.status != status || !strings.Contains(got.body, `"of":"gemini"`) {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
	}
}

// A report comes as a comment where the form has comments, and nowhere else.
func TestReportInAStream(t *testing.T) {
	url, _ := spoken(t, gateway.Config{})
	for query, want := range map[string]bool{"?alt=sse": true, "": false} {
		got := post(t, url+"/v1beta/models/openai/m:streamGenerateContent"+query, hello, "Callwright-Report", "body")
		if strings.Contains(got.body, "callwright") != want || !strings.HasPrefix(got.header.Get("Callwright-Report"), "id=rep_") {
			t.Errorf("%q: got %v %s", query, got.header, got.body)
		}
		if query == "" && !json.Valid([]byte(got.body)) {
			t.Errorf("not one list: %s", got.body)
		}
	}
}

// A gateway that does not speak a wire has no doors for it.
func TestDoorsAreThoseOfTheCodecs(t *testing.T) {
	cfg := gateway.Config{Models: directory{}, Codecs: pretended()[:1]}
	url := serve(t, cfg).URL
	for _, path := range []string{messages, "/v1/responses", "/api/chat", "/v1beta/models/openai/m:generateContent"} {
		if got := post(t, url+path, hello); got.status != 404 || strings.Contains(got.body, `"of"`) {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
	}
}
