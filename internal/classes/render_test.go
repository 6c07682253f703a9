package classes_test

import "fmt"

func (a answer) chatWhole() m {
	msg := m{"role": "assistant", "content": a.text}
	if a.text == "" {
		msg["content"] = nil
	}
	if a.thought != "" {
		msg["reasoning_content"] = a.thought
	}
	if len(a.calls) > 0 {
		var list []any
		for i, c := range a.calls {
			list = append(list, m{"id": c.withID(i), "type": "function", "function": m{"name": c.name, "arguments": c.args}})
		}
		msg["tool_calls"] = list
	}
	return m{"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m",
		"choices": []any{m{"index": 0, "message": msg, "finish_reason": a.finishOf(chat)}},
		"usage":   m{"prompt_tokens": 10, "completion_tokens": a.output(), "total_tokens": 10 + a.output()}}
}

// chatChunk is a chunk with this delta.
func chatChunk(delta any, finish any) string {
	return text(m{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m",
		"choices": []any{m{"index": 0, "delta": delta, "finish_reason": finish}}})
}

func (a answer) chatEvents() []string {
	out := []string{chatChunk(m{"role": "assistant", "content": ""}, nil)}
	for _, p := range pieces(a.thought) {
		out = append(out, chatChunk(m{"reasoning_content": p}, nil))
	}
	for _, p := range pieces(a.text) {
		out = append(out, chatChunk(m{"content": p}, nil))
	}
	for i, c := range a.calls {
		out = append(out, chatChunk(m{"tool_calls": []any{m{"index": i, "id": c.withID(i), "type": "function", "function": m{"name": c.name, "arguments": ""}}}}, nil))
		for _, p := range pieces(c.args) {
			out = append(out, chatChunk(m{"tool_calls": []any{m{"index": i, "function": m{"arguments": p}}}}, nil))
		}
	}
	return append(out, chatChunk(m{}, a.finishOf(chat)),
		text(m{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": []any{},
			"usage": m{"prompt_tokens": 10, "completion_tokens": a.output(), "total_tokens": 10 + a.output()}}), "[DONE]")
}

// items are the output items of the Responses API.
func (a answer) items() []any {
	out := []any{}
	if a.thought != "" {
		out = append(out, m{"id": "rs_1", "type": "reasoning", "summary": []any{m{"type": "summary_text", "text": a.thought}}})
	}
	if a.text != "" {
		out = append(out, m{"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
			"content": []any{m{"type": "output_text", "text": a.text, "annotations": []any{}}}})
	}
	for i, c := range a.calls {
		out = append(out, m{"id": fmt.Sprintf("fc_%d", i), "type": "function_call", "status": "completed", "call_id": c.withID(i), "name": c.name, "arguments": c.args})
	}
	return out
}

func (a answer) responsesWhole() m {
	out := m{"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": a.finishOf(responses), "output": a.items(), "error": nil, "incomplete_details": nil,
		"usage": m{"input_tokens": 10, "output_tokens": a.output(), "total_tokens": 10 + a.output()}}
	if a.finishOf(responses) == "incomplete" {
		out["incomplete_details"] = m{"reason": "max_output_tokens"}
	}
	return out
}

func (a answer) responsesEvents() []string {
	n := 0
	event := func(kind string, more m) string {
		more["type"], more["sequence_number"] = kind, n
		n++
		return text(more)
	}
	out := []string{event("response.created", m{"response": m{"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "in_progress", "output": []any{}}})}
	for i, item := range a.items() {
		it := item.(m)
		switch it["type"] {
		case "reasoning":
			out = append(out, event("response.output_item.added", m{"output_index": i, "item": m{"id": it["id"], "type": "reasoning", "summary": []any{}}}),
				event("response.reasoning_summary_part.added", m{"output_index": i, "item_id": it["id"], "summary_index": 0, "part": m{"type": "summary_text", "text": ""}}))
			for _, p := range pieces(a.thought) {
				out = append(out, event("response.reasoning_summary_text.delta", m{"output_index": i, "item_id": it["id"], "summary_index": 0, "delta": p}))
			}
			out = append(out, event("response.reasoning_summary_text.done", m{"output_index": i, "item_id": it["id"], "summary_index": 0, "text": a.thought}))
		case "message":
			out = append(out, event("response.output_item.added", m{"output_index": i, "item": m{"id": it["id"], "type": "message", "role": "assistant", "status": "in_progress", "content": []any{}}}),
				event("response.content_part.added", m{"output_index": i, "item_id": it["id"], "content_index": 0, "part": m{"type": "output_text", "text": "", "annotations": []any{}}}))
			for _, p := range pieces(a.text) {
				out = append(out, event("response.output_text.delta", m{"output_index": i, "item_id": it["id"], "content_index": 0, "delta": p}))
			}
			out = append(out, event("response.output_text.done", m{"output_index": i, "item_id": it["id"], "content_index": 0, "text": a.text}))
		case "function_call":
			args := it["arguments"].(string)
			out = append(out, event("response.output_item.added", m{"output_index": i, "item": m{"id": it["id"], "type": "function_call", "status": "in_progress", "call_id": it["call_id"], "name": it["name"], "arguments": ""}}))
			for _, p := range pieces(args) {
				out = append(out, event("response.function_call_arguments.delta", m{"output_index": i, "item_id": it["id"], "delta": p}))
			}
			out = append(out, event("response.function_call_arguments.done", m{"output_index": i, "item_id": it["id"], "arguments": args}))
		}
		out = append(out, event("response.output_item.done", m{"output_index": i, "item": it}))
	}
	end := "response.completed"
	if a.finishOf(responses) == "incomplete" {
		end = "response.incomplete"
	}
	return append(out, event(end, m{"response": a.responsesWhole()}))
}

// blocks are the content blocks of the Messages API.
func (a answer) blocks() []any {
	out := []any{}
	if a.thought != "" {
		out = append(out, m{"type": "thinking", "thinking": a.thought, "signature": "c2ln"})
	}
	if a.text != "" {
		out = append(out, m{"type": "text", "text": a.text})
	}
	for i, c := range a.calls {
		out = append(out, m{"type": "tool_use", "id": c.withID(i), "name": c.name, "input": value(c.args)})
	}
	return out
}

func (a answer) anthropicWhole() m {
	return m{"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": a.blocks(), "stop_reason": a.finishOf(anthropic), "stop_sequence": nil,
		"usage": m{"input_tokens": 10, "output_tokens": a.output()}}
}

func (a answer) anthropicEvents() []string {
	out := []string{text(m{"type": "message_start", "message": m{"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": m{"input_tokens": 10, "output_tokens": 1}}})}
	calls := 0
	for i, b := range a.blocks() {
		block := b.(m)
		var start m
		var deltas []m
		switch block["type"] {
		case "thinking":
			start = m{"type": "thinking", "thinking": "", "signature": ""}
			for _, p := range pieces(a.thought) {
				deltas = append(deltas, m{"type": "thinking_delta", "thinking": p})
			}
			deltas = append(deltas, m{"type": "signature_delta", "signature": "c2ln"})
		case "text":
			start = m{"type": "text", "text": ""}
			for _, p := range pieces(a.text) {
				deltas = append(deltas, m{"type": "text_delta", "text": p})
			}
		default:
			start = m{"type": "tool_use", "id": block["id"], "name": block["name"], "input": m{}}
			for _, p := range pieces(a.calls[calls].args) {
				deltas = append(deltas, m{"type": "input_json_delta", "partial_json": p})
			}
			calls++
		}
		out = append(out, text(m{"type": "content_block_start", "index": i, "content_block": start}))
		for _, d := range deltas {
			out = append(out, text(m{"type": "content_block_delta", "index": i, "delta": d}))
		}
		out = append(out, text(m{"type": "content_block_stop", "index": i}))
	}
	return append(out, text(m{"type": "message_delta", "delta": m{"stop_reason": a.finishOf(anthropic), "stop_sequence": nil}, "usage": m{"output_tokens": a.output()}}),
		text(m{"type": "message_stop"}))
}

// geminiChunk is an answer, or a piece of one, of generateContent.
func (a answer) geminiChunk(said, thought string, calls []call, finish string) m {
	parts := []any{}
	if thought != "" {
		parts = append(parts, m{"text": thought, "thought": true})
	}
	if said != "" {
		parts = append(parts, m{"text": said})
	}
	for _, c := range calls {
		f := m{"name": c.name, "args": value(c.args)}
		if c.id != "" {
			f["id"] = c.id
		}
		parts = append(parts, m{"functionCall": f})
	}
	candidate := m{"index": 0, "content": m{"role": "model", "parts": parts}}
	if finish != "" {
		candidate["finishReason"] = finish
	}
	return m{"candidates": []any{candidate}, "modelVersion": "m", "responseId": "r1",
		"usageMetadata": m{"promptTokenCount": 10, "candidatesTokenCount": a.output(), "totalTokenCount": 10 + a.output()}}
}

// ollamaChunk is an answer, or a piece of one, of /api/chat.
func (a answer) ollamaChunk(said, thought string, calls []call, last bool) m {
	msg := m{"role": "assistant", "content": said}
	if thought != "" {
		msg["thinking"] = thought
	}
	var list []any
	for _, c := range calls {
		list = append(list, m{"function": m{"name": c.name, "arguments": value(c.args)}})
	}
	if list != nil {
		msg["tool_calls"] = list
	}
	out := m{"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": msg, "done": last}
	if last {
		out["done_reason"], out["prompt_eval_count"], out["eval_count"] = a.finishOf(ollama), 10, a.output()
	}
	return out
}
