package conformance

import "slices"

// ollamaForm is Ollama's /api/chat. Documentation: https://github.com/ollama/ollama/blob/main/docs/api.md and
// https://docs.ollama.com/api/chat

var ollamaForm = form{
	name: Ollama, title: "Ollama chat", list: "/tags", key: bearer, lines: true,
	urls: func(b base, _ string, _ bool) []string {
		return slices.Compact([]string{b.root + "/api/chat", b.given + "/api/chat"})
	},
	write: writeOllama, whole: wholeOllama, stream: streamOllama,
	refusal: func(t tree) string {
		if !t.at("error").isString() {
			return `the body has no text "error"`
		}
		return ""
	},
	models:      func(t tree) []string { return collectTexts(t, "models", "name") },
	finishCalls: finishStop,
}

var ollamaFinishes = map[string]string{"stop": finishStop, "length": finishLength, "load": finishOther, "unload": finishOther}

func writeOllama(a *request, model string, most int) map[string]any {
	var messages []any
	for _, m := range a.messages {
		body := map[string]any{"role": m.role, "content": m.text}
		if m.role == "tool" {
			body["content"], body["tool_name"] = m.result.text, m.result.name
			if m.result.id != "" {
				body["tool_call_id"] = m.result.id
			}
		}
		if m.calls != nil {
			var calls []any
			for _, c := range m.calls {
				one := map[string]any{"function": map[string]any{"name": c.name, "arguments": tool{schema: c.args}.parameters()}}
				if c.id != "" {
					one["id"] = c.id
				}
				calls = append(calls, one)
			}
			body["tool_calls"] = calls
		}
		messages = append(messages, body)
	}
	body := map[string]any{"model": model, "messages": messages, "stream": a.stream, "options": map[string]any{"num_predict": most}}
	if a.tools != nil {
		var tools []any
		for _, t := range a.tools {
			function := map[string]any{"name": t.name, "description": t.about, "parameters": t.parameters()}
			tools = append(tools, map[string]any{"type": "function", "function": function})
		}
		body["tools"] = tools
	}
	if a.format != "" {
		body["format"] = tool{schema: a.format}.parameters()
	}
	if a.think {
		body["think"] = true
	}
	return body
}

func wholeOllama(a *answer, t tree) {
	expectMembers(a, ollamaLacks(t, nil))
	a.expect(t.at("done").isTrue(), "finish_known", `the answer has no "done": true`)
	ollamaMessage(a, t)
	ollamaEnd(a, t)
}

// ollamaLacks appends the required members that a line lacks to lacks.
func ollamaLacks(t tree, lacks []string) []string {
	for name, ok := range map[string]bool{
		"model": t.at("model").isString(), "created_at": t.at("created_at").isString(), "done": t.at("done").isBool(),
		`message.role "assistant"`: t.at("message", "role").text() == "assistant",
	} {
		if !ok && !slices.Contains(lacks, name) {
			lacks = append(lacks, name)
		}
	}
	return lacks
}

func ollamaMessage(a *answer, t tree) {
	message := t.at("message")
	a.text += message.at("content").text()
	if r := message.at("thinking"); !r.isNull() {
		a.expect(r.isString(), "reasoning_form", "thinking is not a string but %s", short(r.raw()))
		a.reasoning += r.text()
	}
	for _, c := range message.at("tool_calls").list() {
		args := c.at("function", "arguments")
		a.expect(args.isObject() || args.isNull(), "call_form", "function.arguments is not an object but %s", short(args.raw()))
		a.calls = append(a.calls, call{id: c.at("id").text(), name: c.at("function", "name").text(), args: objectText(args)})
	}
}

func ollamaEnd(a *answer, t tree) {
	if said := t.at("done_reason"); !said.isNull() {
		a.finishReason = said.text()
		a.finish = kindOf(ollamaFinishes, a.finishReason)
	}
	in, _ := t.at("prompt_eval_count").count() // absent if the prompt was cached
	out, told := t.at("eval_count").count()
	a.usage = usage{in, out, in + out, told}
}

func streamOllama(a *answer, events []event) {
	ends, late := 0, false
	var lacks []string
	for _, e := range events {
		if e.tree.at("error").ok {
			a.err = errInStream(e.data)
			return
		}
		late = late || ends > 0
		lacks = ollamaLacks(e.tree, lacks)
		ollamaMessage(a, e.tree)
		if e.tree.at("done").isTrue() {
			ends++
			ollamaEnd(a, e.tree)
		}
	}
	expectMembers(a, lacks)
	a.expect(ends > 0, "stream_end", `no line has "done": true`)
	a.expect(ends <= 1, "finish_one", `%d lines have "done": true`, ends)
	a.expect(!late || ends > 1, "stream_order", `a line follows "done": true`)
}
