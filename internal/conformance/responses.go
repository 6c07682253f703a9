package conformance

import (
	"slices"
	"strings"
)

// responsesForm is the Responses API. Documentation: https://platform.openai.com/docs/api-reference/responses,
// https://platform.openai.com/docs/api-reference/responses-streaming and https://www.openresponses.org/specification.
// The required members are from the published schema: https://www.openresponses.org/openapi/openapi.json

var responsesForm = form{
	name: Responses, title: "OpenAI Responses", list: "/models", key: bearer,
	urls:  func(b base, _ string, _ bool) []string { return b.candidateURLs("/v1", "/responses") },
	write: writeResponses, whole: wholeResponses, stream: streamResponses,
	refusal:     func(t tree) string { return checkErrorObject(t, "message", "type") },
	models:      func(t tree) []string { return collectTexts(t, "data", "id") },
	finishCalls: finishStop,
}

func writeResponses(a *request, model string, most int) map[string]any {
	body := map[string]any{"model": model, "input": responsesItems(a), "max_output_tokens": most, "store": false}
	if a.tools != nil {
		var tools []any
		for _, t := range a.tools {
			tools = append(tools, map[string]any{"type": "function", "name": t.name, "description": t.about,
				"parameters": t.parameters(), "strict": t.strict})
		}
		body["tools"] = tools
	}
	named := func(name string) any { return map[string]any{"type": "function", "name": name} }
	switch a.choice {
	case "":
	case "auto", "required", "none":
		body["tool_choice"] = a.choice
	default:
		body["tool_choice"] = named(a.choice)
	}
	if a.allowed != nil {
		var tools []any
		for _, name := range a.allowed {
			tools = append(tools, named(name))
		}
		body["tool_choice"] = map[string]any{"type": "allowed_tools", "mode": "auto", "tools": tools}
	}
	if a.serial {
		body["parallel_tool_calls"] = false
	}
	if a.format != "" {
		schema := map[string]any{"type": "json_schema", "name": "answer", "strict": true, "schema": tool{schema: a.format}.parameters()}
		body["text"] = map[string]any{"format": schema}
	}
	if a.stream {
		body["stream"] = true
	}
	if a.think {
		body["reasoning"] = map[string]any{"effort": "low", "summary": "auto"}
	}
	return body
}

func responsesItems(a *request) []any {
	var out []any
	for _, m := range a.messages {
		if m.role == "tool" {
			item := map[string]any{"type": "function_call_output", "call_id": m.result.id, "output": m.result.text}
			if m.result.parts {
				item["output"] = []any{map[string]any{"type": "input_text", "text": m.result.text}}
			}
			out = append(out, item)
			continue
		}
		if m.text != "" || m.calls == nil {
			out = append(out, map[string]any{"type": "message", "role": m.role, "content": m.text})
		}
		for _, c := range m.calls {
			item := map[string]any{"type": "function_call", "call_id": c.id, "name": c.name, "arguments": c.args}
			if c.item != "" {
				item["id"], item["status"] = c.item, "completed"
			}
			out = append(out, item)
		}
	}
	return out
}

// responseMembers are the required members of a response. The value is true if null is not allowed.
var responseMembers = map[string]bool{
	"id": true, "object": true, "created_at": true, "completed_at": false, "status": true, "incomplete_details": false, "model": true,
	"previous_response_id": false, "instructions": false, "output": true, "error": false, "tools": true, "tool_choice": true,
	"truncation":          true,
	"parallel_tool_calls": true, "text": true, "top_p": true, "presence_penalty": true, "frequency_penalty": true, "top_logprobs": true,
	"temperature": true, "reasoning": false, "usage": false, "max_output_tokens": false, "max_tool_calls": false, "store": true,
	"background": true, "service_tier": true, "metadata": false, "safety_identifier": false, "prompt_cache_key": false,
}

func wholeResponses(a *answer, t tree) {
	responsesMembers(a, t)
	for _, item := range t.at("output").list() {
		responsesItem(a, item)
	}
	responsesEnd(a, t)
}

func responsesMembers(a *answer, t tree) {
	var lacks []string
	for name, valued := range responseMembers {
		if v := t.at(name); !v.ok || valued && v.isNull() {
			lacks = append(lacks, name)
		}
	}
	expectMembers(a, lacks)
}

// responsesItem decodes an item of a finished response.
func responsesItem(a *answer, item tree) {
	a.expect(item.at("id").text() != "", "item_id", "an item of type %q has no id", item.at("type").text())
	switch item.at("type").text() {
	case "message":
		for _, part := range item.at("content").list() {
			a.text += part.at("text").text()
			if part.at("type").text() == "output_text" {
				a.expect(part.at("annotations").isList(), "item_form", "a part output_text has no list annotations")
			}
		}
		a.expect(item.at("role").text() == "assistant" && item.at("status").isString(), "item_form", "a message lacks its role or its status")
	case "function_call":
		args := item.at("arguments")
		a.expect(args.isString() || args.isNull(), "call_form", "arguments is not a string but %s", short(args.raw()))
		a.expect(item.at("status").isString(), "item_form", "a call has no status")
		c := call{id: item.at("call_id").text(), item: item.at("id").text(), name: item.at("name").text(), args: args.text()}
		if args.isObject() {
			c.args = args.raw()
		}
		a.calls = append(a.calls, c)
	case "reasoning":
		a.expect(item.at("summary").isList(), "reasoning_form", "a reasoning item has no list summary")
		for _, part := range slices.Concat(item.at("summary").list(), item.at("content").list()) {
			a.reasoning += part.at("text").text()
		}
	}
}

// responsesEnd decodes the status, the finish reason and the usage of a response.
func responsesEnd(a *answer, t tree) {
	a.finishReason = t.at("status").text()
	switch reason := t.at("incomplete_details", "reason").text(); {
	case a.finishReason == "completed":
		a.finish = finishStop
	case a.finishReason == "incomplete" && reason == "max_output_tokens":
		a.finish = finishLength
	case a.finishReason == "incomplete" && reason == "content_filter", a.finishReason == "failed", a.finishReason == "cancelled":
		a.finish = finishOther
	case a.finishReason == "incomplete":
		a.finishReason += " because of " + short(t.at("incomplete_details").raw())
	}
	u := t.at("usage")
	in, ok1 := u.at("input_tokens").count()
	out, ok2 := u.at("output_tokens").count()
	total, ok3 := u.at("total_tokens").count()
	a.usage = usage{in, out, total, ok1 && ok2 && ok3}
}

// A streamedItem is an item that is assembled from its events.
type streamedItem struct {
	index    int
	id, kind string
	pieces   string // concatenated deltas of arguments or text
	done     string // arguments or text in the event that ends them
	hasDone  bool
	closed   bool
	part     bool // a content part is open
	deltas   int  // number of deltas received
}

// A responsesStream combines the events of a stream into an answer.
type responsesStream struct {
	a      *answer
	items  map[int]*streamedItem
	serial int // last sequence number
	ends   int // number of events that end the response
	opened int // number of events received
}

func streamResponses(a *answer, events []event) {
	r := responsesStream{a: a, items: map[int]*streamedItem{}, serial: -1}
	for _, e := range events {
		if e.data == "[DONE]" { // required by Open Responses, not sent by OpenAI
			continue
		}
		kind := e.tree.at("type").text()
		a.expect(e.name == kind, "stream_names", "the event %q has data of type %q", e.name, kind)
		if kind == "error" {
			a.err = errInStream(e.data)
			return
		}
		if n, ok := e.tree.at("sequence_number").count(); ok {
			a.expect(n > r.serial, "stream_index", "sequence_number %d follows %d", n, r.serial)
			r.serial = n
		} else {
			a.expect(false, "stream_index", "the event %s has no sequence_number", kind)
		}
		r.event(kind, e.tree)
	}
	a.expect(r.ends > 0, "stream_end", "no event ends the response")
	a.expect(r.ends <= 1, "finish_one", "the stream has %d events that end a response", r.ends)
}

func (r *responsesStream) event(kind string, t tree) {
	a := r.a
	isEnd := kind == "response.completed" || kind == "response.incomplete" || kind == "response.failed"
	if isEnd && r.ends > 0 {
		r.ends++
		return
	}
	r.opened++
	a.expect(r.opened > 1 || kind == "response.created", "stream_order", "the first event is %s, not response.created", kind)
	a.expect(r.ends == 0, "stream_order", "%s follows the end of the response", kind)
	switch kind {
	case "response.output_item.added":
		index, _ := t.at("output_index").count()
		a.expect(t.at("output_index").isNumber(), "stream_index", "%s has no output_index", kind)
		a.expect(t.at("item", "type").text() != "function_call" ||
			t.at("item", "name").text() != "", "stream_names", "a call is added without its name")
		r.items[index] = &streamedItem{index: index, id: t.at("item", "id").text(), kind: t.at("item", "type").text()}
	default:
		if isEnd {
			r.ends++
			r.close(kind, t.at("response"))
			return
		}
		if t.at("output_index").ok || t.at("item_id").ok {
			r.itemEvent(kind, t)
		}
	}
}

// itemEvent checks the order and the indexes of an event about an output item, and adds its data to the item.
func (r *responsesStream) itemEvent(kind string, t tree) {
	a := r.a
	index, ok := t.at("output_index").count()
	a.expect(ok, "stream_index", "%s has no output_index", kind)
	item := r.items[index]
	if a.expect(item != nil, "stream_order", "%s comes before response.output_item.added", kind); item == nil {
		return
	}
	a.expect(!item.closed, "stream_order", "%s follows response.output_item.done", kind)
	if kind != "response.output_item.done" {
		a.expect(t.at("item_id").text() == item.id, "stream_index", "%s has item_id %q, its item has the id %q", kind,
			t.at("item_id").text(), item.id)
	}
	switch kind {
	case "response.content_part.added":
		item.part = true
	case "response.output_text.delta":
		a.expect(item.part, "stream_order", "%s comes before response.content_part.added", kind)
		item.pieces += t.at("delta").text()
		item.deltas++
	case "response.function_call_arguments.delta":
		item.pieces += t.at("delta").text()
		item.deltas++
	case "response.function_call_arguments.done":
		item.done, item.hasDone = t.at("arguments").text(), true
	case "response.output_text.done":
		item.done, item.hasDone = t.at("text").text(), true
	case "response.output_item.done":
		item.closed = true
		r.compare(item, t.at("item"))
		r.take(item, t.at("item"))
	}
}

// take decodes the finished item. A call gets the arguments from its deltas, because many clients only read these.
func (r *responsesStream) take(item *streamedItem, done tree) {
	before := len(r.a.calls)
	responsesItem(r.a, done)
	if len(r.a.calls) > before && item.pieces != "" {
		r.a.calls[before].args = item.pieces
	}
}

// compare checks that the finished item equals its concatenated deltas.
func (r *responsesStream) compare(item *streamedItem, done tree) {
	a, whole := r.a, done.at("arguments").text()
	switch item.kind {
	case "function_call":
		if !done.at("arguments").isString() { // another check reports it
			return
		}
		a.expect(item.hasDone, "stream_order", "a call ends without response.function_call_arguments.done")
	case "message":
		whole = ""
		for _, part := range done.at("content").list() {
			whole += part.at("text").text()
		}
	default:
		return
	}
	a.expect(item.pieces == whole, "stream_sum", "the pieces of a %s are %q, the finished item has %q", item.kind,
		short(item.pieces), short(whole))
	a.expect(!item.hasDone || item.done == whole, "stream_sum", "the event of the end of a %s has %q, the item has %q",
		item.kind, short(item.done), short(whole))
}

// close checks that the event that ends the response agrees with the earlier events, and decodes its response.
func (r *responsesStream) close(kind string, t tree) {
	a := r.a
	for _, item := range r.items {
		a.expect(item.closed, "stream_order", "%s comes before the end of the item %d", kind, item.index)
	}
	a.expect(len(t.at("output").list()) == len(r.items), "stream_sum", "%s has %d items, %d were added", kind,
		len(t.at("output").list()), len(r.items))
	responsesMembers(a, t)
	responsesEnd(a, t)
	if len(r.items) == 0 {
		for _, item := range t.at("output").list() {
			responsesItem(a, item)
		}
	}
	if status := strings.TrimPrefix(kind, "response."); status != t.at("status").text() {
		a.expect(false, "finish_known", "%s has a response with the status %q", kind, t.at("status").text())
	}
}
