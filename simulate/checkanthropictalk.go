package simulate

import (
	"slices"
	"strings"
)

// anthropicTalk are the checks of the messages of a conversation. Consecutive messages of one role count as one turn.
var anthropicTalk = []check{
	anthropicCheck("first-role", "a user speaks first", func(doc *node) *failure {
		if turns := anthropicTurns(doc); len(turns) > 0 && turns[0].role == "assistant" {
			return no("", "messages: first message must use the \"user\" role")
		}
		return nil
	}),
	anthropicCheck("empty", "texts of users have more than white space, other texts are not empty", anthropicEmpty),
	anthropicCheck("tools-for-history", "calls and results in the history need tools", func(doc *node) *failure {
		if len(doc.at("tools").list()) > 0 {
			return nil
		}
		for _, b := range anthropicBlocks(doc) {
			if kind := b.get("type").str(); kind == "tool_use" || kind == "tool_result" {
				return no("", "Requests which contain `tool_use` or `tool_result` blocks must define tools")
			}
		}
		return nil
	}),
	anthropicCheck("calls", "ids and names of calls are words, ids are unique, inputs are objects", func(doc *node) *failure {
		ids := map[string]bool{}
		for _, b := range anthropicBlocks(doc) {
			if b.get("type").str() != "tool_use" {
				continue
			}
			id, at := b.get("id").str(), b.at+".tool_use"
			switch {
			case !isWord(id, "_-", len(id)):
				return no("", "%s.id: String should match pattern '^[a-zA-Z0-9_-]+$'", at)
			case !isWord(b.get("name").str(), "_-", 200):
				return no("", "%s.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'", at)
			case !b.get("input").is("object"):
				return no("", "%s.input: Input should be a valid dictionary", at)
			case ids[id]:
				return no("", "%s: `tool_use` ids must be unique", b.at)
			}
			ids[id] = true
		}
		return nil
	}),
	anthropicCheck("pairing", "every call has one result in the next message, before all else there", anthropicPairing),
	anthropicCheck("signature", "thoughts come back as they were signed", anthropicSigned),
	anthropicCheck("thinking-first", "while thinking is on, the last answer with calls begins with thoughts", anthropicThinksFirst),
	anthropicCheck("trailing-space", "an answer that the client begins does not end in white space", func(doc *node) *failure {
		turns := anthropicTurns(doc)
		if len(turns) == 0 || turns[len(turns)-1].role != "assistant" {
			return nil
		}
		blocks := turns[len(turns)-1].blocks
		if len(blocks) > 0 && blocks[len(blocks)-1].text() != strings.TrimRight(blocks[len(blocks)-1].text(), " \t\n") {
			return no("", "messages: final assistant content cannot end with trailing whitespace")
		}
		return nil
	}),
}

// An anthropicTurn contains the content blocks of consecutive messages of one role.
type anthropicTurn struct {
	role   string
	at     string // path of its first message, such as "messages.2"
	blocks []element
}

// text returns the text of a text block, or of content that is a plain string.
func (e element) text() string { return e.node.str() + e.get("text").str() }

// anthropicTurns returns the turns of a conversation, without system messages.
func anthropicTurns(doc *node) []anthropicTurn {
	var out []anthropicTurn
	for _, m := range elements(doc.at("messages"), "messages.%d") {
		role := m.get("role").str()
		if role == "system" {
			continue
		}
		if len(out) == 0 || out[len(out)-1].role != role {
			out = append(out, anthropicTurn{role: role, at: m.at})
		}
		blocks := m.under("content", ".content.%d")
		if m.get("content").is("string") {
			blocks = []element{{m.get("content"), m.at + ".content"}}
		}
		out[len(out)-1].blocks = append(out[len(out)-1].blocks, blocks...)
	}
	return out
}

// anthropicBlocks returns the content blocks of all messages in a request.
func anthropicBlocks(doc *node) []element {
	var out []element
	for _, m := range elements(doc.at("messages"), "messages.%d") {
		out = append(out, m.under("content", ".content.%d")...)
	}
	return out
}

func anthropicEmpty(doc *node) *failure {
	if text := doc.at("system").str(); text != "" && strings.TrimSpace(text) == "" {
		return no("", "system: text content blocks must contain non-whitespace text")
	}
	for _, m := range elements(doc.at("messages"), "messages.%d") {
		content, user := m.get("content"), m.get("role").str() == "user"
		if user && (content == nil || content.is("string") && content.text == "" || content.is("array") && len(content.items) == 0) {
			return no("", "%s: user messages must have non-empty content", m.at)
		}
		if user && content.is("string") && strings.TrimSpace(content.text) == "" {
			return no("", "messages: text content blocks must contain non-whitespace text")
		}
		for _, b := range content.list() {
			text := b.at("text").str()
			switch {
			case b.at("type").str() != "text":
			case text == "":
				return no("", "messages: text content blocks must be non-empty")
			case user && strings.TrimSpace(text) == "":
				return no("", "messages: text content blocks must contain non-whitespace text")
			}
		}
	}
	return nil
}

func anthropicPairing(doc *node) *failure {
	var open []string
	last := ""
	unanswered := func() *failure {
		return no("", "%s: `tool_use` ids were found without `tool_result` blocks immediately after: %s. Each `tool_use` block must have a "+
			"corresponding `tool_result` block in the next message.", last, strings.Join(open, ", "))
	}
	for _, t := range anthropicTurns(doc) {
		answered := []string{}
		for _, b := range t.blocks {
			id := b.get("tool_use_id").str()
			switch {
			case b.get("type").str() != "tool_result":
				if len(open) > 0 {
					return unanswered()
				}
			case slices.Contains(answered, id):
				return no("", "%s: each tool_use must have a single result. Found multiple `tool_result` blocks with id: %s", b.at, id)
			case t.role != "user" || !slices.Contains(open, id):
				return no("", "%s: unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must have a "+
					"corresponding `tool_use` block in the previous message.", b.at, id)
			default:
				answered = append(answered, id)
				open = slices.DeleteFunc(open, func(s string) bool { return s == id })
			}
		}
		if len(open) > 0 {
			return unanswered()
		}
		last = t.at
		for _, b := range t.blocks {
			if b.get("type").str() == "tool_use" {
				open = append(open, b.get("id").str())
			}
		}
	}
	if len(open) > 0 {
		return unanswered()
	}
	return nil
}

func anthropicSigned(doc *node) *failure {
	for _, b := range anthropicBlocks(doc) {
		if b.get("type").str() != "thinking" {
			continue
		}
		sign, text := b.get("signature").str(), b.get("thinking").str()
		switch {
		case !b.node.has("signature"):
			return no("", "%s.thinking.signature: Field required", b.at)
		case sign == "" && text == "":
			return no("", "%s.thinking: each thinking block must contain thinking", b.at)
		case sign != signature(Anthropic, text):
			return no("", "%s: Invalid `signature` in `thinking` block", b.at)
		}
	}
	return nil
}

func anthropicThinksFirst(doc *node) *failure {
	if doc.at("thinking", "type").str() != "enabled" {
		return nil
	}
	turns := anthropicTurns(doc)
	for _, t := range slices.Backward(turns) {
		calls := slices.ContainsFunc(t.blocks, func(b element) bool { return b.get("type").str() == "tool_use" })
		if t.role != "assistant" || !calls {
			if t.role == "user" && !slices.ContainsFunc(t.blocks, func(b element) bool { return b.get("type").str() == "tool_result" }) {
				return nil // a new user prompt ends the loop of calls
			}
			continue
		}
		if kind := t.blocks[0].get("type").str(); kind != "thinking" && kind != "redacted_thinking" {
			return no("", "%s.type: Expected `thinking` or `redacted_thinking`, but found `%s`. When `thinking` is enabled, a final `assistant` "+
				"message must start with a thinking block (preceding the lastmost set of `tool_use` and `tool_result` blocks).", t.blocks[0].at, kind)
		}
		return nil
	}
	return nil
}
