package pairwise_test

import (
	"encoding/json"
	"fmt"
)

// responses is the Responses API of OpenAI: https://platform.openai.com/docs/api-reference/responses, and its search for tools:
// https://platform.openai.com/docs/guides/tools-tool-search.
var responses = api{
	name: "responses", base: "/v1", finish: [2]string{"completed", "completed"}, talk: "input",
	path: func(string, bool) string { return "/v1/responses" },
	ask: func(r *request) obj {
		m := obj{"model": r.model, "stream": r.stream, "store": r.store}
		if !r.store {
			m["include"] = []string{"reasoning.encrypted_content"}
		}
		if r.previous != "" {
			m["previous_response_id"] = r.previous
		}
		if r.system != "" {
			m["instructions"] = r.system
		}
		list := []any{}
		for _, e := range r.talk {
			if e.user != "" {
				list = append(list, obj{"role": "user", "content": e.user})
			}
			for _, s := range e.said {
				list = append(list, s)
			}
			for _, res := range e.results {
				kind := "function_call_output"
				if res.custom {
					kind = "custom_tool_call_output"
				}
				list = append(list, obj{"type": kind, "call_id": res.id, "output": res.text})
			}
		}
		m["input"] = list
		tools, searched := []any{}, false
		for _, t := range r.tools {
			if t.grammar != "" {
				tools = append(tools, obj{"type": "custom", "name": t.name, "description": t.about, "format": obj{"type": "grammar", "syntax": "lark", "definition": t.grammar}})
				continue
			}
			v := obj{"type": "function", "name": t.name, "description": t.about, "strict": false, "parameters": json.RawMessage(t.schema)}
			if t.deferred {
				v["defer_loading"], searched = true, true
			}
			tools = append(tools, v)
		}
		if searched {
			tools = append(tools, obj{"type": "tool_search"})
		}
		m["tools"] = tools
		switch r.choice {
		case "":
		case "required":
			m["tool_choice"] = "required"
		default:
			m["tool_choice"] = obj{"type": "function", "name": r.choice}
		}
		if r.single {
			m["parallel_tool_calls"] = false
		}
		if r.form != "" {
			m["text"] = obj{"format": obj{"type": "json_schema", "name": "form", "schema": json.RawMessage(r.form)}}
		}
		return m
	},
	read: func(a *answer, body string) {
		var v struct {
			ID, Status string
			Output     []json.RawMessage
		}
		if json.Unmarshal([]byte(body), &v) != nil || v.Status == "failed" {
			a.fail = body
			return
		}
		a.id, a.finish, a.said = v.ID, v.Status, v.Output
		for _, b := range v.Output {
			var it item
			_ = json.Unmarshal(b, &it)
			switch it.Type {
			case "message":
				a.text += textOf(it.Content)
			case "reasoning":
				a.reasoning += textOf(it.Summary) + textOf(it.Content)
			case "function_call":
				a.calls = append(a.calls, call{it.CallID, it.Name, it.Arguments, false})
			case "custom_tool_call":
				a.calls = append(a.calls, call{it.CallID, it.Name, it.Input, true})
			}
		}
	},
	join: func(events []string) string {
		var done []json.RawMessage
		last := obj2{}
		sent := map[int]string{}
		for _, ev := range events {
			var v struct {
				Type, Delta string
				OutputIndex int `json:"output_index"`
				Item        json.RawMessage
				Response    obj2
			}
			if json.Unmarshal([]byte(ev), &v) != nil {
				continue
			}
			switch v.Type {
			case "response.output_item.done":
				if v.OutputIndex != len(done) {
					return "an item is out of its place: " + ev
				}
				done = append(done, v.Item)
			case "response.output_text.delta", "response.function_call_arguments.delta", "response.custom_tool_call_input.delta":
				sent[v.OutputIndex] += v.Delta
			case "response.completed", "response.failed", "response.incomplete":
				last = v.Response
			}
		}
		for i, b := range done {
			var it item
			_ = json.Unmarshal(b, &it)
			if full := textOf(it.Content) + it.Arguments + it.Input; it.Type != "reasoning" && full != sent[i] {
				return fmt.Sprintf("the pieces of item %d are %q, the item %s", i, sent[i], b)
			}
		}
		if all := elements(last["output"]); js(all) != js(done) {
			return fmt.Sprintf("the items are %s, those of the response %s", js(done), last["output"])
		}
		return js(last)
	},
	see: func(s *seen, _ string, m obj2) {
		for _, t := range elements(m["tools"]) {
			var v struct {
				Type, Name, Description string
				Parameters              json.RawMessage
			}
			_ = json.Unmarshal(t, &v)
			s.tools = append(s.tools, shown{v.Name, v.Description, v.Parameters, v.Type == "custom"})
		}
		s.system = text(m["instructions"])
		if said := text(m["input"]); said != "" {
			s.turns = append(s.turns, turn{role: "user", text: said})
		}
		for _, b := range s.list {
			var it item
			_ = json.Unmarshal(b, &it)
			switch it.Type {
			case "function_call", "custom_tool_call":
				c := call{it.CallID, it.Name, it.Arguments + it.Input, it.Type == "custom_tool_call"}
				if n := len(s.turns); n > 0 && len(s.turns[n-1].calls) > 0 {
					s.turns[n-1].calls = append(s.turns[n-1].calls, c)
					continue
				}
				s.turns = append(s.turns, turn{role: "assistant", calls: []call{c}})
			case "function_call_output", "custom_tool_call_output":
				s.turns = append(s.turns, turn{role: "tool", results: []result{{id: it.CallID, text: textOf(it.Output), custom: it.Type == "custom_tool_call_output"}}})
			case "message", "":
				if it.Role == "system" || it.Role == "developer" {
					s.system += textOf(it.Content)
					continue
				}
				s.turns = append(s.turns, turn{role: it.Role, text: textOf(it.Content)})
			}
		}
	},
	say: func(r *reply, model string) obj { return response(items(r), "completed", model) },
	cut: func(r *reply, model string) (out []obj) {
		add := func(ev obj) {
			ev["sequence_number"] = len(out)
			out = append(out, ev)
		}
		add(obj{"type": "response.created", "response": response([]obj{}, "in_progress", model)})
		for i, it := range items(r) {
			begun := obj{}
			for key, value := range it {
				begun[key] = value
			}
			at := obj{"item_id": it["id"], "output_index": i}
			with := func(kind string, more obj) {
				ev := obj{"type": kind}
				for _, m := range []obj{at, more} {
					for key, value := range m {
						ev[key] = value
					}
				}
				add(ev)
			}
			begin := func(member string, value any) {
				begun[member], begun["status"] = value, "in_progress"
				add(obj{"type": "response.output_item.added", "output_index": i, "item": begun})
			}
			switch it["type"] {
			case "message":
				begin("content", []any{})
				with("response.content_part.added", obj{"content_index": 0, "part": obj{"type": "output_text", "text": "", "annotations": []any{}}})
				for _, p := range pieces(r.text) {
					with("response.output_text.delta", obj{"content_index": 0, "delta": p})
				}
				with("response.output_text.done", obj{"content_index": 0, "text": r.text})
				with("response.content_part.done", obj{"content_index": 0, "part": outputText(r.text)})
			case "reasoning":
				begun["encrypted_content"] = ""
				begin("summary", []any{})
				with("response.reasoning_summary_part.added", obj{"summary_index": 0, "part": obj{"type": "summary_text", "text": ""}})
				for _, p := range pieces(r.reasoning) {
					with("response.reasoning_summary_text.delta", obj{"summary_index": 0, "delta": p})
				}
				with("response.reasoning_summary_text.done", obj{"summary_index": 0, "text": r.reasoning})
				with("response.reasoning_summary_part.done", obj{"summary_index": 0, "part": obj{"type": "summary_text", "text": r.reasoning}})
			default:
				member, kind := "arguments", "response.function_call_arguments"
				if it["type"] == "custom_tool_call" {
					member, kind = "input", "response.custom_tool_call_input"
				}
				begin(member, "")
				for _, p := range pieces(it[member].(string)) {
					with(kind+".delta", obj{"delta": p})
				}
				with(kind+".done", obj{member: it[member]})
			}
			add(obj{"type": "response.output_item.done", "output_index": i, "item": it})
		}
		add(obj{"type": "response.completed", "response": response(items(r), "completed", model)})
		return out
	},
	sse: func(ev obj) string { return "event: " + ev["type"].(string) + "\ndata: " + js(ev) + "\n\n" },
	fail: func(_ int, message string) string {
		return js(obj{"error": obj{"message": message, "type": "server_error"}})
	},
	can: map[string]bool{"deferred": true, "custom": true, "kept": true, "form": true, "choice": true, "single": true, "signed": true},
}

// An item is one of the input or the output.
type item struct {
	Type, Role, Name, Arguments, Input string
	CallID                             string `json:"call_id"`
	Content, Summary, Output           json.RawMessage
}

func outputText(s string) obj { return obj{"type": "output_text", "text": s, "annotations": []any{}} }

func items(r *reply) []obj {
	out := []obj{}
	if r.reasoning != "" {
		out = append(out, obj{"id": fmt.Sprint("rs_", r.n), "type": "reasoning", "summary": []any{obj{"type": "summary_text", "text": r.reasoning}}, "encrypted_content": r.state})
	}
	if r.text != "" {
		out = append(out, obj{"id": fmt.Sprint("msg_", r.n), "type": "message", "role": "assistant", "status": "completed", "content": []any{outputText(r.text)}})
	}
	for _, c := range r.calls {
		v := obj{"id": "fc_" + c.id, "type": "function_call", "status": "completed", "call_id": c.id, "name": c.name, "arguments": c.input}
		if c.custom {
			v = obj{"id": "ctc_" + c.id, "type": "custom_tool_call", "status": "completed", "call_id": c.id, "name": c.name, "input": c.input}
		}
		out = append(out, v)
	}
	return out
}

func response(output []obj, status, model string) obj {
	return obj{"id": "resp_1", "object": "response", "created_at": 1790000000, "status": status, "model": model, "output": output, "error": nil, "incomplete_details": nil,
		"parallel_tool_calls": true, "store": false, "tool_choice": "auto", "tools": []any{}, "usage": obj{"input_tokens": 9, "output_tokens": 9, "total_tokens": 18}}
}
