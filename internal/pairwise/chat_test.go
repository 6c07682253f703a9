package pairwise_test

import (
	"encoding/json"
	"strings"
)

// chat is the Chat Completions of OpenAI: https://platform.openai.com/docs/api-reference/chat. reasoning_content is DeepSeek's, the signature of a call Google's:
// https://ai.google.dev/gemini-api/docs/openai.
var chat = api{
	name: "openai", base: "/v1", finish: [2]string{"stop", "tool_calls"}, talk: "messages",
	path: func(string, bool) string { return "/v1/chat/completions" },
	ask: func(r *request) obj {
		m := obj{"model": r.model, "stream": r.stream}
		list := []any{}
		if r.system != "" {
			list = append(list, obj{"role": "system", "content": r.system})
		}
		for _, e := range r.talk {
			switch {
			case e.user != "":
				list = append(list, obj{"role": "user", "content": e.user})
			case e.said != nil:
				for _, s := range e.said {
					list = append(list, s)
				}
			}
			for _, res := range e.results {
				list = append(list, obj{"role": "tool", "tool_call_id": res.id, "content": res.text})
			}
		}
		m["messages"] = list
		tools := []any{}
		for _, t := range r.tools {
			if t.grammar != "" {
				tools = append(tools, obj{"type": "custom", "custom": obj{"name": t.name, "description": t.about,
					"format": obj{"type": "grammar", "grammar": obj{"syntax": "lark", "definition": t.grammar}}}})
				continue
			}
			tools = append(tools, chatTool(t))
		}
		m["tools"] = tools
		switch r.choice {
		case "":
		case "required":
			m["tool_choice"] = "required"
		default:
			m["tool_choice"] = obj{"type": "function", "function": obj{"name": r.choice}}
		}
		if r.single {
			m["parallel_tool_calls"] = false
		}
		if r.form != "" {
			m["response_format"] = obj{"type": "json_schema", "json_schema": obj{"name": "form", "schema": json.RawMessage(r.form)}}
		}
		return m
	},
	read: func(a *answer, body string) {
		var v struct {
			ID      string
			Choices []struct {
				Message      json.RawMessage
				FinishReason string `json:"finish_reason"`
			}
		}
		if json.Unmarshal([]byte(body), &v) != nil || len(v.Choices) != 1 {
			a.fail = body
			return
		}
		a.id, a.finish = v.ID, v.Choices[0].FinishReason
		a.said = []json.RawMessage{v.Choices[0].Message}
		var m chatMessage
		_ = json.Unmarshal(v.Choices[0].Message, &m)
		a.text, a.reasoning = text(m.Content), m.Reasoning
		a.calls = m.calls()
	},
	join: func(events []string) string {
		whole := map[string]any{}
		finish := any(nil)
		for _, ev := range events {
			var v struct {
				Choices []struct {
					Delta        map[string]any
					FinishReason any `json:"finish_reason"`
				}
			}
			if json.Unmarshal([]byte(ev), &v) != nil || len(v.Choices) == 0 {
				continue
			}
			addDelta(whole, v.Choices[0].Delta)
			if v.Choices[0].FinishReason != nil {
				finish = v.Choices[0].FinishReason
			}
		}
		return js(obj{"choices": []any{obj{"message": withoutIndexes(whole), "finish_reason": finish}}})
	},
	see: func(s *seen, _ string, m obj2) {
		for _, t := range elements(m["tools"]) {
			var v struct {
				Function struct {
					Name, Description string
					Parameters        json.RawMessage
				}
				Custom struct{ Name, Description string }
			}
			_ = json.Unmarshal(t, &v)
			if v.Custom.Name != "" {
				s.tools = append(s.tools, shown{v.Custom.Name, v.Custom.Description, nil, true})
			} else {
				s.tools = append(s.tools, shown{v.Function.Name, v.Function.Description, v.Function.Parameters, false})
			}
		}
		for _, b := range s.list {
			var v chatMessage
			_ = json.Unmarshal(b, &v)
			content := textOf(v.Content)
			switch v.Role {
			case "system", "developer":
				s.system += content
			case "tool":
				s.turns = append(s.turns, turn{role: "tool", results: []result{{id: v.CallID, text: content}}})
			default:
				s.turns = append(s.turns, turn{role: v.Role, text: content, calls: v.calls()})
			}
		}
	},
	say: func(r *reply, model string) obj {
		m := obj{"role": "assistant", "content": nil}
		if r.text != "" {
			m["content"] = r.text
		}
		if r.reasoning != "" {
			m["reasoning_content"] = r.reasoning
		}
		finish := "stop"
		if len(r.calls) > 0 {
			m["tool_calls"], finish = chatCalls(r), "tool_calls"
		}
		return obj{"id": "chatcmpl-1", "object": "chat.completion", "created": 1790000000, "model": model,
			"choices": []any{obj{"index": 0, "message": m, "finish_reason": finish}}, "usage": obj{"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}}
	},
	cut: func(r *reply, model string) (out []obj) {
		add := func(delta obj, finish any) {
			out = append(out, obj{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1790000000, "model": model,
				"choices": []any{obj{"index": 0, "delta": delta, "finish_reason": finish}}})
		}
		add(obj{"role": "assistant", "content": ""}, nil)
		if r.reasoning != "" {
			for _, p := range pieces(r.reasoning) {
				add(obj{"reasoning_content": p}, nil)
			}
		}
		if r.text != "" {
			for _, p := range pieces(r.text) {
				add(obj{"content": p}, nil)
			}
		}
		finish := "stop"
		for i, c := range chatCalls(r) {
			finish = "tool_calls"
			kind, member := "function", "arguments"
			if c["type"] == "custom" {
				kind, member = "custom", "input"
			}
			inner := c[kind].(obj)
			input := inner[member].(string)
			c["index"], inner[member] = i, ""
			add(obj{"tool_calls": []any{c}}, nil)
			for _, p := range pieces(input) {
				add(obj{"tool_calls": []any{obj{"index": i, kind: obj{member: p}}}}, nil)
			}
		}
		add(obj{}, finish)
		return out
	},
	end: "data: [DONE]\n\n",
	fail: func(_ int, message string) string {
		return js(obj{"error": obj{"message": message, "type": "server_error"}})
	},
	can: map[string]bool{"custom": true, "form": true, "choice": true, "single": true, "signed": true},
}

// chatTool is a function as Chat Completions and Ollama declare it.
func chatTool(t tool) obj {
	return obj{"type": "function", "function": obj{"name": t.name, "description": t.about, "parameters": json.RawMessage(t.schema)}}
}

// A chatMessage is a message of Chat Completions.
type chatMessage struct {
	Role, Name string
	Content    json.RawMessage
	Reasoning  string     `json:"reasoning_content"`
	CallID     string     `json:"tool_call_id"`
	Calls      []chatCall `json:"tool_calls"`
}

type chatCall struct {
	ID, Type string
	Function struct{ Name, Arguments string }
	Custom   struct{ Name, Input string }
}

func (m *chatMessage) calls() (out []call) {
	for _, c := range m.Calls {
		if c.Type == "custom" {
			out = append(out, call{c.ID, c.Custom.Name, c.Custom.Input, true})
		} else {
			out = append(out, call{c.ID, c.Function.Name, c.Function.Arguments, false})
		}
	}
	return out
}

// textOf is the text of a message's content: a text, or parts with texts.
func textOf(b json.RawMessage) string {
	if s := text(b); s != "" {
		return s
	}
	var all []string
	for _, p := range elements(b) {
		all = append(all, text(object(p)["text"]))
	}
	return strings.Join(all, "")
}

// chatCalls are the calls of a reply. The first has its state.
func chatCalls(r *reply) (out []obj) {
	for i, c := range r.calls {
		v := obj{"id": c.id, "type": "function", "function": obj{"name": c.name, "arguments": c.input}}
		if c.custom {
			v = obj{"id": c.id, "type": "custom", "custom": obj{"name": c.name, "input": c.input}}
		}
		if i == 0 && r.state != "" {
			v["extra_content"] = obj{"google": obj{"thought_signature": r.state}}
		}
		out = append(out, v)
	}
	return out
}

// addDelta adds a piece of a message to what came before, as OpenAI's SDK does (accumulate_delta of openai-python): texts are joined, elements of
// lists are told by their index.
func addDelta(whole, delta map[string]any) {
	for key, value := range delta {
		had, ok := whole[key]
		if key == "index" || key == "type" || key == "role" || key == "id" || !ok || had == nil {
			whole[key] = value
			continue
		}
		switch value := value.(type) {
		case string:
			whole[key] = had.(string) + value
		case map[string]any:
			addDelta(had.(map[string]any), value)
		case []any:
			list := had.([]any)
			for _, el := range value {
				m, _ := el.(map[string]any)
				at, found := -1, false
				for i := range list {
					if old, _ := list[i].(map[string]any); old["index"] == m["index"] {
						at, found = i, true
					}
				}
				if found {
					addDelta(list[at].(map[string]any), m)
				} else {
					list = append(list, el)
				}
			}
			whole[key] = list
		}
	}
}

// withoutIndexes removes the places of calls in a stream.
func withoutIndexes(m map[string]any) map[string]any {
	calls, _ := m["tool_calls"].([]any)
	for _, c := range calls {
		delete(c.(map[string]any), "index")
	}
	return m
}
