package pairwise_test

import "encoding/json"

// ollama is its chat: https://github.com/ollama/ollama/blob/main/docs/api.md. Calls have no ids here, as those of its older servers; a client names the
// tool of a result.
var ollama = api{
	name: "ollama", finish: [2]string{"stop", "stop"}, talk: "messages",
	path: func(string, bool) string { return "/api/chat" },
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
				list = append(list, obj{"role": "tool", "tool_name": res.name, "content": res.text})
			}
		}
		m["messages"] = list
		tools := []any{}
		for _, t := range r.tools {
			tools = append(tools, chatTool(t))
		}
		m["tools"] = tools
		if r.form != "" {
			m["format"] = json.RawMessage(r.form)
		}
		return m
	},
	read: func(a *answer, body string) {
		var v struct {
			Message    json.RawMessage
			DoneReason string `json:"done_reason"`
		}
		if json.Unmarshal([]byte(body), &v) != nil {
			a.fail = body
			return
		}
		var m ollamaMessage
		_ = json.Unmarshal(v.Message, &m)
		a.finish, a.text, a.reasoning, a.calls = v.DoneReason, m.Content, m.Thinking, m.calls()
		a.said = []json.RawMessage{v.Message}
	},
	join: func(events []string) string {
		whole, done := obj{"role": "assistant"}, ""
		said, thought, calls := "", "", []json.RawMessage{}
		for _, ev := range events {
			var v struct {
				Message struct {
					Content, Thinking string
					Calls             []json.RawMessage `json:"tool_calls"`
				}
				DoneReason string `json:"done_reason"`
			}
			if json.Unmarshal([]byte(ev), &v) != nil {
				continue
			}
			said, thought, calls = said+v.Message.Content, thought+v.Message.Thinking, append(calls, v.Message.Calls...)
			if v.DoneReason != "" {
				done = v.DoneReason
			}
		}
		whole["content"] = said
		if thought != "" {
			whole["thinking"] = thought
		}
		if len(calls) > 0 {
			whole["tool_calls"] = calls
		}
		return js(obj{"message": whole, "done_reason": done})
	},
	see: func(s *seen, _ string, m obj2) {
		s.stream = string(m["stream"]) != "false"
		for _, t := range elements(m["tools"]) {
			var v struct {
				Function struct {
					Name, Description string
					Parameters        json.RawMessage
				}
			}
			_ = json.Unmarshal(t, &v)
			s.tools = append(s.tools, shown{v.Function.Name, v.Function.Description, v.Function.Parameters, false})
		}
		for _, b := range s.list {
			var v ollamaMessage
			_ = json.Unmarshal(b, &v)
			switch v.Role {
			case "system":
				s.system += v.Content
			case "tool":
				s.turns = append(s.turns, turn{role: "tool", results: []result{{id: v.CallID, name: v.ToolName, text: v.Content}}})
			default:
				s.turns = append(s.turns, turn{role: v.Role, text: v.Content, calls: v.calls()})
			}
		}
	},
	say: func(r *reply, model string) obj {
		m := obj{"role": "assistant", "content": r.text}
		if r.reasoning != "" {
			m["thinking"] = r.reasoning
		}
		if len(r.calls) > 0 {
			m["tool_calls"] = ollamaCalls(r)
		}
		return ollamaLine(m, true, model)
	},
	cut: func(r *reply, model string) (out []obj) {
		if r.reasoning != "" {
			for _, p := range pieces(r.reasoning) {
				out = append(out, ollamaLine(obj{"role": "assistant", "content": "", "thinking": p}, false, model))
			}
		}
		if r.text != "" {
			for _, p := range pieces(r.text) {
				out = append(out, ollamaLine(obj{"role": "assistant", "content": p}, false, model))
			}
		}
		for _, c := range ollamaCalls(r) {
			out = append(out, ollamaLine(obj{"role": "assistant", "content": "", "tool_calls": []obj{c}}, false, model))
		}
		return append(out, ollamaLine(obj{"role": "assistant", "content": ""}, true, model))
	},
	sse:  func(ev obj) string { return js(ev) + "\n" },
	fail: func(_ int, message string) string { return js(obj{"error": message}) },
	can:  map[string]bool{"form": true},
}

type ollamaMessage struct {
	Role, Content, Thinking string
	ToolName                string `json:"tool_name"`
	CallID                  string `json:"tool_call_id"`
	Calls                   []struct {
		ID       string
		Function struct {
			Name      string
			Arguments json.RawMessage
		}
	} `json:"tool_calls"`
}

func (m *ollamaMessage) calls() (out []call) {
	for _, c := range m.Calls {
		out = append(out, call{c.ID, c.Function.Name, string(c.Function.Arguments), false})
	}
	return out
}

func ollamaCalls(r *reply) (out []obj) {
	for _, c := range r.calls {
		out = append(out, obj{"function": obj{"name": c.name, "arguments": json.RawMessage(c.input)}})
	}
	return out
}

func ollamaLine(message obj, done bool, model string) obj {
	m := obj{"model": model, "created_at": "2026-09-21T13:33:20Z", "message": message, "done": done}
	if done {
		m["done_reason"], m["prompt_eval_count"], m["eval_count"] = "stop", 9, 9
	}
	return m
}
