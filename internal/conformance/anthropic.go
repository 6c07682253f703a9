package conformance

import (
	"net/http"
	"slices"
	"strings"
)

// anthropicForm is the Messages API. Documentation: https://docs.anthropic.com/en/api/messages and
// https://docs.anthropic.com/en/docs/build-with-claude/streaming

var anthropicForm = form{
	name: Anthropic, title: "Anthropic Messages", list: "/models",
	key: func(h http.Header, key string) { h.Set("X-Api-Key", key) },
	urls: func(b base, _ string, _ bool) []string {
		return slices.Compact([]string{b.root + "/v1/messages", b.given + "/messages", b.given + "/v1/messages"})
	},
	write: writeAnthropic, whole: wholeAnthropic, stream: streamAnthropic,
	refusal: func(t tree) string {
		if t.at("type").text() != "error" {
			return `the body has no "type": "error"`
		}
		return checkErrorObject(t, "type", "message")
	},
	models:      func(t tree) []string { return collectTexts(t, "data", "id") },
	finishCalls: finishCalls,
}

var anthropicFinishes = map[string]string{
	"end_turn": finishStop, "stop_sequence": finishStop, "max_tokens": finishLength, "tool_use": finishCalls, "pause_turn": finishOther,
	"refusal": finishOther, "model_context_window_exceeded": finishLength,
}

func writeAnthropic(a *request, model string, most int) map[string]any {
	body := map[string]any{"model": model, "max_tokens": most}
	var messages []any
	for i, m := range a.messages {
		switch m.role {
		case "system":
			body["system"] = m.text
		case "tool":
			if i > 0 && a.messages[i-1].role == "tool" {
				last := messages[len(messages)-1].(map[string]any)
				last["content"] = append(last["content"].([]any), anthropicResult(m.result))
				continue
			}
			messages = append(messages, map[string]any{"role": "user", "content": []any{anthropicResult(m.result)}})
		default:
			messages = append(messages, anthropicMessage(m))
		}
	}
	body["messages"] = messages
	if a.tools != nil {
		var tools []any
		for _, t := range a.tools {
			one := map[string]any{"name": t.name, "description": t.about, "input_schema": t.parameters()}
			if t.strict {
				one["strict"] = true
			}
			tools = append(tools, one)
		}
		body["tools"] = tools
	}
	if choice := anthropicChoice(a); choice != nil {
		body["tool_choice"] = choice
	}
	if a.format != "" {
		body["output_config"] = map[string]any{"format": map[string]any{"type": "json_schema", "schema": tool{schema: a.format}.parameters()}}
	}
	if a.stream {
		body["stream"] = true
	}
	if a.think {
		const budget = 1024 // the minimum; max_tokens must be higher
		body["thinking"], body["max_tokens"] = map[string]any{"type": "enabled", "budget_tokens": budget}, max(most, 2*budget)
	}
	return body
}

func anthropicChoice(a *request) map[string]any {
	var choice map[string]any
	switch a.choice {
	case "":
		if !a.serial {
			return nil
		}
		choice = map[string]any{"type": "auto"}
	case "required":
		choice = map[string]any{"type": "any"}
	case "auto", "none":
		choice = map[string]any{"type": a.choice}
	default:
		choice = map[string]any{"type": "tool", "name": a.choice}
	}
	if a.serial {
		choice["disable_parallel_tool_use"] = true
	}
	return choice
}

func anthropicMessage(m message) map[string]any {
	if m.calls == nil {
		return map[string]any{"role": m.role, "content": m.text}
	}
	var blocks []any
	if m.text != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": m.text})
	}
	for _, c := range m.calls {
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": c.id, "name": c.name, "input": tool{schema: c.args}.parameters()})
	}
	return map[string]any{"role": m.role, "content": blocks}
}

func anthropicResult(r result) map[string]any {
	block := map[string]any{"type": "tool_result", "tool_use_id": r.id, "content": r.text}
	if r.parts {
		block["content"] = []any{map[string]any{"type": "text", "text": r.text}}
	}
	if r.failed {
		block["is_error"] = true
	}
	return block
}

func wholeAnthropic(a *answer, t tree) {
	anthropicMembers(a, t, t.at("stop_reason").ok)
	for _, block := range t.at("content").list() {
		switch block.at("type").text() {
		case "text":
			a.text += block.at("text").text()
		case "thinking":
			a.expect(block.at("thinking").isString() &&
				block.at("signature").isString(), "reasoning_form", "a thinking block lacks its text or its signature")
			a.reasoning += block.at("thinking").text()
		case "tool_use":
			input := block.at("input")
			a.expect(input.isObject() || input.isNull(), "call_form", "input is not an object but %s", short(input.raw()))
			a.calls = append(a.calls, call{id: block.at("id").text(), name: block.at("name").text(), args: objectText(input)})
		}
	}
	a.finishReason = t.at("stop_reason").text()
	a.finish = kindOf(anthropicFinishes, a.finishReason)
	anthropicUsage(a, t.at("usage"))
}

// objectText returns the JSON text of arguments that are an object. It returns a string value unchanged.
func objectText(t tree) string {
	switch {
	case t.isString():
		return t.text()
	case t.isNull():
		return ""
	}
	return t.raw()
}

func anthropicMembers(a *answer, t tree, stopped bool) {
	var lacks []string
	for name, ok := range map[string]bool{
		"id": t.at("id").isString(), `type "message"`: t.at("type").text() == "message", `role "assistant"`: t.at("role").text() == "assistant",
		"model": t.at("model").isString(), "content": t.at("content").isList(), "stop_reason": stopped,
	} {
		if !ok {
			lacks = append(lacks, name)
		}
	}
	expectMembers(a, lacks)
}

func anthropicUsage(a *answer, u tree) {
	in, ok1 := u.at("input_tokens").count()
	out, ok2 := u.at("output_tokens").count()
	a.usage = usage{in, out, in + out, ok1 && ok2}
}

// A block is a content block of a stream.
type block struct {
	kind, text, signature string
	call                  call
	closed                bool
}

// An anthropicStream combines the events of a stream into an answer.
type anthropicStream struct {
	a        *answer
	blocks   []*block
	events   int // number of events received
	finishes int // number of stop reasons received
	ended    bool
	delta    bool // a message_delta event was received
	in       int  // input tokens reported at the start
	inTold   bool // in was reported
}

func streamAnthropic(a *answer, events []event) {
	r := anthropicStream{a: a}
	for _, e := range events {
		kind := e.tree.at("type").text()
		a.expect(e.name == kind, "stream_names", "the event %q has data of type %q", e.name, kind)
		switch kind {
		case "error":
			a.err = errInStream(e.data)
			return
		case "ping":
			continue
		}
		r.event(kind, e.tree)
	}
	a.expect(r.ended, "stream_end", "the stream does not end with message_stop")
	a.expect(r.finishes == 1, "finish_one", "the stream has %d stop reasons", r.finishes)
	for _, b := range r.blocks {
		switch b.kind {
		case "text":
			a.text += b.text
		case "thinking":
			a.expect(b.signature != "", "reasoning_form", "a thinking block has no signature")
			a.reasoning += b.text
		case "tool_use":
			if b.call.args = b.text; b.text == "" {
				b.call.args = "{}" // no input_json_delta was sent: https://docs.anthropic.com/en/docs/build-with-claude/streaming
			}
			a.calls = append(a.calls, b.call)
		}
	}
}

func (r *anthropicStream) event(kind string, t tree) {
	a := r.a
	r.events++
	a.expect(r.events > 1 || kind == "message_start", "stream_order", "the first event is %s, not message_start", kind)
	a.expect(!r.ended, "stream_order", "%s follows message_stop", kind)
	switch kind {
	case "message_start":
		m := t.at("message")
		anthropicMembers(a, m, true)
		r.in, r.inTold = m.at("usage", "input_tokens").count()
	case "content_block_start":
		r.start(t)
	case "content_block_delta":
		r.piece(t)
	case "content_block_stop":
		if b := r.open(kind, t); b != nil {
			b.closed = true
		}
	case "message_delta":
		r.end(t)
	case "message_stop":
		r.ended = true
		a.expect(r.delta, "stream_order", "message_stop comes without message_delta")
	}
}

func (r *anthropicStream) start(t tree) {
	a := r.a
	for i, b := range r.blocks {
		a.expect(b.closed, "stream_order", "a block starts before content_block_stop of the block %d", i)
	}
	index, ok := t.at("index").count()
	a.expect(ok && index == len(r.blocks), "stream_index", "the block %d has the index %s", len(r.blocks), t.at("index").raw())
	content := t.at("content_block")
	b := &block{kind: content.at("type").text(), text: content.at("text").text() + content.at("thinking").text()}
	switch b.kind {
	case "text":
		a.expect(content.at("text").isString(), "item_form", "a text block starts without text")
	case "tool_use":
		b.call = call{id: content.at("id").text(), name: content.at("name").text()}
		a.expect(b.call.name != "", "stream_names", "a tool_use block starts without a name")
		a.expect(content.at("input").isObject(), "call_form", "a tool_use block starts without an object input")
	}
	r.blocks = append(r.blocks, b)
}

// open returns the content block with the index in t, an event of the type kind. It returns nil if there is no such
// block.
func (r *anthropicStream) open(kind string, t tree) *block {
	index, ok := t.at("index").count()
	r.a.expect(ok, "stream_index", "%s has no index", kind)
	if !ok {
		index = len(r.blocks) - 1
	}
	if index < 0 || index >= len(r.blocks) {
		r.a.expect(false, "stream_order", "%s has the index %d, which no block has", kind, index)
		return nil
	}
	b := r.blocks[index]
	r.a.expect(!b.closed, "stream_order", "%s follows content_block_stop of the block %d", kind, index)
	return b
}

func (r *anthropicStream) piece(t tree) {
	b := r.open("content_block_delta", t)
	if b == nil {
		return
	}
	delta := t.at("delta")
	switch kind := delta.at("type").text(); kind {
	case "text_delta", "thinking_delta", "input_json_delta":
		b.text += delta.at("text").text() + delta.at("thinking").text() + delta.at("partial_json").text()
		fits := map[string]string{"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "tool_use"}[kind]
		r.a.expect(b.kind == fits || strings.Contains(b.kind, "tool_use"), "stream_index", "%s comes in a block of type %q", kind, b.kind)
	case "signature_delta":
		b.signature += delta.at("signature").text()
	}
}

func (r *anthropicStream) end(t tree) {
	a := r.a
	r.delta = true
	for i, b := range r.blocks {
		a.expect(b.closed, "stream_order", "message_delta comes before content_block_stop of the block %d", i)
	}
	if said := t.at("delta", "stop_reason"); !said.isNull() {
		r.finishes++
		a.finishReason = said.text()
		a.finish = kindOf(anthropicFinishes, a.finishReason)
	}
	out, ok := t.at("usage", "output_tokens").count()
	a.usage = usage{r.in, out, r.in + out, ok && r.inTold}
}
