package answer_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/test/live/internal/answer"
)

// A whole answer of either API that is played as a stream has the same text, calls, finish reason and tokens.
func TestStreamed(t *testing.T) {
	for wire, body := range map[callwright.WireName]string{
		callwright.WireOpenAI: `{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant",
			"reasoning_content":"Let me think about it.","content":"Grüße aus Oslo, höflich.","tool_calls":[{"id":"c1","type":"function","function":{"name":"add","arguments":"{\"text\": \"a, ö and more\"}"}},
			{"id":"c2","type":"function","function":{"name":"add","arguments":"{}"}}]}}],"usage":{"prompt_tokens":3,"completion_tokens":4}}`,
		callwright.WireOllama: `{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","thinking":"Let me think about it.","content":"Grüße aus Oslo, höflich.",
			"tool_calls":[{"function":{"name":"add","arguments":{"text":"a, ö and more"}}}]},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":4}`,
	} {
		path := "/v1/chat/completions"
		if wire == callwright.WireOllama {
			path = "/api/chat"
		}
		recorded := &answer.Answer{Status: http.StatusOK, Type: "application/json; charset=utf-8", Path: path, Body: strings.NewReplacer("\n", "", "\t", "").Replace(body)}
		p, err := provider.New(provider.Config{Name: "lab", Wire: wire, BaseURL: "http://127.0.0.1:1", MaxRetries: new(int), Transport: &answer.Player{Answers: []*answer.Answer{recorded, recorded}}})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Hello")}}
		whole, err := p.Model("m").Generate(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		streamed, err := callwright.Collect(p.Model("m").Stream(t.Context(), req))
		if err != nil {
			t.Fatal(err)
		}
		if whole.Text() != streamed.Text() || whole.Finish != streamed.Finish || whole.Usage.Output != streamed.Usage.Output || len(whole.Calls()) != len(streamed.Calls()) || len(whole.Parts) != len(streamed.Parts) {
			t.Errorf("%s: whole %+v, streamed %+v", wire, whole, streamed)
		}
		for i, c := range whole.Calls() {
			if s := streamed.Calls()[i]; s.Name != c.Name || string(s.Arguments) != string(c.Arguments) {
				t.Errorf("%s: call %d: whole %s %s, streamed %s %s", wire, i, c.Name, c.Arguments, s.Name, s.Arguments)
			}
		}
	}
}

// A Player without a further answer says so.
func TestPlayer(t *testing.T) {
	p := &answer.Player{Answers: []*answer.Answer{{Status: http.StatusOK, Type: "text/plain", Body: "one"}}}
	for i, want := range []bool{false, true} {
		resp, err := (&http.Client{Transport: p}).Post("http://127.0.0.1:1/v1", "application/json", strings.NewReader("{}"))
		if (err != nil) != want || p.Missing() != want {
			t.Errorf("request %d: error %v, missing %t", i+1, err, p.Missing())
		}
		if err == nil {
			if text, _ := io.ReadAll(resp.Body); string(text) != "one" {
				t.Errorf("request %d: %s", i+1, text)
			}
			resp.Body.Close()
		}
	}
}
