package wiretest

import (
	"fmt"
	"reflect"
	"strings"
)

// A responsesTalk checks a stream of the Responses API. The SDK assembles the response from created, output_item.added
// and content_part.added in this order, by output_index, content_index and item_id. The AI SDK reads text from deltas
// and acts on output_item.done. LangChain and Mastra read arguments only from deltas. Codex requires output_item.done
// and the response id at the end. The agents SDK reads the output of the last event.
type responsesTalk struct {
	c     *complainer
	id    string
	item  *responsesItem // the open item, nil for none
	done  []any          // completed items
	seq   int            // least sequence_number of the next event
	ended bool
}

// A responsesItem is an output item of a Responses API stream that is not complete.
type responsesItem struct {
	id, kind string
	parts    map[string]int    // number of completed parts, by the name of their index member
	open     string            // name of the index member of the open part, "" for none
	texts    map[string]string // joined deltas, by event and index: "output_text0"
	closed   map[string]bool   // whether the done event has come, by the keys of texts
}

func newResponsesItem(id, kind string) *responsesItem {
	return &responsesItem{id: id, kind: kind, parts: map[string]int{}, texts: map[string]string{}, closed: map[string]bool{}}
}

// responsesDeltas lists the events with deltas: the type of their item, the member of the done event with the whole
// text, and the name of the index member, "" for none.
var responsesDeltas = map[string]struct{ item, member, index string }{
	"output_text":             {"message", "text", "content_index"},
	"refusal":                 {"message", "refusal", "content_index"},
	"function_call_arguments": {"function_call", "arguments", ""},
	"custom_tool_call_input":  {"custom_tool_call", "input", ""},
	"reasoning_summary_text":  {"reasoning", "text", "summary_index"},
	"reasoning_text":          {"reasoning", "text", "content_index"},
}

// responsesParts maps the prefixes of the events of a content part to the member that has the index of the part.
var responsesParts = map[string]string{"content_part": "content_index", "reasoning_summary_part": "summary_index"}

func responsesStream(c *complainer, frames []frame) {
	t := &responsesTalk{c: c}
	c.want(frames[0].name == "response.created", "the first event is %q", frames[0].name)
	for i, f := range frames {
		f.is("type", f.name)
		n := f.number("sequence_number")
		c.want(n >= t.seq, "%s: sequence_number %d after %d", f.path, n, t.seq-1)
		t.seq = n + 1
		c.want(!t.ended, "%s: %s after the end", f.path, f.name)
		t.event(strings.TrimPrefix(f.name, "response."), f.node, i)
	}
	c.want(t.ended, "the stream has no end")
}

func (t *responsesTalk) event(name string, n node, i int) {
	what, step := name, ""
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		what, step = name[:dot], name[dot+1:]
	}
	switch {
	case name == "created":
		t.c.want(i == 0, "%s: another response.created", n.path)
		t.id = responsesHead(n.object("response"), "in_progress")
	case name == "in_progress":
		responsesHead(n.object("response"), "in_progress")
	case name == "completed", name == "incomplete":
		t.end(n.object("response"), name)
	case name == "output_item.added":
		t.begin(n)
	case name == "output_item.done":
		t.close(n)
	case responsesParts[what] != "":
		t.part(n, what, step)
	case responsesDeltas[what].item != "":
		t.piece(n, what, step)
	default:
		t.checkItemID(n) // an event of an item that the provider processes itself
	}
}

// responsesHead checks the members that every response object must have, and returns its id.
func responsesHead(n node, status string) (id string) {
	n.is("object", "response")
	n.number("created_at")
	n.word("model")
	n.is("status", status)
	n.at("output").list()
	return n.word("id")
}

// checkItemID adds a complaint unless the event n belongs to the open item.
func (t *responsesTalk) checkItemID(n node) {
	n.counts("output_index", len(t.done))
	if t.item == nil {
		t.c.say("%s: no item is open", n.path)
		t.item = newResponsesItem("", "")
		return
	}
	n.is("item_id", t.item.id)
}

func (t *responsesTalk) begin(n node) {
	t.c.want(t.item == nil, "%s: an item inside another", n.path)
	n.counts("output_index", len(t.done))
	item := n.object("item")
	t.item = newResponsesItem(item.word("id"), item.word("type"))
	switch t.item.kind {
	case "message":
		item.is("status", "in_progress")
		item.is("role", "assistant")
		t.c.want(len(item.at("content").list()) == 0, "%s: content before it is added", item.path)
	case "function_call":
		item.is("status", "in_progress")
		item.is("arguments", "")
		item.word("call_id")
		item.word("name")
	case "custom_tool_call":
		item.is("input", "")
		item.word("call_id")
		item.word("name")
	case "reasoning":
		item.at("summary").list()
	}
}

func (t *responsesTalk) part(n node, what, step string) {
	t.checkItemID(n)
	index := responsesParts[what]
	part := n.object("part")
	switch kind := part.word("type"); kind {
	case "output_text":
		part.text("text")
		part.at("annotations").list()
	case "refusal":
		part.text("refusal")
	default:
		part.text("text")
	}
	n.counts(index, t.item.parts[index])
	switch step {
	case "added":
		t.c.want(t.item.open == "", "%s: a part inside another", n.path)
		t.item.open = index
	case "done":
		t.c.want(t.item.open == index, "%s: the end of no part", n.path)
		t.item.open = ""
		t.item.parts[index]++
	}
}

func (t *responsesTalk) piece(n node, what, step string) {
	t.checkItemID(n)
	of := responsesDeltas[what]
	t.c.want(t.item.kind == of.item, "%s: %s in an item of type %s", n.path, what, t.item.kind)
	key := what
	if of.index != "" {
		at := n.number(of.index)
		key = fmt.Sprint(what, at)
		t.c.want(t.item.open == of.index && at == t.item.parts[of.index], "%s: %s outside its part", n.path, what)
	}
	t.c.want(!t.item.closed[key], "%s: more after the end of %s", n.path, what)
	switch step {
	case "delta":
		t.item.texts[key] += n.text("delta")
	case "done":
		t.item.closed[key] = true
		n.is(of.member, t.item.texts[key])
	}
}

func (t *responsesTalk) close(n node) {
	n.counts("output_index", len(t.done))
	if t.item == nil {
		t.c.say("%s: the end of no item", n.path)
		return
	}
	item := n.object("item")
	item.is("id", t.item.id)
	item.is("type", t.item.kind)
	t.c.want(t.item.open == "", "%s: a part is still open", n.path)
	responsesItemDone(item)
	for what, of := range responsesDeltas {
		if of.index == "" && of.item == t.item.kind {
			t.c.want(t.item.closed[what], "%s: no %s.done", n.path, what)
			item.is(of.member, t.item.texts[what])
		}
	}
	if t.item.kind == "message" {
		t.c.want(len(item.at("content").list()) == t.item.parts["content_index"], "%s: content that was not streamed", item.path)
	}
	t.done = append(t.done, item.v)
	t.item = nil
}

// responsesItemDone checks the members of a completed output item that clients read.
func responsesItemDone(item node) {
	item.word("id")
	switch item.word("type") {
	case "message":
		item.is("role", "assistant")
		item.oneOf("status", "completed", "incomplete")
		for _, part := range item.at("content").list() {
			if part.oneOf("type", "output_text", "refusal") == "output_text" {
				part.text("text")
				part.at("annotations").list()
			}
		}
	case "function_call":
		item.word("call_id")
		item.word("name")
		if item.oneOf("status", "completed", "incomplete") == "completed" {
			item.c.arguments(item.path, item.text("arguments"))
		}
	case "custom_tool_call":
		item.word("call_id")
		item.word("name")
		item.text("input")
	case "reasoning":
		item.at("summary").list()
	}
}

func (t *responsesTalk) end(n node, status string) {
	t.ended = true
	t.c.want(t.item == nil, "%s: an item is still open", n.path)
	if id := responsesHead(n, status); id != t.id {
		t.c.say("%s: id %q after %q", n.path, id, t.id)
	}
	responsesTail(n)
	if output := n.at("output"); !reflect.DeepEqual(output.v, append([]any{}, t.done...)) {
		t.c.say("%s: expected the items as they were done, %v, got %v", output.path, t.done, output.v)
	}
}

// responsesTail checks members of a completed response. Its usage may be absent, but not null.
func responsesTail(n node) {
	if n.has("usage") {
		usage := n.object("usage")
		in, out := usage.number("input_tokens"), usage.number("output_tokens")
		usage.counts("total_tokens", in+out)
	}
	if n.text("status") == "incomplete" {
		n.object("incomplete_details").word("reason")
	}
}

func responsesWhole(_ *complainer, n node) {
	responsesHead(n, n.oneOf("status", "completed", "incomplete"))
	responsesTail(n)
	for _, item := range n.at("output").list() {
		responsesItemDone(item)
	}
}
