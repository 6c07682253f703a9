package wiretest

import "encoding/json"

// chatReasons lists the finish reasons that clients of Chat Completions handle.
var chatReasons = []string{"stop", "length", "tool_calls", "content_filter"}

// A chatTalk assembles a Chat Completions stream as clients do. LlamaIndex takes every new id for a new call and reads
// only the first call of a delta. qwen-code and LlamaIndex stop if a response with calls ends with "stop". The SDK
// throws without a finish reason.
type chatTalk struct {
	c       *complainer
	id      string
	role    bool
	calls   []chatCall
	reason  string
	counted bool
}

type chatCall struct {
	kind string
	args string
}

func chatStream(c *complainer, frames []frame) {
	t := &chatTalk{c: c}
	for i, f := range frames {
		if f.done {
			c.want(i == len(frames)-1, "something follows [DONE]")
			continue
		}
		c.want(f.name == "", "an event with the name %q", f.name)
		t.chunk(f.node)
	}
	c.want(frames[len(frames)-1].done, "no [DONE] at the end")
	c.want(t.reason != "", "no finish reason")
	c.want(t.counted == c.usage, "usage was asked for: %t, came: %t", c.usage, t.counted)
	c.callsEnd(t.reason, len(t.calls))
	for i, call := range t.calls {
		if call.kind == "function" && t.reason != "length" {
			c.arguments(frames[0].path+" call "+string(rune('0'+i)), call.args)
		}
	}
}

// callsEnd complains about a finish reason that does not match the number of calls.
func (c *complainer) callsEnd(reason string, calls int) {
	c.want(calls == 0 || reason == "tool_calls" || reason == "length", "calls, and finish reason %q", reason)
	c.want(calls > 0 || reason != "tool_calls", "no calls, and finish reason %q", reason)
}

func (t *chatTalk) chunk(n node) {
	id := n.word("id")
	if t.id == "" {
		t.id = id
	}
	t.c.want(id == t.id, "%s: another id %q after %q", n.path, id, t.id)
	n.is("object", "chat.completion.chunk")
	n.number("created")
	n.word("model")
	choices := n.at("choices").list()
	if n.at("usage").v != nil {
		t.c.want(len(choices) == 0 && t.reason != "" && !t.counted, "%s: usage that is not in one last chunk of its own", n.path)
		t.counted = true
		chatUsage(n.at("usage"))
		return
	}
	t.c.want(len(choices) == 1, "%s: %d choices", n.path, len(choices))
	for _, choice := range choices {
		t.choice(choice)
	}
}

func chatUsage(n node) {
	in, out := n.number("prompt_tokens"), n.number("completion_tokens")
	n.counts("total_tokens", in+out)
}

func (t *chatTalk) choice(n node) {
	n.counts("index", 0)
	delta := n.object("delta")
	t.c.want(t.reason == "", "%s: a choice after the finish reason", n.path)
	if !t.role {
		delta.is("role", "assistant")
		t.role = true
	}
	if delta.has("tool_calls") {
		calls := delta.at("tool_calls").list()
		t.c.want(len(calls) == 1, "%s: %d calls in one delta", n.path, len(calls))
		for _, call := range calls {
			t.fragment(call)
		}
	}
	t.c.want(n.has("finish_reason"), "%s: no member finish_reason", n.path)
	if n.at("finish_reason").v != nil {
		t.reason = n.oneOf("finish_reason", chatReasons...)
	}
}

func (t *chatTalk) fragment(n node) {
	switch index := n.number("index"); {
	case index == len(t.calls):
		n.word("id")
		kind := n.oneOf("type", "function", "custom")
		if kind != "" {
			n.object(kind).word("name")
		}
		t.calls = append(t.calls, chatCall{kind: kind})
	case index != len(t.calls)-1:
		t.c.say("%s: index %d after %d calls", n.path, index, len(t.calls))
		return
	default:
		t.c.want(!n.has("id") && !n.has("type"), "%s: id and type once more", n.path)
		t.c.want(!n.at("function").has("name"), "%s: the name once more", n.path)
	}
	last := &t.calls[len(t.calls)-1]
	if last.kind == "custom" {
		last.args += n.object("custom").text("input")
		return
	}
	last.args += n.object("function").text("arguments")
}

func chatWhole(c *complainer, n node) {
	n.word("id")
	n.is("object", "chat.completion")
	n.number("created")
	n.word("model")
	chatUsage(n.object("usage"))
	choices := n.at("choices").list()
	c.want(len(choices) == 1, "%d choices", len(choices))
	for _, choice := range choices {
		choice.counts("index", 0)
		c.want(choice.has("logprobs"), "%s: no logprobs, not even null", choice.path)
		message := choice.object("message")
		message.is("role", "assistant")
		c.want(message.has("content"), "%s: no content, not even null", message.path)
		var calls []node
		if message.has("tool_calls") {
			calls = message.at("tool_calls").list()
			c.want(len(calls) > 0, "%s: an empty list of calls", message.path)
		}
		for _, call := range calls {
			call.word("id")
			if kind := call.oneOf("type", "function", "custom"); kind == "function" {
				call.object(kind).word("name")
				c.arguments(call.path, call.object(kind).text("arguments"))
			}
		}
		c.callsEnd(choice.oneOf("finish_reason", chatReasons...), len(calls))
	}
}

// openAIFailed checks an error object of OpenAI's APIs, whose SDKs read all four members.
func openAIFailed(c *complainer, n node, _ int) {
	e := n.object("error")
	e.word("message")
	e.word("type")
	for _, key := range []string{"code", "param"} {
		c.want(e.has(key), "%s: no member %s", e.path, key)
	}
	if _, ok := e.at("code").v.(json.Number); ok {
		c.say("%s.code is a number", e.path)
	}
}
