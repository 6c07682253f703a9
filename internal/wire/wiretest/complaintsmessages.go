package wiretest

// A messagesTalk checks a stream of Anthropic's API. Claude Code cannot read a call whose block has no
// content_block_stop, and retries without streaming if a stream breaks. The AI SDK requires the member text in a new
// text block.
type messagesTalk struct {
	c       *complainer
	open    bool
	kind    string
	args    string
	blocks  int
	calls   int
	reason  string
	stopped bool
}

// blockDeltas maps the types of content blocks in Anthropic's streams to the types of their deltas.
var blockDeltas = map[string][]string{
	"text":              {"text_delta", "citations_delta"},
	"tool_use":          {"input_json_delta"},
	"thinking":          {"thinking_delta", "signature_delta"},
	"redacted_thinking": {},
}

var stopReasons = []string{"end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded"}

func messagesStream(c *complainer, frames []frame) {
	t := &messagesTalk{c: c}
	c.want(frames[0].name == "message_start", "the first event is %q", frames[0].name)
	for i, f := range frames {
		f.is("type", f.name)
		c.want(!t.stopped, "%s: %s after message_stop", f.path, f.name)
		c.want(t.reason == "" || f.name == "message_stop" || f.name == "ping", "%s: %s after message_delta", f.path, f.name)
		switch f.name {
		case "ping":
		case "message_start":
			c.want(i == 0, "%s: another message_start", f.path)
			messagesHead(f.object("message"))
		case "content_block_start":
			t.begin(f.node)
		case "content_block_delta":
			t.delta(f.node)
		case "content_block_stop":
			t.end(f.node)
		case "message_delta":
			c.want(!t.open, "%s: a block is still open", f.path)
			f.object("usage").number("output_tokens")
			if delta := f.object("delta"); !delta.has("stop_reason") || delta.at("stop_reason").v != nil { // null: the reason is not known yet
				t.reason = delta.oneOf("stop_reason", stopReasons...)
			}
		case "message_stop":
			t.stopped = true
		default:
			c.say("%s: unknown event %q", f.path, f.name)
		}
	}
	c.want(t.stopped && t.reason != "", "the stream has no end")
	c.stopFits(t.reason, t.calls)
}

// stopFits complains about a stop reason that does not match the number of calls.
func (c *complainer) stopFits(reason string, calls int) {
	c.want(calls == 0 || reason == "tool_use" || reason == "max_tokens", "calls, and stop reason %q", reason)
	c.want(calls > 0 || reason != "tool_use", "no calls, and stop reason %q", reason)
}

// messagesHead checks the members that a whole response and the start of a stream share.
func messagesHead(n node) {
	n.word("id")
	n.is("type", "message")
	n.is("role", "assistant")
	n.word("model")
	n.at("content").list()
	usage := n.object("usage")
	usage.number("input_tokens")
	usage.number("output_tokens")
}

func (t *messagesTalk) begin(n node) {
	t.c.want(!t.open, "%s: a block inside another", n.path)
	n.counts("index", t.blocks)
	t.open, t.args = true, ""
	block := n.object("content_block")
	switch t.kind = block.word("type"); t.kind {
	case "text":
		block.is("text", "")
	case "thinking":
		block.is("thinking", "")
		block.text("signature")
	case "redacted_thinking":
		block.word("data")
	case "tool_use":
		t.calls++
		block.word("id")
		block.word("name")
		block.object("input")
	}
}

func (t *messagesTalk) delta(n node) {
	t.c.want(t.open, "%s: a delta outside a block", n.path)
	n.counts("index", t.blocks)
	delta := n.object("delta")
	kind := delta.oneOf("type", blockDeltas[t.kind]...)
	if kind == "citations_delta" {
		messagesCitation(delta.object("citation"))
		return
	}
	text := delta.text(map[string]string{"text_delta": "text", "input_json_delta": "partial_json", "thinking_delta": "thinking",
		"signature_delta": "signature"}[kind])
	if kind == "input_json_delta" {
		t.args += text
	}
}

// messagesCitation checks a citation in Anthropic's API against the types that the AI SDK reads.
func messagesCitation(n node) {
	n.text("cited_text")
	if n.oneOf("type", "web_search_result_location", "page_location", "char_location") == "web_search_result_location" {
		n.word("url")
		n.text("title")
		n.text("encrypted_index")
	}
}

func (t *messagesTalk) end(n node) {
	t.c.want(t.open, "%s: the end of no block", n.path)
	n.counts("index", t.blocks)
	t.open = false
	t.blocks++
	if t.kind == "tool_use" && t.args != "" {
		t.c.arguments(n.path, t.args)
	}
}

func messagesWhole(c *complainer, n node) {
	messagesHead(n)
	calls := 0
	for _, block := range n.at("content").list() {
		switch block.word("type") {
		case "text":
			block.text("text")
			if cited := block.at("citations"); cited.v != nil {
				for _, c := range cited.list() {
					messagesCitation(c)
				}
			}
		case "thinking":
			block.text("thinking")
			block.text("signature")
		case "tool_use":
			calls++
			block.word("id")
			block.word("name")
			block.object("input")
		}
	}
	c.stopFits(n.oneOf("stop_reason", stopReasons...), calls)
}

func messagesFailed(_ *complainer, n node, _ int) {
	n.is("type", "error")
	n.object("error").word("type")
	n.object("error").word("message")
}
