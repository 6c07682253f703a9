package pairwise_test

import (
	"encoding/json"
	"strings"
)

// anthropic is the Messages API: https://docs.anthropic.com/en/api/messages, and its search for tools:
// https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/tool-search-tool.
var anthropic = api{
	name: "anthropic", finish: [2]string{"end_turn", "tool_use"}, talk: "messages",
	path: func(string, bool) string { return "/v1/messages" },
	ask: func(r *request) obj {
		m := obj{"model": r.model, "stream": r.stream, "max_tokens": 4000}
		if r.system != "" {
			m["system"] = r.system
		}
		list := []any{}
		for _, e := range r.talk {
			switch {
			case e.user != "":
				list = append(list, obj{"role": "user", "content": e.user})
			case e.said != nil:
				list = append(list, obj{"role": "assistant", "content": e.said})
			default:
				blocks := []any{}
				for _, res := range e.results {
					blocks = append(blocks, obj{"type": "tool_result", "tool_use_id": res.id, "content": res.text})
				}
				list = append(list, obj{"role": "user", "content": blocks})
			}
		}
		m["messages"] = list
		tools := []any{}
		searched := false
		for _, t := range r.tools {
			v := obj{"name": t.name, "description": t.about, "input_schema": json.RawMessage(t.schema)}
			if t.deferred {
				v["defer_loading"], searched = true, true
			}
			tools = append(tools, v)
		}
		if searched {
			tools = append(tools, obj{"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"})
		}
		m["tools"] = tools
		choice := obj{}
		switch r.choice {
		case "":
			if r.single {
				choice["type"] = "auto"
			}
		case "required":
			choice["type"] = "any"
		default:
			choice["type"], choice["name"] = "tool", r.choice
		}
		if r.single {
			choice["disable_parallel_tool_use"] = true
		}
		if len(choice) > 0 {
			m["tool_choice"] = choice
		}
		return m
	},
	read: func(a *answer, body string) {
		var v struct {
			ID         string
			Content    []json.RawMessage
			StopReason string `json:"stop_reason"`
		}
		if json.Unmarshal([]byte(body), &v) != nil {
			a.fail = body
			return
		}
		a.id, a.finish, a.said = v.ID, v.StopReason, v.Content
		var texts []string
		for _, b := range v.Content {
			var c block
			_ = json.Unmarshal(b, &c)
			switch c.Type {
			case "text":
				texts = append(texts, c.Text)
			case "thinking":
				a.reasoning += c.Thinking
			case "tool_use":
				a.calls = append(a.calls, call{c.ID, c.Name, string(c.Input), false})
			}
		}
		a.text = strings.Join(texts, "")
	},
	join: func(events []string) string {
		var list []obj2
		stop := ""
		input := map[int]string{}
		for _, ev := range events {
			var v struct {
				Type         string
				Index        int
				ContentBlock obj2 `json:"content_block"`
				Delta        struct {
					Type, Text, Thinking, Signature string
					PartialJSON                     string `json:"partial_json"`
					StopReason                      string `json:"stop_reason"`
				}
			}
			if json.Unmarshal([]byte(ev), &v) != nil {
				continue
			}
			switch v.Type {
			case "content_block_start":
				if v.Index != len(list) {
					return "a block is out of its place: " + ev
				}
				list = append(list, v.ContentBlock)
			case "content_block_delta":
				b := list[v.Index]
				for member, piece := range map[string]string{"text": v.Delta.Text, "thinking": v.Delta.Thinking, "signature": v.Delta.Signature} {
					if piece != "" {
						b[member] = raw(text(b[member]) + piece)
					}
				}
				input[v.Index] += v.Delta.PartialJSON
			case "content_block_stop":
				if input[v.Index] != "" {
					list[v.Index]["input"] = json.RawMessage(input[v.Index])
				}
			case "message_delta":
				stop = v.Delta.StopReason
			}
		}
		return js(obj{"content": list, "stop_reason": stop})
	},
	see: func(s *seen, _ string, m obj2) {
		for _, t := range elements(m["tools"]) {
			var v struct {
				Type, Name, Description string
				InputSchema             json.RawMessage `json:"input_schema"`
			}
			_ = json.Unmarshal(t, &v)
			s.tools = append(s.tools, shown{v.Name, v.Description, v.InputSchema, false})
		}
		s.system = textOf(m["system"])
		for _, b := range s.list {
			v := object(b)
			tu := turn{role: text(v["role"]), text: textOf(v["content"])}
			for _, p := range elements(v["content"]) {
				var c block
				_ = json.Unmarshal(p, &c)
				switch c.Type {
				case "tool_use":
					tu.calls = append(tu.calls, call{c.ID, c.Name, string(c.Input), false})
				case "tool_result":
					tu.results = append(tu.results, result{id: c.ToolUseID, text: textOf(c.Content)})
				}
			}
			s.turns = append(s.turns, tu)
		}
	},
	say: func(r *reply, model string) obj {
		return obj{"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": blocks(r), "stop_reason": stopReason(r), "stop_sequence": nil,
			"usage": obj{"input_tokens": 9, "output_tokens": 9}}
	},
	cut: func(r *reply, model string) (out []obj) {
		out = append(out, obj{"type": "message_start", "message": obj{"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": []any{},
			"stop_reason": nil, "stop_sequence": nil, "usage": obj{"input_tokens": 9, "output_tokens": 1}}})
		for i, b := range blocks(r) {
			delta := func(d obj) { out = append(out, obj{"type": "content_block_delta", "index": i, "delta": d}) }
			begun := obj{}
			for key, value := range b {
				begun[key] = value
			}
			for _, member := range []string{"text", "thinking", "signature"} {
				if begun[member] != nil {
					begun[member] = ""
				}
			}
			if begun["input"] != nil {
				begun["input"] = obj{}
			}
			out = append(out, obj{"type": "content_block_start", "index": i, "content_block": begun})
			switch b["type"] {
			case "text":
				for _, p := range pieces(b["text"].(string)) {
					delta(obj{"type": "text_delta", "text": p})
				}
			case "thinking":
				for _, p := range pieces(b["thinking"].(string)) {
					delta(obj{"type": "thinking_delta", "thinking": p})
				}
				delta(obj{"type": "signature_delta", "signature": b["signature"]})
			case "tool_use":
				for _, p := range pieces(string(b["input"].(json.RawMessage))) {
					delta(obj{"type": "input_json_delta", "partial_json": p})
				}
			}
			out = append(out, obj{"type": "content_block_stop", "index": i})
		}
		return append(out, obj{"type": "message_delta", "delta": obj{"stop_reason": stopReason(r), "stop_sequence": nil}, "usage": obj{"output_tokens": 9}},
			obj{"type": "message_stop"})
	},
	sse: func(ev obj) string { return "event: " + ev["type"].(string) + "\ndata: " + js(ev) + "\n\n" },
	fail: func(_ int, message string) string {
		return js(obj{"type": "error", "error": obj{"type": "api_error", "message": message}})
	},
	can: map[string]bool{"deferred": true, "choice": true, "single": true, "signed": true},
}

// A block is one of the content of a message.
type block struct {
	Type, Text, Thinking, Signature, ID, Name string
	Input, Content                            json.RawMessage
	ToolUseID                                 string `json:"tool_use_id"`
}

func blocks(r *reply) []obj {
	var out []obj
	if r.reasoning != "" {
		out = append(out, obj{"type": "thinking", "thinking": r.reasoning, "signature": r.state})
	}
	if r.text != "" {
		out = append(out, obj{"type": "text", "text": r.text})
	}
	for _, c := range r.calls {
		out = append(out, obj{"type": "tool_use", "id": c.id, "name": c.name, "input": json.RawMessage(c.input)})
	}
	return out
}

func stopReason(r *reply) string {
	if len(r.calls) > 0 {
		return "tool_use"
	}
	return "end_turn"
}
