package conformance

import (
	"slices"
	"strings"
)

// chatForm is the Chat Completions API. Documentation: https://platform.openai.com/docs/api-reference/chat and
// https://platform.openai.com/docs/api-reference/chat-streaming

var chatForm = form{
	name: Chat, title: "OpenAI Chat Completions", list: "/models", key: bearer,
	urls:  func(b base, _ string, _ bool) []string { return b.candidateURLs("/v1", "/chat/completions") },
	write: writeChat, whole: wholeChat, stream: streamChat,
	refusal:     func(t tree) string { return checkErrorObject(t, "message", "type") },
	models:      func(t tree) []string { return collectTexts(t, "data", "id") },
	finishCalls: finishCalls,
}

var chatFinishes = map[string]string{
	"stop": finishStop, "length": finishLength, "tool_calls": finishCalls, "content_filter": finishOther, "function_call": finishOther,
}

func writeChat(a *request, model string, most int) map[string]any {
	body := map[string]any{"model": model, "messages": chatMessages(a), "max_tokens": most}
	if a.tools != nil {
		var tools []any
		for _, t := range a.tools {
			function := map[string]any{"name": t.name, "description": t.about, "parameters": t.parameters()}
			if t.strict {
				function["strict"] = true
			}
			tools = append(tools, map[string]any{"type": "function", "function": function})
		}
		body["tools"] = tools
	}
	named := func(name string) any {
		return map[string]any{"type": "function", "function": map[string]any{"name": name}}
	}
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
		body["tool_choice"] = map[string]any{"type": "allowed_tools", "allowed_tools": map[string]any{"mode": "auto", "tools": tools}}
	}
	if a.serial {
		body["parallel_tool_calls"] = false
	}
	if a.format != "" {
		schema := map[string]any{"name": "answer", "strict": true, "schema": tool{schema: a.format}.parameters()}
		body["response_format"] = map[string]any{"type": "json_schema", "json_schema": schema}
	}
	if a.stream {
		body["stream"] = true
	}
	if a.stream && a.usage {
		body["stream_options"] = map[string]any{"include_usage": true}
	}
	if a.think {
		body["reasoning_effort"] = "low"
	}
	return body
}

func chatMessages(a *request) []any {
	var out []any
	for _, m := range a.messages {
		body := map[string]any{"role": m.role, "content": m.text}
		switch {
		case m.role == "tool":
			body["tool_call_id"], body["content"] = m.result.id, m.result.text
			if m.result.parts {
				body["content"] = []any{map[string]any{"type": "text", "text": m.result.text}}
			}
		case m.calls != nil:
			var calls []any
			for _, c := range m.calls {
				function := map[string]any{"name": c.name, "arguments": c.args}
				calls = append(calls, map[string]any{"id": c.id, "type": "function", "function": function})
			}
			body["tool_calls"] = calls
			switch {
			case m.text != "", m.content == absentEmpty:
			case m.content == absentNone:
				delete(body, "content")
			default:
				body["content"] = nil
			}
		}
		out = append(out, body)
	}
	return out
}

func wholeChat(a *answer, t tree) {
	choice := t.at("choices", 0)
	message := choice.at("message")
	var lacks []string
	for name, ok := range map[string]bool{
		"id": t.at("id").isString(), `object "chat.completion"`: t.at("object").text() == "chat.completion",
		"created": t.at("created").isNumber(), "model": t.at("model").isString(), "choices[0].index": choice.at("index").isNumber(),
		`choices[0].message.role "assistant"`: message.at("role").text() == "assistant",
		"choices[0].message.content":          message.at("content").ok || message.at("tool_calls").ok,
	} {
		if !ok {
			lacks = append(lacks, name)
		}
	}
	expectMembers(a, lacks)
	a.text = message.at("content").text()
	chatReasoning(a, message)
	for _, c := range message.at("tool_calls").list() {
		a.expect(c.at("type").text() == "function", "call_form", `a call has no "type": "function"`)
		a.calls = append(a.calls, chatCall(a, c))
	}
	chatFinish(a, choice.at("finish_reason"))
	chatUsage(a, t.at("usage"))
}

// chatCall decodes a call of a response that is not streamed.
func chatCall(a *answer, c tree) call {
	args := c.at("function", "arguments")
	a.expect(args.isString() || args.isNull(), "call_form", "function.arguments is not a string but %s", short(args.raw()))
	out := call{id: c.at("id").text(), name: c.at("function", "name").text(), args: args.text()}
	if args.isObject() {
		out.args = args.raw()
	}
	return out
}

func chatReasoning(a *answer, message tree) {
	for _, name := range []string{"reasoning_content", "reasoning"} {
		if r := message.at(name); !r.isNull() {
			a.expect(r.isString(), "reasoning_form", "%s is not a string but %s", name, short(r.raw()))
			a.reasoning += r.text()
			return
		}
	}
}

func chatFinish(a *answer, reason tree) {
	if !reason.isNull() {
		a.finishReason = reason.text()
		a.finish = kindOf(chatFinishes, a.finishReason)
	}
}

func chatUsage(a *answer, u tree) {
	in, ok1 := u.at("prompt_tokens").count()
	out, ok2 := u.at("completion_tokens").count()
	total, ok3 := u.at("total_tokens").count()
	a.usage = usage{in, out, total, ok1 && ok2 && ok3}
}

func streamChat(a *answer, events []event) {
	r := chatStream{a: a, byIndex: map[int]*call{}, ids: map[string]bool{}}
	done := false
	for i, e := range events {
		if e.data == "[DONE]" {
			done = i == len(events)-1
			continue
		}
		if !e.tree.at("error").isNull() {
			a.err = errInStream(e.data)
			return
		}
		r.chunk(e.tree)
	}
	r.end(done)
}

// A chatStream combines the chunks of a stream into an answer.
type chatStream struct {
	a        *answer
	byIndex  map[int]*call // calls by their index
	order    []int
	ids      map[string]bool // ids of the chunks
	first    bool            // a choice was received
	finishes int             // number of finish reasons received
	bare     int             // number of chunks without a choice
	lacks    []string        // missing required members
	late     bool            // a delta follows the finish reason
}

func (r *chatStream) chunk(t tree) {
	r.ids[t.at("id").text()] = true
	for name, ok := range map[string]bool{
		"id": t.at("id").isString(), `object "chat.completion.chunk"`: t.at("object").text() == "chat.completion.chunk",
		"created": t.at("created").isNumber(), "model": t.at("model").isString(), "choices": t.at("choices").isList(),
	} {
		if !ok && !slices.Contains(r.lacks, name) {
			r.lacks = append(r.lacks, name)
		}
	}
	if !t.at("usage").isNull() {
		chatUsage(r.a, t.at("usage"))
	}
	choices := t.at("choices").list()
	if len(choices) == 0 {
		r.bare++
	}
	for _, c := range choices {
		r.choice(c)
	}
}

func (r *chatStream) choice(c tree) {
	a, delta := r.a, c.at("delta")
	a.expect(c.at("index").isNumber(), "stream_index", "a chunk's choice has no index")
	if !r.first {
		a.expect(delta.at("role").text() == "assistant", "stream_order", `the first delta has no "role": "assistant"`)
		r.first = true
	}
	said := delta.at("content").text()
	calls := delta.at("tool_calls").list()
	r.late = r.late || r.finishes > 0 && (said != "" || len(calls) > 0)
	a.text += said
	chatReasoning(a, delta)
	for _, d := range calls {
		r.call(d)
	}
	if !c.at("finish_reason").isNull() {
		r.finishes++
		chatFinish(a, c.at("finish_reason"))
	}
}

// call adds a delta of a call. A delta without an index belongs to the last call.
func (r *chatStream) call(d tree) {
	a := r.a
	index, ok := d.at("index").count()
	a.expect(ok && index >= 0, "stream_index", "a piece of a call has no index")
	if !ok && len(r.order) > 0 {
		index = r.order[len(r.order)-1]
	}
	c := r.byIndex[index]
	id, name, args := d.at("id"), d.at("function", "name"), d.at("function", "arguments")
	if c == nil {
		a.expect(name.text() != "", "stream_names", "the first piece of a call has no name")
		a.expect(d.at("type").text() == "function", "call_form", `the first piece of a call has no "type": "function"`)
		c = &call{index: index}
		r.byIndex[index], r.order = c, append(r.order, index)
	} else {
		a.expect(id.text() == "" || id.text() == c.id, "stream_index", "pieces of call %d have two ids: %q and %q", index, c.id, id.text())
		if a.expect(name.text() == "" || c.name == "", "stream_names", "the name of call %d comes again in a later piece",
			index); name.text() == c.name {
			name = tree{}
		}
	}
	a.expect(args.isNull() || args.isString(), "call_form", "a piece of arguments is not a string but %s", short(args.raw()))
	if c.id == "" {
		c.id = id.text()
	}
	c.name += name.text()
	if c.args += args.text(); args.isObject() {
		c.args += args.raw()
	}
}

func (r *chatStream) end(done bool) {
	a := r.a
	a.expect(done, "stream_end", "the stream does not end with data: [DONE]")
	a.expect(len(r.ids) <= 1, "stream_order", "the chunks have %d ids", len(r.ids))
	a.expect(!r.late, "stream_order", "a delta follows the finish reason")
	a.expect(r.finishes == 1, "finish_one", "the stream has %d finish reasons", r.finishes)
	expectMembers(a, r.lacks)
	if !a.request.usage {
		a.expect(r.bare == 0, "usage_unasked", "a chunk has no choice although the request did not ask for token usage")
	}
	for _, index := range r.order {
		a.calls = append(a.calls, *r.byIndex[index])
	}
}

// expectMembers records the required members that a response lacks.
func expectMembers(a *answer, lacks []string) {
	slices.Sort(lacks)
	a.expect(len(lacks) == 0, "answer_members", "the answer lacks %s", strings.Join(lacks, ", "))
}

// kindOf returns the class of an API's finish reason, "" for an unknown one.
func kindOf(kinds map[string]string, said string) string { return kinds[said] }
