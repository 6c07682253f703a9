package classes_test

import (
	"encoding/json"
	"strings"
)

// body is the request in the form of an API.
func (q request) body(as api, model string, stream bool) (path, body string) {
	var b m
	switch as {
	case chat:
		path, b = "/v1/chat/completions", q.chat()
	case responses:
		path, b = "/v1/responses", q.responses()
	case anthropic:
		path, b = "/v1/messages", q.anthropic()
	case gemini:
		path, b = "/v1beta/models/"+model+":generateContent", q.gemini()
		if stream {
			path = "/v1beta/models/" + model + ":streamGenerateContent?alt=sse"
		}
	case ollama:
		path, b = "/api/chat", q.ollama()
	}
	if as != gemini {
		b["model"], b["stream"] = model, stream
	}
	for name, v := range object("{" + q.more[as] + "}") {
		b[name] = v
	}
	return path, text(b)
}

// declared are the tools that the request declares.
func (q request) declared() (out []tool) {
	if q.define != nil {
		return q.define
	}
	for _, name := range q.tools {
		out = append(out, tool{name, toolbox[name]})
	}
	return out
}

// list is fn of each tool, nil for none.
func (q request) list(fn func(t tool) any) any {
	var out []any
	for _, t := range q.declared() {
		out = append(out, fn(t))
	}
	if out == nil {
		return nil
	}
	return out
}

// put sets a member that is not nil.
func put(b m, name string, v any) {
	if v != nil {
		b[name] = v
	}
}

func (q request) chat() m {
	var list []any
	if q.system != "" {
		list = append(list, m{"role": "system", "content": q.system})
	}
	for _, t := range q.turns {
		switch {
		case t.raw != "":
			list = append(list, json.RawMessage(t.raw))
		case t.role == "tool":
			for _, r := range t.results {
				list = append(list, m{"role": "tool", "tool_call_id": r.id, "content": r.text})
			}
		default:
			msg := m{"role": t.role, "content": t.text}
			var calls []any
			for _, c := range t.calls {
				calls = append(calls, m{"id": c.id, "type": "function", "function": m{"name": c.name, "arguments": c.args}})
			}
			if calls != nil {
				msg["tool_calls"] = calls
				if t.text == "" {
					msg["content"] = nil
				}
			}
			if t.thought != "" {
				msg["reasoning_content"] = t.thought
			}
			list = append(list, msg)
		}
	}
	b := m{"messages": list}
	put(b, "tools", q.list(func(t tool) any {
		return m{"type": "function", "function": m{"name": t.name, "description": "The tool " + t.name + ".", "parameters": json.RawMessage(t.schema)}}
	}))
	switch q.choice {
	case "":
	case "none", "required":
		b["tool_choice"] = q.choice
	default:
		b["tool_choice"] = m{"type": "function", "function": m{"name": q.choice}}
	}
	return b
}

func (q request) responses() m {
	var list []any
	for _, t := range q.turns {
		if t.raw != "" {
			list = append(list, json.RawMessage(t.raw))
			continue
		}
		if t.text != "" || t.role == "user" {
			list = append(list, m{"role": t.role, "content": t.text})
		}
		for _, c := range t.calls {
			list = append(list, m{"type": "function_call", "call_id": c.id, "name": c.name, "arguments": c.args})
		}
		for _, r := range t.results {
			list = append(list, m{"type": "function_call_output", "call_id": r.id, "output": r.text})
		}
	}
	b := m{"input": list, "store": false}
	if q.system != "" {
		b["instructions"] = q.system
	}
	put(b, "tools", q.list(func(t tool) any {
		return m{"type": "function", "name": t.name, "description": "The tool " + t.name + ".", "parameters": json.RawMessage(t.schema), "strict": false}
	}))
	switch q.choice {
	case "":
	case "none", "required":
		b["tool_choice"] = q.choice
	default:
		b["tool_choice"] = m{"type": "function", "name": q.choice}
	}
	return b
}

func (q request) anthropic() m {
	var list []any
	for _, t := range q.turns {
		if t.raw != "" {
			list = append(list, json.RawMessage(t.raw))
			continue
		}
		if t.role == "user" {
			list = append(list, m{"role": "user", "content": t.text})
			continue
		}
		var blocks []any
		if t.text != "" {
			blocks = append(blocks, m{"type": "text", "text": t.text})
		}
		for _, c := range t.calls {
			blocks = append(blocks, m{"type": "tool_use", "id": c.id, "name": c.name, "input": value(c.args)})
		}
		for _, r := range t.results {
			content := []any{m{"type": "text", "text": r.text}}
			if r.image != "" {
				content = append(content, m{"type": "image", "source": m{"type": "base64", "media_type": "image/png", "data": r.image}})
			}
			blocks = append(blocks, m{"type": "tool_result", "tool_use_id": r.id, "content": content})
		}
		role := t.role
		if role == "tool" {
			role = "user"
		}
		list = append(list, m{"role": role, "content": blocks})
	}
	b := m{"messages": list, "max_tokens": 1000}
	if q.system != "" {
		b["system"] = q.system
	}
	put(b, "tools", q.list(func(t tool) any {
		return m{"name": t.name, "description": "The tool " + t.name + ".", "input_schema": json.RawMessage(t.schema)}
	}))
	switch q.choice {
	case "":
	case "none":
		b["tool_choice"] = m{"type": "none"}
	case "required":
		b["tool_choice"] = m{"type": "any"}
	default:
		b["tool_choice"] = m{"type": "tool", "name": q.choice}
	}
	return b
}

func (q request) gemini() m {
	var list []any
	for _, t := range q.turns {
		if t.raw != "" {
			list = append(list, json.RawMessage(t.raw))
			continue
		}
		var parts []any
		if t.text != "" || t.role == "user" {
			parts = append(parts, m{"text": t.text})
		}
		for _, c := range t.calls {
			parts = append(parts, m{"functionCall": m{"name": c.name, "args": value(c.args)}})
		}
		for _, r := range t.results {
			parts = append(parts, m{"functionResponse": m{"name": r.name, "response": m{"output": r.text}}})
		}
		role := "user"
		if t.role == "assistant" {
			role = "model"
		}
		list = append(list, m{"role": role, "parts": parts})
	}
	b := m{"contents": list}
	if q.system != "" {
		b["systemInstruction"] = m{"parts": []any{m{"text": q.system}}}
	}
	if tools := q.list(func(t tool) any {
		return m{"name": t.name, "description": "The tool " + t.name + ".", "parameters": json.RawMessage(t.schema)}
	}); tools != nil {
		b["tools"] = []any{m{"functionDeclarations": tools}}
	}
	switch q.choice {
	case "":
	case "none", "required":
		b["toolConfig"] = m{"functionCallingConfig": m{"mode": map[string]string{"none": "NONE", "required": "ANY"}[q.choice]}}
	default:
		b["toolConfig"] = m{"functionCallingConfig": m{"mode": "ANY", "allowedFunctionNames": []any{q.choice}}}
	}
	return b
}

func (q request) ollama() m {
	var list []any
	if q.system != "" {
		list = append(list, m{"role": "system", "content": q.system})
	}
	for _, t := range q.turns {
		switch {
		case t.raw != "":
			list = append(list, json.RawMessage(t.raw))
		case t.role == "tool":
			for _, r := range t.results {
				list = append(list, m{"role": "tool", "tool_name": r.name, "content": r.text})
			}
		default:
			msg := m{"role": t.role, "content": t.text}
			var calls []any
			for _, c := range t.calls {
				calls = append(calls, m{"function": m{"name": c.name, "arguments": value(c.args)}})
			}
			put(msg, "tool_calls", some(calls))
			list = append(list, msg)
		}
	}
	b := m{"messages": list}
	put(b, "tools", q.list(func(t tool) any {
		return m{"type": "function", "function": m{"name": t.name, "description": "The tool " + t.name + ".", "parameters": json.RawMessage(t.schema)}}
	}))
	return b
}

// some is a list as a value that is nil where the list is.
func some(list []any) any {
	if list == nil {
		return nil
	}
	return list
}

// question is a request with one turn of the user.
func question(tools ...string) request {
	return request{turns: []turn{{role: "user", text: "Please do it."}}, tools: tools}
}

// after is question with a past round of a call and its result before another turn of the user.
func after(tools string, c call, said string) request {
	q := question(strings.Fields(tools)...)
	q.turns = append(q.turns, turn{role: "assistant", calls: []call{c}}, turn{role: "tool", results: []result{{id: c.id, name: c.name, text: said}}})
	return q
}
