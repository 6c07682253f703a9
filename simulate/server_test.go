package simulate_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/callwright/callwright/simulate"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestHeadersThatAreRequired(t *testing.T) {
	s := simulate.New(simulate.Weather(), simulate.Key("secret"))
	body := `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}`
	for _, tc := range []struct {
		name   string
		header map[string]string
		status int
	}{
		{"nothing", nil, 401},
		{"no version", map[string]string{"X-Api-Key": "secret"}, 400},
		{"wrong key", map[string]string{"X-Api-Key": "x", "Anthropic-Version": "2023-06-01"}, 401},
		{"google's key", map[string]string{"X-Goog-Api-Key": "secret", "Anthropic-Version": "2023-06-01"}, 200},
		{"azure's key", map[string]string{"Api-Key": "secret", "Anthropic-Version": "2023-06-01"}, 200},
		{"key", map[string]string{"X-Api-Key": "secret", "Anthropic-Version": "2023-06-01"}, 200},
		{"token", map[string]string{"Authorization": "Bearer secret", "Anthropic-Version": "2023-06-01"}, 200},
	} {
		r := httptest.NewRequest(http.MethodPost, "/v1/messages", strings.NewReader(body))
		for k, v := range tc.header {
			r.Header.Set(k, v)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != tc.status {
			t.Errorf("%s: status %d, want %d: %s", tc.name, w.Code, tc.status, w.Body)
		}
	}
}

func TestPathsAndMethods(t *testing.T) {
	s := simulate.New(simulate.Weather())
	for _, tc := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/v1/models", 200}, {"GET", "/openai/v1/models", 200}, {"POST", "/v1/chat/completions", 400},
		{"POST", "/base/chat/completions", 400}, {"GET", "/v1/chat/completions", 405}, {"POST", "/v1/embeddings", 404},
		{"GET", "/v1beta/models", 200}, {"GET", "/api/tags", 200}, {"POST", "/v1/responses", 400}, {"POST", "/api/chat", 400},
		{"POST", "/v1beta/models/m:generateContent", 400}, {"GET", "/v1beta/models/m:generateContent", 405},
		{"POST", "/v1beta/models/m:countTokens", 404},
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(tc.method, tc.path, nil))
		if w.Code != tc.status || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %s: status %d, want %d: %s", tc.method, tc.path, w.Code, tc.status, w.Body)
		}
	}
}

func TestModelsOnEveryWire(t *testing.T) {
	for _, tc := range []struct{ name, path, header, list, member, want string }{
		{"openai", "/v1/models", "", "data", "object", "model"},
		{"anthropic", "/v1/models", "anthropic-version", "data", "display_name", "native"},
		{"gemini by path", "/v1beta/models", "", "models", "name", "models/native"},
		{"gemini by key", "/v1/models", "x-goog-api-key", "models", "name", "models/native"},
		{"ollama", "/api/tags", "", "models", "model", "native"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, tc.path, nil)
			if tc.header != "" {
				r.Header.Set(tc.header, "x")
			}
			w := httptest.NewRecorder()
			simulate.New(simulate.Weather()).ServeHTTP(w, r)
			var list map[string]json.RawMessage
			var models []map[string]any
			decode(t, w.Body.String(), &list)
			decode(t, string(list[tc.list]), &models)
			if want := 1 + len(simulate.Faults()) + len(simulate.Families()) + len(simulate.Profiles()); len(models) != want || models[0][tc.member] != tc.want {
				t.Errorf("got %d models led by %v, want %d with the %s %s", len(models), models[0], want, tc.member, tc.want)
			}
		})
	}
}

func TestScriptSeesTheRequest(t *testing.T) {
	var got simulate.Seen
	base, s := start(t, func(req simulate.Seen) simulate.Turn { got = req; return simulate.Turn{Text: "Hi."} })
	c := conversation{model: "m", tools: true, choice: "required", serial: true, system: "Be kind.", messages: []object{
		{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Yes?"},
		{"role": "user", "content": []object{{"type": "text", "text": "Sun?"}}},
	}}
	for i, wire := range append(wires, wires...) {
		send(t, base, wire, c.body(wire))
		path, _ := request(t, wire, c.body(wire))
		choice := map[string]string{simulate.Ollama: "auto"}[wire]
		want := simulate.Seen{
			Wire: wire, Model: "m", Tools: []string{"get_weather"}, Choice: cmp.Or(choice, "required"), Serial: slices.Contains(serials, wire), System: "Be kind.",
			User: "Sun?", Turn: 1, Repeat: i / len(wires), Path: path, Body: got.Body, Header: got.Header, MaxTokens: got.MaxTokens,
			History: []simulate.Message{{Role: "user", Text: "Hello"}, {Role: "assistant", Text: "Yes?"}, {Role: "user", Text: "Sun?"}},
		}
		if d := gocmp.Diff(want, got, cmpopts.IgnoreUnexported(simulate.Seen{})); d != "" {
			t.Error(d)
		}
		if wire != simulate.Ollama && string(got.Schema("get_weather")) != simulate.WeatherSchema {
			t.Errorf("schema: got %s", got.Schema("get_weather"))
		}
	}
	if n := len(s.Requests()); n != 2*len(wires) {
		t.Errorf("%d requests recorded, want %d", n, 2*len(wires))
	}
}

func TestErrorsOfATurn(t *testing.T) {
	base, _ := start(t, func(simulate.Seen) simulate.Turn { return simulate.Turn{Status: 529, Text: "Overloaded"} })
	for wire, want := range map[string]string{
		simulate.OpenAI: "server_error Overloaded", simulate.Responses: "server_error Overloaded", simulate.Anthropic: "overloaded_error Overloaded",
		simulate.Gemini: "UNAVAILABLE Overloaded", simulate.Ollama: "Overloaded",
	} {
		got := send(t, base, wire, conversation{model: "m", stream: true, messages: ask("Hi")}.body(wire))
		if got.status != 529 || got.err != want {
			t.Errorf("%s: got %s", wire, got)
		}
	}
}

func TestEqualRequestsGetEqualBytes(t *testing.T) {
	for _, wire := range wires {
		for _, stream := range streamed {
			base, _ := start(t, simulate.Weather())
			body := conversation{model: "native", stream: stream, tools: true, messages: ask(twoCities)}.body(wire)
			if a, b := send(t, base, wire, body), send(t, base, wire, body); a.raw != b.raw {
				t.Errorf("%s: %s\nthen %s", wire, a.raw, b.raw)
			}
		}
	}
}

func TestUsageOnlyWhereAskedFor(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	c := conversation{model: "native", stream: true, messages: ask("Hi")}
	if got := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI)); strings.Contains(got.raw, "prompt_tokens") {
		t.Errorf("usage came unasked: %s", got.raw)
	}
	c.members = object{"stream_options": object{"include_usage": true}}
	if got := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI)); !strings.Contains(got.raw, `"choices":[],"usage":{"prompt_tokens":`) {
		t.Errorf("usage was asked for and did not come: %s", got.raw)
	}
}

// Whatever a script says comes out the same whole and streamed, every event is valid UTF-8 and small.
func TestStreamsJoinToTheWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		turn := simulate.Turn{Text: rapid.String().Draw(rt, "text"), Reasoning: rapid.String().Draw(rt, "reasoning")}
		for range rapid.IntRange(0, 2).Draw(rt, "calls") {
			args, _ := json.Marshal(map[string]string{"city": rapid.String().Draw(rt, "city")})
			turn.Calls = append(turn.Calls, simulate.Call{Name: "get_weather", Arguments: string(args)})
		}
		piece := rapid.IntRange(1, 9).Draw(rt, "piece")
		base, _ := start(t, func(simulate.Seen) simulate.Turn { return turn }, simulate.Piece(piece))
		for _, wire := range wires {
			c := conversation{model: "m", tools: true, messages: ask("Hi")}
			whole := send(t, base, wire, c.body(wire))
			c.stream = true
			stream := send(t, base, wire, c.body(wire))
			if !utf8.ValidString(stream.raw) || !stream.complete {
				rt.Fatalf("%s: the stream is not sound: %q", wire, stream.raw)
			}
			for _, r := range []*reply{whole, stream} {
				if r.text != turn.Text || r.reasoning != turn.Reasoning || len(r.calls) != len(turn.Calls) {
					rt.Fatalf("%s: got %s, want %+v", wire, r, turn)
				}
				for i, c := range r.calls {
					if c.args != turn.Calls[i].Arguments || c.name != "get_weather" || c.id == "" {
						rt.Fatalf("%s: got %+v, want %+v", wire, c, turn.Calls[i])
					}
				}
			}
		}
	})
}

func TestPiecesAreSmall(t *testing.T) {
	base, _ := start(t, func(simulate.Seen) simulate.Turn { return simulate.Turn{Text: "Grüße aus Oslo"} })
	got := send(t, base, simulate.OpenAI, conversation{model: "m", stream: true, messages: ask("Hi")}.body(simulate.OpenAI))
	if !strings.Contains(got.raw, `"content":"Grüß"`) || !strings.Contains(got.raw, `"content":"e aus"`) {
		t.Errorf("got %s", got.raw)
	}
}

func TestPausePacesEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := simulate.New(func(simulate.Seen) simulate.Turn { return simulate.Turn{Text: "12345abcde"} }, simulate.Pause(time.Second))
		body := `{"model":"m","stream":true,"messages":[{"role":"user","content":"Hi"}]}`
		w := httptest.NewRecorder()
		began := time.Now()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body)))
		if got, events := time.Since(began), strings.Count(w.Body.String(), "data: "); got != time.Duration(events-1)*time.Second {
			t.Errorf("%d events took %s", events, got)
		}
	})
}

func TestConcurrentRequests(t *testing.T) {
	base, s := start(t, simulate.Weather())
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			c := conversation{model: "native", stream: i%3 == 0, tools: true, messages: ask(fmt.Sprintf("What is the weather in City-%c?", 'A'+i%26))}
			wire := wires[i%len(wires)]
			if got := send(t, base, wire, c.body(wire)); len(got.calls) != 1 {
				t.Errorf("got %s", got)
			}
		})
	}
	all.Wait()
	if n := len(s.Requests()); n != 40 {
		t.Errorf("%d requests recorded, want 40", n)
	}
}

func TestRequestsAreBounded(t *testing.T) {
	s := simulate.New(func(simulate.Seen) simulate.Turn { return simulate.Turn{Text: "Hi."} })
	for i := range 600 {
		body := fmt.Sprintf(`{"model":"m%d","messages":[{"role":"user","content":"Hi"}]}`, i)
		s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body)))
	}
	if got := s.Requests(); len(got) != 512 || got[511].Model != "m599" {
		t.Errorf("kept %d requests up to %q, want 512 up to m599", len(got), got[len(got)-1].Model)
	}
}
