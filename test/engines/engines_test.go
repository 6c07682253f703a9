package engines_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/test/engines"
)

// The variables that have the addresses of the servers.
const (
	ollamaVariable = "CALLWRIGHT_OLLAMA"
	llamaVariable  = "CALLWRIGHT_LLAMA_SERVER"
)

// The models of the tests at Ollama, by their templates. llama-server has one, which takes any name.
const (
	withTools    = "callwright-test-tools"
	withoutTools = "callwright-test-plain"
	loaded       = "tiny"
)

// A surface is a way in which a server is asked.
type surface struct {
	name     string
	variable string // of the server's address
	wire     callwright.WireName
	path     string // behind the address
	model    string
	text     bool // calls are written in the text, and asked for in the prompt
}

var surfaces = []surface{
	{"ollama", ollamaVariable, callwright.WireOllama, "", withTools, false},
	{"ollama openai", ollamaVariable, callwright.WireOpenAI, "/v1", withTools, false},
	{"ollama responses", ollamaVariable, callwright.WireResponses, "/v1", withTools, false},
	{"ollama anthropic", ollamaVariable, callwright.WireAnthropic, "", withTools, false},
	{"ollama text", ollamaVariable, callwright.WireOllama, "", withoutTools, true},
	{"llama openai", llamaVariable, callwright.WireOpenAI, "/v1", loaded, false},
	{"llama responses", llamaVariable, callwright.WireResponses, "/v1", loaded, false},
	{"llama anthropic", llamaVariable, callwright.WireAnthropic, "", loaded, false},
	{"llama text", llamaVariable, callwright.WireOpenAI, "/v1", loaded, true},
}

// calls are how the model calls the tool, by the script, and the cities for which it must be run: calls that are broken are mended.
var calls = map[string][]string{"clean": {"Paris"}, "comma": {"Nice"}, "text-for-number": {"Lyon"}, "two": {"Rome", "Oslo"}}

// final is the answer of every run.
const final = "Done: it is sunny in Paris, as the tool said."

// One conversation comes to the same answer over every API of the servers and in text, whole and streamed.
func TestConversation(t *testing.T) {
	for _, s := range surfaces {
		t.Run(s.name, func(t *testing.T) {
			m := s.open(t)
			for script, cities := range calls {
				for _, way := range []string{"whole", "streamed"} {
					t.Run(script+"/"+way, func(t *testing.T) { converse(t, m, way, "What is the weather? <|s:"+script+"|>", cities) })
				}
			}
		})
	}
}

// open is the model of a surface. The test is skipped where its server is not there.
func (s surface) open(t *testing.T, opts ...reliable.Option) callwright.Model {
	t.Helper()
	address := strings.TrimSuffix(os.Getenv(s.variable), "/")
	if address == "" {
		t.Skip(s.variable + " names no server")
	}
	if s.variable == ollamaVariable {
		create(t, address, s.model)
	}
	p, err := provider.New(provider.Config{Name: "lab", Wire: s.wire, BaseURL: address + s.path, APIKey: provider.NewSecret("none")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	if s.text {
		opts = append(opts, reliable.WithModes(caps.Text), reliable.WithDialect("hermes"))
	}
	return reliable.New(p.Model(s.model), opts...)
}

// A place is what the tool is called with.
type place struct {
	City string `json:"city"`
	Days int    `json:"days"`
}

// converse runs the conversation, and checks its end and what was called on the way.
func converse(t *testing.T, m callwright.Model, way, prompt string, cities []string) {
	called := map[string]bool{}
	weather := agent.Func("get_weather", "Tells the weather.", func(_ context.Context, in place) (agent.Output, error) {
		called[in.City] = true
		// What the model says next goes by the end of its prompt, where the last words of a result are.
		return agent.Output{Data: json.RawMessage(`"sunny"`), Parts: []callwright.Part{callwright.Text{Text: "<|s:final|>"}}}, nil
	})
	steady := agent.WithRequest(func(req *callwright.Request) { req.Params.Temperature, req.Params.MaxTokens = "0", "200" })
	a := agent.New(m, agent.Tools(weather), agent.WithMaxSteps(4), agent.WithParallel(1), steady)
	res, err := run(t.Context(), a, way, callwright.UserText(prompt))
	if err != nil || res.Text != final {
		t.Fatalf("got %+v, %v", res, err)
	}
	for _, city := range cities {
		if !called[city] {
			t.Errorf("the tool was called for %v, expected %v", called, cities)
		}
	}
}

func run(ctx context.Context, a *agent.Agent, way string, message callwright.Message) (res *agent.Result, err error) {
	if way == "whole" {
		return a.Run(ctx, message)
	}
	for ev, failed := range a.Stream(ctx, message) {
		res, err = ev.Final, failed
	}
	return res, err
}

// create puts a model into Ollama until the test ends.
func create(t *testing.T, address, name string) {
	t.Helper()
	var model bytes.Buffer
	if err := engines.WriteModel(&model); err != nil {
		t.Fatal(err)
	}
	template, err := os.ReadFile("templates/" + strings.TrimPrefix(name, "callwright-test-") + ".tmpl")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(model.Bytes())
	digest := "sha256:" + hex.EncodeToString(sum[:])
	ask(t, http.MethodPost, address+"/api/blobs/"+digest, &model)
	ask(t, http.MethodPost, address+"/api/create", inJSON(t, map[string]any{
		"model": name, "files": map[string]string{"tiny.gguf": digest}, "template": strings.TrimSpace(string(template)), "stream": false,
		"parameters": map[string]any{"stop": []string{"<|im_end|>"}, "num_ctx": 4096, "num_thread": 1},
	}))
	t.Cleanup(func() { ask(t, http.MethodDelete, address+"/api/delete", inJSON(t, map[string]string{"model": name})) })
}

func inJSON(t *testing.T, v any) io.Reader {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(text)
}

func ask(t *testing.T, method, address string, body io.Reader) {
	t.Helper()
	req, err := http.NewRequest(method, address, body) // without the context of the test, which is over at its cleanup
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil || resp.StatusCode/100 != 2 {
		t.Fatal(fmt.Sprintf("%s %s: %s", method, address, resp.Status), string(said), err)
	}
}
