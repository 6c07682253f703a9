package simulate

import (
	"slices"
	"strconv"
	"strings"
)

// The fields that Anthropic permits in a tool and in a content block, by the block's type. Block types that are not
// listed may have any fields.
var (
	anthropicTool = strings.Fields(`type name description input_schema strict eager_input_streaming defer_loading input_examples
		allowed_callers cache_control`)
	anthropicParts = map[string][]string{
		"text":              strings.Fields("type text citations cache_control"),
		"tool_use":          strings.Fields("type id name input caller toolset_name cache_control"),
		"tool_result":       strings.Fields("type tool_use_id content is_error cache_control"),
		"thinking":          strings.Fields("type thinking signature"),
		"redacted_thinking": strings.Fields("type data"),
	}
	// anthropicBounds are keywords that strict schemas must not have, by the type of the schema.
	anthropicBounds = map[string][]string{
		"integer": strings.Fields("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"),
		"number":  strings.Fields("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"),
		"string":  strings.Fields("minLength maxLength"),
		"array":   strings.Fields("maxItems uniqueItems"),
		"object":  strings.Fields("minProperties maxProperties propertyNames patternProperties"),
	}
)

const anthropicWord = "'^[a-zA-Z0-9_-]{1,128}$'"

// anthropicChecks are the checks of the Messages API; anthropicTalk adds the checks of the conversation.
var anthropicChecks = slices.Concat([]check{
	anthropicCheck("unknown-member", "members that the API does not have", func(doc *node) *failure {
		if names := unknown(doc, anthropicMembers); names != nil {
			return no("", "%s: Extra inputs are not permitted", names[0])
		}
		for _, t := range elements(doc.at("tools"), "tools.%d.custom") {
			if names := unknown(t.node, anthropicTool); names != nil && isCustom(t.node) {
				return no("", "%s.%s: Extra inputs are not permitted", t.at, names[0])
			}
		}
		for _, m := range elements(doc.at("messages"), "messages.%d") {
			if names := unknown(m.node, []string{"role", "content"}); names != nil {
				return no("", "%s.%s: Extra inputs are not permitted", m.at, names[0])
			}
			for _, b := range m.under("content", ".content.%d") {
				kind := b.get("type").str()
				if names := unknown(b.node, anthropicParts[kind]); names != nil && anthropicParts[kind] != nil {
					return no("", "%s.%s.%s: Extra inputs are not permitted", b.at, kind, names[0])
				}
			}
		}
		if choice := doc.at("tool_choice"); choice.at("type").str() == "none" && choice.has("disable_parallel_tool_use") {
			return no("", "tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted")
		}
		return nil
	}),
	anthropicCheck("tools", "names of tools are words, each for one tool; their schemas are objects", func(doc *node) *failure {
		names := map[string]bool{}
		for _, t := range elements(doc.at("tools"), "tools.%d.custom") {
			name, schema := t.get("name").str(), t.get("input_schema")
			switch {
			case !isWord(name, "_-", 128):
				return no("", "%s.name: String should match pattern %s", t.at, anthropicWord)
			case names[name]:
				return no("", "tools: Tool names must be unique.")
			case !isCustom(t.node):
			case schema == nil:
				return no("", "%s.input_schema: Field required", t.at)
			case !schema.has("type"):
				return no("", "%s.input_schema.type: Field required", t.at)
			case schema.at("type").str() != "object":
				return no("", "%s.input_schema.type: Input should be 'object'", t.at)
			case schema.has("oneOf") || schema.has("allOf") || schema.has("anyOf"):
				return no("", "%s.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level", t.at)
			}
			names[name] = true
		}
		return nil
	}),
	anthropicCheck("strict-schema", "schemas of strict tools and of answers keep to the subset", func(doc *node) *failure {
		for _, t := range elements(doc.at("tools"), "tools.%d.custom") {
			if why := anthropicStrict(t.get("input_schema")); why != "" && t.get("strict").isTrue() {
				return no("", "%s: %s", t.at, why)
			}
		}
		if why := anthropicStrict(doc.at("output_config", "format", "schema")); why != "" {
			return no("", "output_config.format.schema: %s", why)
		}
		return nil
	}),
	anthropicCheck("choice", "a choice of tools needs tools, and the tool that is chosen", func(doc *node) *failure {
		choice, tools := doc.at("tool_choice"), doc.at("tools").list()
		name := choice.at("name").str()
		switch {
		case doc.has("tool_choice") && len(tools) == 0:
			return no("", "tool_choice may only be specified while providing tools.")
		case choice.at("type").str() == "tool" && !slices.ContainsFunc(tools, func(t *node) bool { return t.at("name").str() == name }):
			return no("", "Tool '%s' not found in provided tools", name)
		}
		return nil
	}),
	anthropicCheck("thinking", "a budget of at least 1024 below max_tokens, no demand for a call, no other temperature",
		func(doc *node) *failure {
			if doc.at("thinking", "type").str() != "enabled" {
				return nil
			}
			budget, err := strconv.Atoi(doc.at("thinking", "budget_tokens").number())
			most, _ := strconv.Atoi(doc.at("max_tokens").number())
			temperature := doc.at("temperature").number()
			switch {
			case err != nil:
				return no("", "thinking.enabled.budget_tokens: Field required")
			case budget < 1024:
				return no("", "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024")
			case budget >= most:
				return no("", "`max_tokens` must be greater than `thinking.budget_tokens`.")
			case forces(doc):
				return no("", "Thinking may not be enabled when tool_choice forces tool use.")
			case temperature != "" && temperature != "1" && temperature != "1.0":
				return no("", "`temperature` may only be set to 1 when thinking is enabled.")
			}
			return nil
		}),
	anthropicCheck("sampling", "a temperature between 0 and 1, stop texts that are no white space", func(doc *node) *failure {
		if t, err := strconv.ParseFloat(doc.at("temperature").number(), 64); err == nil && (t < 0 || t > 1) {
			return no("", "temperature: range: 0..1")
		}
		for _, stop := range doc.at("stop_sequences").list() {
			if strings.TrimSpace(stop.str()) == "" {
				return no("", "stop_sequences: each stop sequence must contain non-whitespace")
			}
		}
		return nil
	}),
	anthropicCheck("cache", "at most four marks of what to cache, none on an empty text or on a tool that is loaded later", anthropicCached),
	{CheckInfo: CheckInfo{"both-samplings", Anthropic, "anthropic-4.5", "one of temperature and top_p"}, examine: func(doc *node) *failure {
		if doc.has("temperature") && doc.has("top_p") {
			return no("", "`temperature` and `top_p` cannot both be specified for this model. Please use only one.")
		}
		return nil
	}},
	{CheckInfo: CheckInfo{"system-role", Anthropic, "anthropic-4.5", "no system messages in mid-conversation"},
		examine: func(doc *node) *failure {
			for _, m := range doc.at("messages").list() {
				if m.at("role").str() == "system" {
					return no("", `messages: Unexpected role "system". The Messages API accepts a top-level `+"`system`"+
						` parameter, not "system" as an input message role.`)
				}
			}
			return nil
		}},
	newerCheck("no-sampling", "no sampling at all", func(doc *node) *failure {
		for _, name := range []string{"temperature", "top_p", "top_k"} {
			if doc.has(name) {
				return no("", "`%s` is deprecated for this model.", name)
			}
		}
		return nil
	}),
	newerCheck("forced-choice", "no demand for a call", func(doc *node) *failure {
		if forces(doc) {
			return no("", "tool_choice forces tool use is not compatible with this model.")
		}
		return nil
	}),
	newerCheck("prefill", "no answer that the client begins", func(doc *node) *failure {
		if all := doc.at("messages").list(); len(all) > 0 && all[len(all)-1].at("role").str() == "assistant" {
			return no("", "This model does not support assistant message prefill. The conversation must end with a user message.")
		}
		return nil
	}),
	newerCheck("adaptive", "thinking is adaptive and cannot be set otherwise", func(doc *node) *failure {
		if kind := doc.at("thinking", "type").str(); kind == "enabled" || kind == "disabled" {
			return no("", "\"thinking.type.%s\" is not supported for this model. Use \"thinking.type.adaptive\" and \"output_config.effort\" to control thinking behavior.", kind)
		}
		return nil
	}),
}, anthropicTalk)

func anthropicCheck(name, doc string, look func(*node) *failure) check {
	return check{CheckInfo: CheckInfo{name, Anthropic, "anthropic", doc}, examine: look}
}

func newerCheck(name, doc string, look func(*node) *failure) check {
	return check{CheckInfo: CheckInfo{name, Anthropic, "anthropic-5.5", doc}, examine: look}
}

// anthropicCached checks "cache_control": https://platform.claude.com/docs/en/build-with-claude/prompt-caching.
func anthropicCached(doc *node) *failure {
	found := 0
	marked := func(n *node) bool {
		if !n.has("cache_control") {
			return false
		}
		found++
		return true
	}
	marked(doc)
	for _, t := range elements(doc.at("tools"), "tools.%d") {
		if marked(t.node) && t.get("defer_loading").isTrue() {
			return no("", "Tool '%s' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.", t.get("name").str())
		}
	}
	blocks := elements(doc.at("system"), "system.%d")
	for _, m := range elements(doc.at("messages"), "messages.%d") {
		for _, b := range m.under("content", ".content.%d") {
			blocks = append(append(blocks, b), b.under("content", ".content.%d")...)
		}
	}
	for _, b := range blocks {
		if marked(b.node) && b.get("type").str() == "text" && b.get("text").str() == "" {
			return no("", "%s.text: cache_control cannot be set for empty text blocks", b.at)
		}
	}
	if found > 4 {
		return no("", "A maximum of 4 blocks with cache_control may be provided. Found %d.", found)
	}
	return nil
}

// isCustom reports whether a tool is defined by the client, in contrast to Anthropic's server tools.
func isCustom(tool *node) bool {
	kind := tool.at("type").str()
	return kind == "" || kind == "custom"
}

// forces reports whether the request's tool_choice requires a tool call.
func forces(doc *node) bool {
	kind := doc.at("tool_choice", "type").str()
	return kind == "any" || kind == "tool"
}

// anthropicStrict returns the fault of a schema for strict mode, "" if there is none.
func anthropicStrict(root *node) string {
	return walkSchema(root, nil, func(n *node, _ []string) string {
		kind := n.at("type").str()
		if kind == "object" {
			if more := n.at("additionalProperties"); !more.is("boolean") || more.isTrue() {
				return "For 'object' type, 'additionalProperties' must be explicitly set to false"
			}
		}
		var found []string
		for _, key := range anthropicBounds[kind] {
			if n.has(key) {
				found = append(found, key)
			}
		}
		if found != nil {
			return "For '" + kind + "' type, properties " + strings.Join(found, ", ") + " are not supported"
		}
		return ""
	})
}
