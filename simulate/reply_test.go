package simulate_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright/simulate"
)

// A reply is an answer, read without any of the code under test.
type reply struct {
	status    int
	header    http.Header
	raw       string
	text      string
	reasoning string
	sign      string // that the reasoning came with
	calls     []*heard
	finish    string
	broken    error // of the connection
	complete  bool  // the stream came to its end mark
	err       string
}

type heard struct{ index, id, name, args, raw, sign string }

// String returns the reply in a form that tests can look for damage in.
func (r *reply) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "status %d\ntext: %s\nreasoning: %s\n", r.status, r.text, r.reasoning)
	for _, c := range r.calls {
		fmt.Fprintf(&b, "call index=%s id=%s name=%s args=%s;\nraw=%s\n", c.index, c.id, c.name, c.args, c.raw)
	}
	fmt.Fprintf(&b, "finish: %s\nerror: %s\nbroken: %v\n", r.finish, r.err, r.broken)
	return b.String()
}

// errorText returns what an error says, in the shape of any wire.
func errorText(raw []byte) string {
	var e struct {
		Message string
		Error   json.RawMessage
		Detail  json.RawMessage
	}
	if json.Unmarshal(raw, &e) != nil {
		return ""
	}
	var inner struct {
		Type, Status, Message string
		Code                  any
		FailedGeneration      string `json:"failed_generation"`
	}
	if json.Unmarshal(e.Error, &inner) != nil {
		return cmp.Or(e.Message, unquote(e.Error), string(e.Detail))
	}
	code, _ := inner.Code.(string)
	return strings.TrimSpace(strings.Join([]string{inner.Type + inner.Status, inner.Message, code, inner.FailedGeneration}, " "))
}

func unquote(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

// decode reads JSON into v.
func decode(t testing.TB, data string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(data), v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
}

// A reader reads whole answers and events of a wire.
type reader struct {
	whole func(r *reply, t testing.TB, data string)
	event func(r *reply, t testing.TB, data string)
}

var readers = map[string]reader{
	simulate.OpenAI:    {(*reply).wholeChat, (*reply).chunk},
	simulate.Responses: {(*reply).wholeResponse, (*reply).responseEvent},
	simulate.Anthropic: {(*reply).wholeMessage, (*reply).messageEvent},
	simulate.Gemini:    {(*reply).content, (*reply).content},
	simulate.Ollama:    {(*reply).line, (*reply).line},
}

func (r *reply) readWhole(t testing.TB, wire string) {
	t.Helper()
	if r.err = errorText([]byte(r.raw)); r.err == "" || r.err == "null" {
		r.err = ""
		readers[wire].whole(r, t, r.raw)
	}
}

func (r *reply) readStream(t testing.TB, wire string) {
	t.Helper()
	separator := "\n\n"
	if wire == simulate.Ollama {
		separator = "\n"
	}
	for event := range strings.SplitSeq(r.raw, separator) {
		if wire == simulate.Ollama {
			event = "data: " + event
		}
		_, data, ok := strings.Cut(event, "data: ")
		if !ok || data == "" || r.broken != nil && !json.Valid([]byte(data)) {
			continue
		}
		if data == "[DONE]" {
			r.complete = true
			continue
		}
		if e := errorText([]byte(data)); e != "" && e != "null" {
			r.err = e
			continue
		}
		readers[wire].event(r, t, data)
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
func (r *reply) open(e openAIElement) *heard {
	id := "none"
	if e.ID != nil {
		id = *e.ID
	}
	args := string(e.Function.Arguments)
	call := &heard{index: string(e.Index), id: id, name: e.Function.Name, args: unquote(e.Function.Arguments), raw: args}
	r.calls = append(r.calls, call)
	return call
}

func (r *reply) wholeChat(t testing.TB, data string) {
	var a struct {
		Choices []struct {
			FinishReason string `json:"finish_reason"`
			Message      struct {
				Content          string
				ReasoningContent string          `json:"reasoning_content"`
				ToolCalls        []openAIElement `json:"tool_calls"`
			}
		}
	}
	decode(t, data, &a)
	c := a.Choices[0]
	r.text, r.reasoning, r.finish = c.Message.Content, c.Message.ReasoningContent, c.FinishReason
	for _, e := range c.Message.ToolCalls {
		r.open(e)
	}
}

func (r *reply) chunk(t testing.TB, data string) {
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
	decode(t, data, &c)
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

func (r *reply) wholeMessage(t testing.TB, data string) {
	var a struct {
		StopReason string `json:"stop_reason"`
		Content    []struct {
			Type, Text, Thinking, Signature, ID, Name string
			Input                                     json.RawMessage
		}
	}
	decode(t, data, &a)
	r.finish = a.StopReason
	for _, b := range a.Content {
		r.text += b.Text
		r.reasoning += b.Thinking
		r.sign += b.Signature
		if b.Type == "tool_use" {
			r.calls = append(r.calls, &heard{id: b.ID, name: b.Name, args: unquote(b.Input), raw: string(b.Input)})
		}
	}
}

func (r *reply) messageEvent(t testing.TB, data string) {
	var e struct {
		Type         string
		ContentBlock struct{ Type, ID, Name string } `json:"content_block"`
		Delta        struct {
			Text, Thinking, Signature string
			PartialJSON               string `json:"partial_json"`
			StopReason                string `json:"stop_reason"`
		}
	}
	decode(t, data, &e)
	if b := e.ContentBlock; b.Type == "tool_use" {
		r.calls = append(r.calls, &heard{id: b.ID, name: b.Name})
	}
	r.text += e.Delta.Text
	r.reasoning += e.Delta.Thinking
	r.sign += e.Delta.Signature
	r.finish += e.Delta.StopReason
	if n := len(r.calls); n > 0 {
		r.calls[n-1].args += e.Delta.PartialJSON
		r.calls[n-1].raw = r.calls[n-1].args
	}
	r.complete = r.complete || e.Type == "message_stop"
}

// A responseItem is an item of the output of Responses.
type responseItem struct {
	Type, Name       string
	CallID           *string `json:"call_id"`
	Arguments        json.RawMessage
	Summary, Content []struct{ Text string }
	Encrypted        string `json:"encrypted_content"`
}

func (r *reply) wholeResponse(t testing.TB, data string) {
	var a struct {
		Status     string
		Output     []responseItem
		Incomplete struct{ Reason string } `json:"incomplete_details"`
	}
	decode(t, data, &a)
	r.finish = cmp.Or(a.Incomplete.Reason, a.Status)
	for _, i := range a.Output {
		for _, s := range i.Summary {
			r.reasoning += s.Text
		}
		for _, c := range i.Content {
			r.text += c.Text
		}
		r.sign += i.Encrypted
		if i.Type == "function_call" {
			r.open(openAIElement{ID: i.CallID, Function: struct {
				Name      string
				Arguments json.RawMessage
			}{i.Name, i.Arguments}})
		}
	}
}

func (r *reply) responseEvent(t testing.TB, data string) {
	var e struct {
		Type, Message string
		Delta         string
		Item          responseItem
		Response      json.RawMessage
	}
	decode(t, data, &e)
	switch e.Type {
	case "response.output_item.added":
		if e.Item.Type == "function_call" {
			id := "none"
			if e.Item.CallID != nil {
				id = *e.Item.CallID
			}
			r.calls = append(r.calls, &heard{id: id, name: e.Item.Name})
		}
	case "response.output_item.done":
		r.sign += e.Item.Encrypted
		if e.Item.Type == "function_call" {
			r.calls[len(r.calls)-1].raw = unquote(e.Item.Arguments)
		}
	case "response.output_text.delta":
		r.text += e.Delta
	case "response.reasoning_summary_text.delta":
		r.reasoning += e.Delta
	case "response.function_call_arguments.delta":
		r.calls[len(r.calls)-1].args += e.Delta
	case "response.completed", "response.incomplete":
		var last reply
		last.wholeResponse(t, string(e.Response))
		r.finish, r.complete = last.finish, true
	}
}

// content reads a whole answer of Gemini or a piece of one, which is of the same form.
func (r *reply) content(t testing.TB, data string) {
	var a struct {
		Candidates []struct {
			FinishReason, FinishMessage string
			Content                     struct {
				Parts []struct {
					Text             string
					Thought          bool
					ThoughtSignature string
					FunctionCall     *struct {
						ID   *string
						Name string
						Args json.RawMessage
					}
				}
			}
		}
	}
	decode(t, data, &a)
	c := a.Candidates[0]
	for _, p := range c.Content.Parts {
		switch {
		case p.FunctionCall != nil:
			call := r.open(openAIElement{ID: p.FunctionCall.ID})
			call.name, call.raw, call.args, call.sign = p.FunctionCall.Name, string(p.FunctionCall.Args), unquote(p.FunctionCall.Args), p.ThoughtSignature
		case p.Thought:
			r.reasoning += p.Text
		default:
			r.text += p.Text
			r.sign += p.ThoughtSignature
		}
	}
	r.finish += strings.TrimSpace(c.FinishReason + " " + c.FinishMessage)
	r.complete = c.FinishReason != ""
}

// line reads a whole answer of Ollama or a line of one, which is of the same form.
func (r *reply) line(t testing.TB, data string) {
	var a struct {
		Done       bool
		DoneReason string `json:"done_reason"`
		Message    struct {
			Content, Thinking string
			ToolCalls         []struct {
				ID       *string
				Function struct {
					Index, Arguments json.RawMessage
					Name             string
				}
			} `json:"tool_calls"`
		}
	}
	decode(t, data, &a)
	r.text += a.Message.Content
	r.reasoning += a.Message.Thinking
	for _, c := range a.Message.ToolCalls {
		call := r.open(openAIElement{ID: c.ID, Index: c.Function.Index})
		call.name, call.raw, call.args = c.Function.Name, string(c.Function.Arguments), unquote(c.Function.Arguments)
	}
	r.finish += a.DoneReason
	r.complete = a.Done
}
