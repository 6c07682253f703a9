package fakellm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/fakellm"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Forms of an answer.
var streamed = map[string]bool{"whole": false, "streamed": true}

var wires = []string{fakellm.OpenAI, fakellm.Anthropic}

type object = map[string]any

// A conversation is a request that can be written on both wires.
type conversation struct {
	model    string
	stream   bool
	tools    bool // declares get_weather
	choice   string
	serial   bool
	system   string
	messages []object // in the wire's own form
	members  object   // further members
	format   func(wire string) object
}

func (c conversation) body(wire string) object {
	body := object{"model": c.model, "messages": c.messages, "stream": c.stream}
	schema := json.RawMessage(fakellm.WeatherSchema)
	if wire == fakellm.Anthropic {
		body["max_tokens"] = 64
		if c.system != "" {
			body["system"] = c.system
		}
		if c.tools {
			body["tools"] = []object{{"name": "get_weather", "input_schema": schema}}
		}
		if c.choice != "" || c.serial {
			kind := map[string]string{"": "auto", "required": "any", "none": "none"}[c.choice]
			body["tool_choice"] = object{"type": kind, "disable_parallel_tool_use": c.serial}
		}
	} else {
		if c.system != "" {
			body["messages"] = append([]object{{"role": "system", "content": c.system}}, c.messages...)
		}
		if c.tools {
			body["tools"] = []object{{"type": "function", "function": object{"name": "get_weather", "parameters": schema}}}
		}
		if c.choice != "" {
			body["tool_choice"] = c.choice
		}
		if c.serial {
			body["parallel_tool_calls"] = false
		}
	}
	maps.Copy(body, c.members)
	if c.format != nil {
		maps.Copy(body, c.format(wire))
	}
	return body
}

func ask(text string) []object { return []object{{"role": "user", "content": text}} }

// A reply is an answer, read without any of the code under test.
type reply struct {
	status    int
	header    http.Header
	raw       string
	text      string
	reasoning string
	calls     []*heard
	finish    string
	broken    error // of the connection
	complete  bool  // the stream came to its end mark
	err       string
}

type heard struct{ index, id, name, args, raw string }

// String is the reply in a form that tests can look for damage in.
func (r *reply) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "status %d\ntext: %s\nreasoning: %s\n", r.status, r.text, r.reasoning)
	for _, c := range r.calls {
		fmt.Fprintf(&b, "call index=%s id=%s name=%s args=%s;\nraw=%s\n", c.index, c.id, c.name, c.args, c.raw)
	}
	fmt.Fprintf(&b, "finish: %s\nerror: %s\nbroken: %v\n", r.finish, r.err, r.broken)
	return b.String()
}

var paths = map[string]string{fakellm.OpenAI: "/v1/chat/completions", fakellm.Anthropic: "/v1/messages"}

// send posts a body and reads the answer.
func send(t testing.TB, base, wire string, body object) *reply {
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+paths[wire], bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if wire == fakellm.Anthropic {
		req.Header.Set("Anthropic-Version", "2023-06-01")
	}
	transport := &http.Transport{DisableKeepAlives: true}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	r := &reply{status: resp.StatusCode, header: resp.Header, raw: string(raw), broken: err}
	switch {
	case resp.StatusCode != http.StatusOK:
		r.err = errorText(raw)
	case body["stream"] == true:
		r.readStream(t, wire)
	case err == nil:
		r.readWhole(t, wire)
	}
	return r
}

func errorText(raw []byte) string {
	var e struct {
		Error struct {
			Type, Message, Code string
			FailedGeneration    string `json:"failed_generation"`
		}
	}
	if json.Unmarshal(raw, &e) != nil {
		return ""
	}
	return strings.TrimSpace(strings.Join([]string{e.Error.Type, e.Error.Message, e.Error.Code, e.Error.FailedGeneration}, " "))
}

func (r *reply) readWhole(t testing.TB, wire string) {
	t.Helper()
	if r.err = errorText([]byte(r.raw)); r.err != "" {
		return
	}
	var a struct {
		Choices []struct {
			FinishReason string `json:"finish_reason"`
			Message      struct {
				Content          string
				ReasoningContent string          `json:"reasoning_content"`
				ToolCalls        []openAIElement `json:"tool_calls"`
			}
		}
		StopReason string `json:"stop_reason"`
		Content    []struct {
			Type, Text, Thinking, ID, Name string
			Input                          json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(r.raw), &a); err != nil {
		t.Fatalf("%v in %s", err, r.raw)
	}
	if wire == fakellm.OpenAI {
		c := a.Choices[0]
		r.text, r.reasoning, r.finish = c.Message.Content, c.Message.ReasoningContent, c.FinishReason
		for _, e := range c.Message.ToolCalls {
			r.open(e)
		}
		return
	}
	r.finish = a.StopReason
	for _, b := range a.Content {
		r.text += b.Text
		r.reasoning += b.Thinking
		if b.Type == "tool_use" {
			r.calls = append(r.calls, &heard{id: b.ID, name: b.Name, args: unquote(b.Input), raw: string(b.Input)})
		}
	}
}

type openAIElement struct {
	Index    json.RawMessage
	ID       *string
	Function struct {
		Name      string
		Arguments json.RawMessage
	}
}

// open hears a new call.
func (r *reply) open(e openAIElement) {
	id := "none"
	if e.ID != nil {
		id = *e.ID
	}
	args := string(e.Function.Arguments)
	r.calls = append(r.calls, &heard{string(e.Index), id, e.Function.Name, unquote(e.Function.Arguments), args})
}

func unquote(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

func (r *reply) readStream(t testing.TB, wire string) {
	t.Helper()
	for event := range strings.SplitSeq(r.raw, "\n\n") {
		_, data, ok := strings.Cut(event, "data: ")
		if !ok {
			continue
		}
		if data == "[DONE]" {
			r.complete = true
			continue
		}
		if e := errorText([]byte(data)); e != "" {
			r.err = e
			continue
		}
		if wire == fakellm.OpenAI {
			r.readChunk(t, data)
		} else {
			r.readEvent(t, data)
		}
	}
}

func (r *reply) readChunk(t testing.TB, data string) {
	t.Helper()
	var c struct {
		Choices []struct {
			Delta struct {
				Content          string
				ReasoningContent string          `json:"reasoning_content"`
				ToolCalls        []openAIElement `json:"tool_calls"`
			}
			FinishReason string `json:"finish_reason"`
		}
	}
	if err := json.Unmarshal([]byte(data), &c); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	for _, c := range c.Choices {
		r.text += c.Delta.Content
		r.reasoning += c.Delta.ReasoningContent
		r.finish += c.FinishReason
		for _, e := range c.Delta.ToolCalls {
			if e.Function.Name != "" {
				r.open(e)
				continue
			}
			to := r.calls[len(r.calls)-1]
			if string(e.Index) == "0" || string(e.Index) == "1" {
				for _, h := range r.calls {
					if h.index == string(e.Index) {
						to = h
					}
				}
			}
			to.args += unquote(e.Function.Arguments)
			to.raw = to.args
		}
	}
}

func (r *reply) readEvent(t testing.TB, data string) {
	t.Helper()
	var e struct {
		Type         string
		ContentBlock struct{ Type, ID, Name string } `json:"content_block"`
		Delta        struct {
			Text, Thinking string
			PartialJSON    string `json:"partial_json"`
			StopReason     string `json:"stop_reason"`
		}
	}
	if err := json.Unmarshal([]byte(data), &e); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	if b := e.ContentBlock; b.Type == "tool_use" {
		r.calls = append(r.calls, &heard{id: b.ID, name: b.Name})
	}
	r.text += e.Delta.Text
	r.reasoning += e.Delta.Thinking
	r.finish += e.Delta.StopReason
	if n := len(r.calls); n > 0 {
		r.calls[n-1].args += e.Delta.PartialJSON
		r.calls[n-1].raw = r.calls[n-1].args
	}
	r.complete = r.complete || e.Type == "message_stop"
}

// start serves a script for the length of a test.
func start(t testing.TB, script fakellm.Script, opts ...fakellm.Option) (base string, s *fakellm.Server) {
	t.Helper()
	s = fakellm.New(script, opts...)
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	return srv.URL, s
}
