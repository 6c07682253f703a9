package demo

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/callwright/callwright"
)

// apis are the APIs that the demonstration's clients speak.
var apis = map[callwright.WireName]api{
	callwright.WireOpenAI:    openAI{},
	callwright.WireAnthropic: anthropic{},
}

type object = map[string]any

// openAI is a client of Chat Completions.
type openAI struct{}

func (openAI) path() string                   { return "/v1/chat/completions" }
func (openAI) header() http.Header            { return http.Header{"Authorization": {"Bearer demo"}} }
func (openAI) finishes() (calls, ends string) { return "tool_calls", "stop" }

func (openAI) request(model string, stream bool, question string, turns []Turn) any {
	messages := []object{{"role": "user", "content": question}}
	for _, t := range turns {
		var calls, results []object
		for _, c := range t.Calls {
			calls = append(calls, object{"id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": c.Arguments}})
			results = append(results, object{"role": "tool", "tool_call_id": c.ID, "content": c.outcome()})
		}
		messages = append(messages, object{"role": "assistant", "content": t.Text, "tool_calls": calls})
		messages = append(messages, results...)
	}
	tool := object{"name": toolName, "description": toolDoc, "parameters": json.RawMessage(toolSchema)}
	return object{"model": model, "stream": stream, "messages": messages, "tools": []object{{"type": "function", "function": tool}}}
}

// openAICall is a call, or a piece of one in a stream.
type openAICall struct {
	Index    *int
	ID       string
	Type     string
	Function struct{ Name, Arguments string }
}

func (openAI) whole(body []byte) (t Turn, err error) {
	var doc struct {
		Choices []struct {
			Message struct {
				Content   string
				ToolCalls []openAICall `json:"tool_calls"`
			}
			FinishReason string `json:"finish_reason"`
		}
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return t, err
	}
	if len(doc.Choices) != 1 {
		return t, fmt.Errorf("expected one choice, got %d", len(doc.Choices))
	}
	c := doc.Choices[0]
	t.Text, t.Finish = c.Message.Content, c.FinishReason
	for _, call := range c.Message.ToolCalls {
		t.Calls = append(t.Calls, Call{ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
	}
	return t, nil
}

func (a openAI) event(t *Turn, data []byte) (last bool, err error) {
	if string(data) == "[DONE]" {
		return true, nil
	}
	var doc struct {
		Error   json.RawMessage
		Choices []struct {
			Delta struct {
				Content   string
				ToolCalls []openAICall `json:"tool_calls"`
			}
			FinishReason *string `json:"finish_reason"`
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return false, err
	}
	if doc.Error != nil {
		return false, a.failure(data)
	}
	for _, c := range doc.Choices {
		t.Text += c.Delta.Content
		if c.FinishReason != nil {
			t.Finish = *c.FinishReason
		}
		for _, call := range c.Delta.ToolCalls {
			if err := t.addOpenAI(call); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// addOpenAI adds a piece of a call. The first piece of an index opens its call.
func (t *Turn) addOpenAI(p openAICall) error {
	switch {
	case p.Index == nil:
		return errors.New("a piece of a call has no index")
	case *p.Index == len(t.Calls):
		t.Calls = append(t.Calls, Call{ID: p.ID, Name: p.Function.Name})
	case *p.Index < 0 || *p.Index > len(t.Calls):
		return fmt.Errorf("a piece of a call has index %d after %d calls", *p.Index, len(t.Calls))
	case p.ID != "" && p.ID != t.Calls[*p.Index].ID:
		return fmt.Errorf("two calls have index %d", *p.Index)
	}
	t.Calls[*p.Index].Arguments += p.Function.Arguments
	return nil
}

func (openAI) failure(body []byte) *Failure {
	var doc struct {
		Error struct{ Message, Code string }
	}
	if json.Unmarshal(body, &doc) != nil {
		return &Failure{Code: "unreadable", Message: string(body)}
	}
	return &Failure{Status: http.StatusOK, Code: doc.Error.Code, Message: doc.Error.Message}
}

// anthropic is a client of Messages.
type anthropic struct{}

func (anthropic) path() string { return "/v1/messages" }
func (anthropic) header() http.Header {
	return http.Header{"X-Api-Key": {"demo"}, "Anthropic-Version": {"2023-06-01"}}
}
func (anthropic) finishes() (calls, ends string) { return "tool_use", "end_turn" }

func (anthropic) request(model string, stream bool, question string, turns []Turn) any {
	messages := []object{{"role": "user", "content": question}}
	for _, t := range turns {
		var said, results []object
		if t.Text != "" {
			said = append(said, object{"type": "text", "text": t.Text})
		}
		for _, c := range t.Calls {
			said = append(said, object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": json.RawMessage(c.Arguments)})
			results = append(results, object{"type": "tool_result", "tool_use_id": c.ID, "content": c.outcome(), "is_error": c.Error != ""})
		}
		messages = append(messages, object{"role": "assistant", "content": said}, object{"role": "user", "content": results})
	}
	tool := object{"name": toolName, "description": toolDoc, "input_schema": json.RawMessage(toolSchema)}
	return object{"model": model, "stream": stream, "max_tokens": maxOutput, "messages": messages, "tools": []object{tool}}
}

// anthropicBlock is a block of content.
type anthropicBlock struct {
	Type, Text, ID, Name string
	Input                json.RawMessage
}

func (anthropic) whole(body []byte) (t Turn, err error) {
	var doc struct {
		Content    []anthropicBlock
		StopReason string `json:"stop_reason"`
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return t, err
	}
	t.Finish = doc.StopReason
	for _, b := range doc.Content {
		switch b.Type {
		case "text":
			t.Text += b.Text
		case "tool_use":
			t.Calls = append(t.Calls, Call{ID: b.ID, Name: b.Name, Arguments: string(b.Input)})
		}
	}
	return t, nil
}

func (a anthropic) event(t *Turn, data []byte) (last bool, err error) {
	var doc struct {
		Type         string
		ContentBlock anthropicBlock `json:"content_block"`
		Delta        struct {
			Type, Text  string
			PartialJSON string `json:"partial_json"`
			StopReason  string `json:"stop_reason"`
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return false, err
	}
	switch doc.Type {
	case "error":
		return false, a.failure(data)
	case "content_block_start":
		if doc.ContentBlock.Type == "tool_use" {
			t.Calls = append(t.Calls, Call{ID: doc.ContentBlock.ID, Name: doc.ContentBlock.Name})
		}
	case "content_block_delta":
		t.Text += doc.Delta.Text
		if doc.Delta.Type != "input_json_delta" {
			break
		}
		if len(t.Calls) == 0 {
			return false, errors.New("arguments came before a call")
		}
		t.Calls[len(t.Calls)-1].Arguments += doc.Delta.PartialJSON
	case "message_delta":
		t.Finish = doc.Delta.StopReason
	}
	return doc.Type == "message_stop", nil
}

func (anthropic) failure(body []byte) *Failure {
	var doc struct {
		Error struct {
			Type, Message string
			Details       struct {
				Code string `json:"error_code"`
			}
		}
	}
	if json.Unmarshal(body, &doc) != nil {
		return &Failure{Code: "unreadable", Message: string(body)}
	}
	f := &Failure{Status: http.StatusOK, Code: doc.Error.Details.Code, Message: doc.Error.Message}
	if f.Code == "" {
		f.Code = doc.Error.Type
	}
	return f
}
