package fakellm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/fakellm"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Requests that real servers refuse. Each body is laid over a sound one.
func TestUnsoundRequestsAreRefused(t *testing.T) {
	call := func(id string) object {
		return object{"id": id, "type": "function", "function": object{"name": "get_weather", "arguments": "{}"}}
	}
	use := func(id string, input any) object {
		return object{"type": "tool_use", "id": id, "name": "get_weather", "input": input}
	}
	result := func(id string) object { return object{"type": "tool_result", "tool_use_id": id, "content": "x"} }
	user := object{"role": "user", "content": "Hi"}
	said := func(content ...object) object { return object{"role": "assistant", "content": content} }
	asked := func(content ...object) object { return object{"role": "user", "content": content} }
	for _, tc := range []struct {
		wire, name string
		members    object
		want       string
	}{
		{fakellm.OpenAI, "no model", object{"model": ""}, "you must provide a model"},
		{fakellm.OpenAI, "no messages", object{"messages": []object{}}, "'messages'"},
		{fakellm.OpenAI, "wrong type", object{"stream": "yes"}, "could not parse"},
		{fakellm.OpenAI, "no tools in the list", object{"tools": []object{}}, "'tools'"},
		{fakellm.OpenAI, "bad tool name", object{"tools": []object{{"type": "function", "function": object{"name": "a.b"}}}}, "does not match pattern"},
		{fakellm.OpenAI, "bad schema", object{"tools": []object{{"type": "function", "function": object{"name": "a", "parameters": object{"type": "array"}}}}}, `"object"`},
		{fakellm.OpenAI, "tool type", object{"tools": []object{{"type": "magic"}}}, "tools[0].type"},
		{fakellm.OpenAI, "choice of an unknown tool", object{"tool_choice": object{"type": "function", "function": object{"name": "x"}}}, `"x" not found`},
		{fakellm.OpenAI, "role", object{"messages": []object{{"role": "robot", "content": "x"}}}, "messages[0].role"},
		{fakellm.OpenAI, "content", object{"messages": []object{{"role": "user", "content": 3}}}, "messages[0].content"},
		{fakellm.OpenAI, "null content", object{"messages": []object{{"role": "user", "content": nil}}}, "got null"},
		{fakellm.OpenAI, "orphan result", object{"messages": []object{user, {"role": "tool", "tool_call_id": "c", "content": "x"}}}, "preceding message"},
		{fakellm.OpenAI, "orphan call", object{"messages": []object{user, {"role": "assistant", "tool_calls": []object{call("c")}}, user}}, "did not have response messages: c"},
		{fakellm.OpenAI, "open call", object{"messages": []object{user, {"role": "assistant", "tool_calls": []object{call("c")}}}}, "did not have response messages: c"},
		{fakellm.OpenAI, "same id twice", object{"messages": []object{user, {"role": "assistant", "tool_calls": []object{call("c"), call("c")}}}}, "duplicate id"},
		{fakellm.OpenAI, "long id", object{"messages": []object{user, {"role": "assistant", "tool_calls": []object{call(strings.Repeat("c", 41))}}}}, "at most 40"},
		{fakellm.Anthropic, "no model", object{"model": ""}, "model: Field required"},
		{fakellm.Anthropic, "no limit", object{"max_tokens": nil}, "max_tokens: Field required"},
		{fakellm.Anthropic, "no messages", object{"messages": []object{}}, "messages"},
		{fakellm.Anthropic, "unknown member", object{"seed": 1}, "seed: Extra inputs are not permitted"},
		{fakellm.Anthropic, "temperature", object{"temperature": 1.5}, "temperature"},
		{fakellm.Anthropic, "no schema", object{"tools": []object{{"name": "a"}}}, "input_schema"},
		{fakellm.Anthropic, "tool twice", object{"tools": []object{{"name": "a", "input_schema": object{"type": "object"}}, {"name": "a", "input_schema": object{"type": "object"}}}}, "unique"},
		{fakellm.Anthropic, "choice", object{"tool_choice": object{"type": "required"}}, "tool_choice.type"},
		{fakellm.Anthropic, "first message", object{"messages": []object{{"role": "assistant", "content": "x"}}}, "first message"},
		{fakellm.Anthropic, "role", object{"messages": []object{user, {"role": "tool", "content": "x"}}}, "messages.1.role"},
		{fakellm.Anthropic, "empty content", object{"messages": []object{{"role": "user", "content": ""}}}, "non-empty content"},
		{fakellm.Anthropic, "empty text", object{"messages": []object{asked(object{"type": "text", "text": ""})}}, "must be non-empty"},
		{fakellm.Anthropic, "input as text", object{"messages": []object{user, said(use("c", "{}")), asked(result("c"))}}, "Input should be an object"},
		{fakellm.Anthropic, "id", object{"messages": []object{user, said(use("a.b", object{})), asked(result("a.b"))}}, "does not match pattern"},
		{fakellm.Anthropic, "orphan result", object{"messages": []object{asked(result("c"))}}, "unexpected `tool_use_id`"},
		{fakellm.Anthropic, "orphan call", object{"messages": []object{user, said(use("c", object{})), user}}, "without `tool_result`"},
		{fakellm.Anthropic, "text before results", object{"messages": []object{user, said(use("c", object{})), asked(object{"type": "text", "text": "x"}, result("c"))}}, "before other content"},
		{fakellm.Anthropic, "unsigned thinking", object{"messages": []object{user, said(object{"type": "thinking", "thinking": "x"})}}, "signature"},
		{fakellm.Anthropic, "white space at the end", object{"messages": []object{user, {"role": "assistant", "content": "x "}}}, "trailing whitespace"},
		{fakellm.Anthropic, "calls without tools", object{"tools": nil, "messages": []object{user, said(use("c", object{})), asked(result("c"))}}, "must define tools"},
	} {
		t.Run(tc.wire+"/"+tc.name, func(t *testing.T) {
			base, s := start(t, fakellm.Weather())
			c := conversation{model: "m", tools: true, messages: ask("Hi"), members: tc.members}
			got := send(t, base, tc.wire, c.body(tc.wire))
			if got.status != http.StatusBadRequest || !strings.Contains(got.err, tc.want) || !strings.Contains(got.err, "invalid_request_error") {
				t.Errorf("want 400 with %q, got %s", tc.want, got)
			}
			if seen := s.Requests(); len(seen) != 1 || !strings.Contains(seen[0].Refused, tc.want) {
				t.Errorf("want the refusal recorded, got %+v", seen)
			}
		})
	}
}

func TestHeadersThatAreRequired(t *testing.T) {
	s := fakellm.New(fakellm.Weather(), fakellm.Key("secret"))
	body := `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}`
	for _, tc := range []struct {
		name   string
		header map[string]string
		status int
	}{
		{"nothing", nil, 401},
		{"no version", map[string]string{"X-Api-Key": "secret"}, 400},
		{"wrong key", map[string]string{"X-Api-Key": "x", "Anthropic-Version": "2023-06-01"}, 401},
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
	s := fakellm.New(fakellm.Weather())
	for _, tc := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/v1/models", 200}, {"GET", "/openai/v1/models", 200}, {"POST", "/v1/chat/completions", 400},
		{"POST", "/base/chat/completions", 400}, {"GET", "/v1/chat/completions", 405}, {"POST", "/v1/embeddings", 404},
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(tc.method, tc.path, nil))
		if w.Code != tc.status || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %s: status %d, want %d: %s", tc.method, tc.path, w.Code, tc.status, w.Body)
		}
	}
}

func TestModelsOnBothWires(t *testing.T) {
	for _, version := range []string{"", "2023-06-01"} {
		r := httptest.NewRequest(http.MethodGet, "/v1/models", nil)
		r.Header.Set("anthropic-version", version)
		w := httptest.NewRecorder()
		fakellm.New(fakellm.Weather()).ServeHTTP(w, r)
		var list struct {
			Data []struct {
				ID          string
				Object      string
				DisplayName string `json:"display_name"`
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil {
			t.Fatal(err)
		}
		if want := len(fakellm.Faults()) + 1; len(list.Data) != want || list.Data[0].ID != "native" {
			t.Errorf("got %d models led by %q, want %d led by native", len(list.Data), list.Data[0].ID, want)
		}
		if (list.Data[0].Object == "model") != (version == "") || (list.Data[0].DisplayName == "native") != (version != "") {
			t.Errorf("version %q: got %+v", version, list.Data[0])
		}
	}
}

func TestScriptSeesTheRequest(t *testing.T) {
	var got fakellm.Seen
	base, s := start(t, func(req fakellm.Seen) fakellm.Turn { got = req; return fakellm.Turn{Text: "Hi."} })
	c := conversation{model: "m", tools: true, choice: "required", serial: true, system: "Be kind.", messages: []object{
		{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Yes?"},
		{"role": "user", "content": []object{{"type": "text", "text": "Sun?"}}},
	}}
	for i, wire := range append(wires, wires...) {
		send(t, base, wire, c.body(wire))
		want := fakellm.Seen{
			Wire: wire, Model: "m", Tools: []string{"get_weather"}, Choice: "required", Serial: true, System: "Be kind.",
			User: "Sun?", Turn: 1, Repeat: i / 2, Path: paths[wire], Body: got.Body, Header: got.Header, MaxTokens: got.MaxTokens,
			History: []fakellm.Message{{Role: "user", Text: "Hello"}, {Role: "assistant", Text: "Yes?"}, {Role: "user", Text: "Sun?"}},
		}
		ignore := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".schemas" }, cmp.Ignore())
		if d := cmp.Diff(want, got, ignore); d != "" {
			t.Error(d)
		}
		if string(got.Schema("get_weather")) != fakellm.WeatherSchema {
			t.Errorf("schema: got %s", got.Schema("get_weather"))
		}
	}
	if n := len(s.Requests()); n != 4 {
		t.Errorf("%d requests recorded, want 4", n)
	}
}

func TestErrorsOfATurn(t *testing.T) {
	base, _ := start(t, func(fakellm.Seen) fakellm.Turn { return fakellm.Turn{Status: 529, Text: "Overloaded"} })
	for wire, want := range map[string]string{fakellm.OpenAI: "server_error Overloaded", fakellm.Anthropic: "overloaded_error Overloaded"} {
		got := send(t, base, wire, conversation{model: "m", stream: true, messages: ask("Hi")}.body(wire))
		if got.status != 529 || got.err != want {
			t.Errorf("%s: got %s", wire, got)
		}
	}
}

func TestEqualRequestsGetEqualBytes(t *testing.T) {
	for _, wire := range wires {
		for _, stream := range streamed {
			base, _ := start(t, fakellm.Weather())
			body := conversation{model: "native", stream: stream, tools: true, messages: ask(twoCities)}.body(wire)
			if a, b := send(t, base, wire, body), send(t, base, wire, body); a.raw != b.raw {
				t.Errorf("%s: %s\nthen %s", wire, a.raw, b.raw)
			}
		}
	}
}

func TestUsageOnlyWhereAskedFor(t *testing.T) {
	base, _ := start(t, fakellm.Weather())
	c := conversation{model: "native", stream: true, messages: ask("Hi")}
	if got := send(t, base, fakellm.OpenAI, c.body(fakellm.OpenAI)); strings.Contains(got.raw, "prompt_tokens") {
		t.Errorf("usage came unasked: %s", got.raw)
	}
	c.members = object{"stream_options": object{"include_usage": true}}
	if got := send(t, base, fakellm.OpenAI, c.body(fakellm.OpenAI)); !strings.Contains(got.raw, `"choices":[],"usage":{"prompt_tokens":`) {
		t.Errorf("usage was asked for and did not come: %s", got.raw)
	}
}

// Whatever a script says comes out the same whole and streamed, every event is valid UTF-8 and small.
func TestStreamsJoinToTheWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		turn := fakellm.Turn{Text: rapid.String().Draw(rt, "text"), Reasoning: rapid.String().Draw(rt, "reasoning")}
		for range rapid.IntRange(0, 2).Draw(rt, "calls") {
			args, _ := json.Marshal(map[string]string{"city": rapid.String().Draw(rt, "city")})
			turn.Calls = append(turn.Calls, fakellm.Call{Name: "get_weather", Arguments: string(args)})
		}
		piece := rapid.IntRange(1, 9).Draw(rt, "piece")
		base, _ := start(t, func(fakellm.Seen) fakellm.Turn { return turn }, fakellm.Piece(piece))
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
	base, _ := start(t, func(fakellm.Seen) fakellm.Turn { return fakellm.Turn{Text: "Grüße aus Oslo"} })
	got := send(t, base, fakellm.OpenAI, conversation{model: "m", stream: true, messages: ask("Hi")}.body(fakellm.OpenAI))
	if !strings.Contains(got.raw, `"content":"Grüß"`) || !strings.Contains(got.raw, `"content":"e aus"`) {
		t.Errorf("got %s", got.raw)
	}
}

func TestPausePacesEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fakellm.New(func(fakellm.Seen) fakellm.Turn { return fakellm.Turn{Text: "12345abcde"} }, fakellm.Pause(time.Second))
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
	base, s := start(t, fakellm.Weather())
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			c := conversation{model: "native", stream: i%2 == 0, tools: true, messages: ask(fmt.Sprintf("What is the weather in City-%c?", 'A'+i%26))}
			wire := wires[i%2]
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
	s := fakellm.New(func(fakellm.Seen) fakellm.Turn { return fakellm.Turn{Text: "Hi."} })
	for i := range 600 {
		body := fmt.Sprintf(`{"model":"m%d","messages":[{"role":"user","content":"Hi"}]}`, i)
		s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body)))
	}
	if got := s.Requests(); len(got) != 512 || got[511].Model != "m599" {
		t.Errorf("kept %d requests up to %q, want 512 up to m599", len(got), got[len(got)-1].Model)
	}
}
