package refusal

import (
	"strings"

	"github.com/callwright/callwright"
)

// A Class is what a refusal comes to.
type Class struct {
	Kind    callwright.Kind
	Feature callwright.Feature
}

// A Phrase is wording by which a provider says what is wrong. All of Has must occur in the message, in lower case. A number that follows
// Number in the message is added to the feature, as ":N".
type Phrase struct {
	Has     []string
	Kind    callwright.Kind
	Feature callwright.Feature
	Number  string
}

func lacks(f callwright.Feature, has ...string) Phrase {
	return Phrase{Has: has, Kind: callwright.KindUnsupported, Feature: f}
}

func means(k callwright.Kind, has ...string) Phrase { return Phrase{Has: has, Kind: k} }

// numbered is a phrase with a number behind some words.
func (p Phrase) numbered(words string) Phrase {
	p.Number = words
	return p
}

// The grammars that servers make of schemas, by what they take.
const (
	grammarOfLlamaCPP = callwright.FeatureSchemas + ":llamacpp"
	grammarOfVLLM     = callwright.FeatureSchemas + ":vllm"
)

// member is the feature of a parameter that has a name of its own in each API.
func member(name string) callwright.Feature {
	return callwright.FeatureField + callwright.Feature(name)
}

// phrases is the one place that knows providers' wording, more special ones first. What is said of the schema of one tool, and of a member that
// is named, is looked for after them.
var phrases = []Phrase{
	// Tools beside something else.
	lacks(callwright.FeatureToolsWithReasoning, "tools with reasoning_effort are not supported"),
	lacks(callwright.FeatureToolsWithReasoning, "function tools", "/v1/responses"),
	lacks(callwright.FeatureJSONWithTools, "json mode cannot be combined with tool"),
	lacks(callwright.FeatureJSONWithTools, "custom grammar constraints with tools"),
	lacks(callwright.FeatureJSONWithTools, "function calling with a response mime type"),

	// The form of the answer.
	lacks(callwright.FeatureResponseFormat, "does not support response format"),
	lacks(callwright.FeatureResponseFormat, "does not support output format"),
	lacks(callwright.FeatureResponseFormat, "does not support", "structured output"),
	lacks(callwright.FeatureResponseFormat, "response_format", "not support"),
	lacks(callwright.FeatureResponseFormat, "output_config.format", "not supported"),
	lacks(callwright.FeatureResponseFormat, "response mime type", "not supported"),
	lacks(callwright.FeatureResponseFormat, "json mode is not enabled"),
	lacks(callwright.FeatureResponseFormat, "failed to load model vocabulary required for format"),

	// The choice between tools.
	lacks(callwright.FeatureForcedChoice, "tool_choice forces tool use"),
	lacks(callwright.FeatureForcedChoice, "does not support this tool_choice"),
	lacks(callwright.FeatureForcedChoice, "tool_choice", "incompatible with thinking"),
	lacks(callwright.FeatureForcedChoice, "tool_choice", "thinking mode"),
	lacks(callwright.FeatureForcedChoice, "tool_choice", "being set to required"),
	lacks(callwright.FeatureChoice, "tool_choice", "not support"),
	lacks(callwright.FeatureChoice, "function calling config", "not supported"),
	lacks(callwright.FeatureParallel, "parallel_tool_calls", "not support"),
	lacks(callwright.FeatureParallel, "disable_parallel_tool_use", "not supported"),

	// Grammars.
	lacks(callwright.FeatureStrict, "compiled grammar is too large"),
	lacks(callwright.FeatureStrict, "too many optional parameters"),
	lacks(callwright.FeatureStrict, "too many strict tools"),
	lacks(callwright.FeatureGrammar, "unexpected empty grammar stack"),
	lacks(grammarOfVLLM, "not supported by xgrammar"),
	lacks(grammarOfVLLM, "grammar error:", "unimplemented keys"),
	lacks(grammarOfVLLM, "grammar compilation failed"),
	{Has: []string{"invalid json schema in format"}, Kind: callwright.KindSchema, Feature: callwright.FeatureResponseFormat},
	lacks(grammarOfLlamaCPP, "failed to parse grammar"),
	lacks(grammarOfLlamaCPP, "json schema conversion failed"),
	lacks(grammarOfLlamaCPP, "failed to initialize samplers"),
	lacks(grammarOfLlamaCPP, "error parsing grammar"),
	lacks(grammarOfLlamaCPP, "pattern must start with"),

	// Reasoning.
	lacks(callwright.FeatureEffort, "think value", "not supported"),
	lacks(callwright.FeatureEffort, "thinking level", "not supported"),
	lacks(callwright.FeatureEffort, "does not support effort"),
	lacks(callwright.FeatureEffort, "effort parameter"),
	lacks(callwright.FeatureReasoning, "does not support thinking"),
	lacks(callwright.FeatureReasoning, "thinking is not supported"),
	lacks(callwright.FeatureReasoning, "thinking.type", "not supported"),
	lacks(callwright.FeatureReasoning, "thinking budget", "invalid"),
	lacks(callwright.FeatureReasoning, "thinking budget", "not supported"),
	lacks(callwright.FeatureReasoning, "thinking config", "not supported"),
	lacks(callwright.FeatureReasoningBack, "missing", "reasoning_content"),
	lacks(callwright.FeatureCallSignatures, "missing", "thought_signature"),
	lacks(callwright.FeatureCallSignatures, "missing", "thought signature"),
	lacks(callwright.FeatureCallSignatures, "missing", "thoughtsignature"),

	// Roles and the order of messages.
	lacks(callwright.FeatureDeveloperRole, "'developer'", "expected tags"),
	lacks(callwright.FeatureDeveloperRole, "`developer`", "expected one of"),
	lacks(callwright.FeatureDeveloperRole, "unexpected message role"),
	lacks(callwright.FeatureSystemRole, "developer instruction is not enabled"),
	lacks(callwright.FeaturePrefillMark, "assistant with prefix true"),
	lacks(callwright.FeaturePrefill, "does not support assistant message prefill"),
	lacks(callwright.FeaturePrefill, "must end with a user message"),
	lacks(callwright.FeatureUserAfterTool, "unexpected role 'user' after role 'tool'"),
	lacks(callwright.FeatureAlternation, "roles must alternate"),
	lacks(callwright.FeatureSystemMessages, "system message must be at the beginning"),
	lacks(callwright.FeatureSystemMessages, "only one system message"),
	lacks(callwright.FeatureSystemMessages, "multiple system messages"),
	lacks(callwright.FeatureNullContent, "content", "none is not an allowed value"),
	lacks(callwright.FeatureNullContent, "content", "got null"),
	lacks(callwright.FeatureNullContent, "content", "invalid type: null, expected"),
	lacks(callwright.FeatureItemIDs, "was provided without its required 'reasoning' item"),
	lacks(callwright.FeatureCallIDs, "tool call id", "a-z, a-z, 0-9", "with a length of").numbered("with a length of "),
	lacks(callwright.FeatureToolsForCalls, "must define tools"),
	lacks(callwright.FeatureToolsForCalls, "without `tools=` param"),
	lacks(callwright.FeatureToolsForCalls, "toolconfig field must be defined"),

	// Tools of some kinds.
	lacks(callwright.FeatureToolParameters, "key 'parameters' not found"),
	lacks(callwright.FeatureToolParameters, "missing field `parameters`"),
	lacks(callwright.FeatureToolParameters, "tools", "parameters", "field required"),
	lacks(callwright.FeatureToolParameters, "input_schema", "field required"),
	lacks(callwright.FeatureDeferredLoading, "invalid value: 'tool_search'"),
	lacks(callwright.FeatureDeferredLoading, "unknown variant `tool_search`"),
	lacks(callwright.FeatureDeferredLoading, "tool_search", "not support"),
	lacks(callwright.FeatureDeferredLoading, "tool type", "tool_search"),
	lacks(callwright.FeatureDeferredLoading, "tool_search_tool_", "expected tags"),
	lacks(callwright.FeatureDeferredLoading, "does not support", "tool search"),
	lacks(callwright.FeatureCustomTools, "unknown variant `custom`"),
	lacks(callwright.FeatureCustomTools, "invalid value: 'namespace'"),
	lacks(callwright.FeatureCustomTools, "invalid value: 'custom'"),
	lacks(callwright.FeatureCustomTools, "tools", "input should be 'function'"),
	lacks(callwright.FeatureCustomTools, "tools", ".type", "must be one of", "function"),
	lacks(callwright.FeatureCustomTools, "tool type", "custom"),
	lacks(callwright.FeatureCustomTools, "tools of type", "custom"),
	lacks(callwright.FeatureCustomTools, "custom tool", "not support"),
	lacks(callwright.FeatureCustomTools, "only", "function", "tools", "supported"),
	lacks(callwright.FeatureCustomTools, "unsupported tool type"),
	lacks(callwright.FeatureToolNames, "tools", "name", "pattern", "^[a-za-z0-9_").numbered("]{1,"), // Anthropic, OpenAI
	lacks(callwright.FeatureToolNames, "function.name'", "pattern", "^[a-za-z0-9_").numbered("]{1,"),
	lacks(callwright.FeatureToolNames, "'input[", ".name'", "pattern", "^[a-za-z0-9_").numbered("]{1,"),
	lacks(callwright.FeatureToolNames, "tools", ".name'", "string too long").numbered("maximum length "),
	lacks(callwright.FeatureToolNames, "invalid function name", "maximum length of").numbered("maximum length of "), // Gemini
	lacks(callwright.FeatureToolNames, "function name was", "a-z, a-z, 0-9").numbered("maximum length of "),         // Mistral
	lacks(callwright.FeatureToolNames, "function name is invalid"),                                                  // Moonshot
	lacks(callwright.FeatureMaxTools, "'tools", "array too long").numbered("maximum length "),
	lacks(callwright.FeatureMaxTools, "number of function declarations", "at most").numbered("at most "),

	// Images.
	lacks(callwright.FeatureImages, "image", "mmproj"),
	lacks(callwright.FeatureImages, "image input is not supported"),
	lacks(callwright.FeatureImages, "image input", "not enabled"),
	lacks(callwright.FeatureImages, "missing data required for image input"),
	lacks(callwright.FeatureImages, "does not support image"),
	lacks(callwright.FeatureImages, "does not support", "image input"),
	lacks(callwright.FeatureImages, "does not support vision"),

	// What is no feature.
	means(callwright.KindContextLength, "maximum context length"),
	means(callwright.KindContextLength, "context length", "exceed"),
	means(callwright.KindContextLength, "exceeds the available context size"),
	means(callwright.KindContextLength, "exceeds the context window"),
	means(callwright.KindContextLength, "exceed context limit"),
	means(callwright.KindContextLength, "prompt is too long"),
	means(callwright.KindContextLength, "input is too long for requested model"), // Bedrock
	means(callwright.KindContextLength, "too many tokens", "context"),
	means(callwright.KindContextLength, "input token count", "exceeds"),
	means(callwright.KindContextLength, "token count", "exceeds the maximum"),
	means(callwright.KindContentFilter, "content management policy"),
	means(callwright.KindContentFilter, "content filtering policy"),
	means(callwright.KindBilling, "credit balance is too low"),
	means(callwright.KindAuth, "api key not valid"),
	means(callwright.KindAuth, "api key expired"),
	means(callwright.KindRefusedCall, "failed to call a function"),
	means(callwright.KindRateLimited, "temporarily rate-limited"),
	means(callwright.KindOverloaded, "server busy"),
}

// vague is wording of which a part may stand in a refusal of something else: it counts where nothing more exact is said.
var vague = []Phrase{
	lacks(callwright.FeatureStrict, "strict", "not support"),
	lacks(callwright.FeatureTools, "support tool use"),
	lacks(callwright.FeatureTools, "does not support", "tool use"),
	lacks(callwright.FeatureTools, "does not support tool"),
	lacks(callwright.FeatureTools, "does not support function calling"),
	lacks(callwright.FeatureTools, "tools are not supported"),
	lacks(callwright.FeatureTools, "tools is not supported"), // OpenAI
	lacks(callwright.FeatureTools, "tool use is not supported"),
	lacks(callwright.FeatureTools, "tool calling is not supported"),
	lacks(callwright.FeatureTools, "function calling is not enabled"),
	lacks(callwright.FeatureTools, "function calling is not supported"),
	lacks(callwright.FeatureTools, "function calling not support"), // Novita
	lacks(callwright.FeatureTools, "tools param requires --jinja"),
	lacks(callwright.FeatureTools, "--enable-auto-tool-choice"),
	lacks(callwright.FeatureTools, "can handle the requested parameters"),
	lacks(member("top_p"), "temperature", "top_p", "cannot both be specified"),
	lacks(member("temperature"), "temperature", "may only be set to 1"),
	lacks(member("temperature"), "temperature", "is deprecated"),
	lacks(member("temperature"), "temperature", "not supported"),
	lacks(member("top_p"), "top_p", "is deprecated"),
	lacks(member("top_p"), "top_p", "not supported"),
	lacks(member("top_k"), "top_k", "is deprecated"),
	lacks(member("top_k"), "top_k", "not supported"),
}

// class is what the first phrase comes to that a message, in lower case, has all the words of.
func class(list []Phrase, low string) (Class, bool) {
next:
	for _, p := range list {
		for _, words := range p.Has {
			if !strings.Contains(low, words) {
				continue next
			}
		}
		f := p.Feature
		if p.Number != "" {
			f += NumberAfter(low, p.Number)
		}
		return Class{p.Kind, f}, true
	}
	return Class{}, false
}

// NumberAfter is ":N" for the number N that a message has right after some words, "" without one.
func NumberAfter(message, words string) callwright.Feature {
	_, rest, _ := strings.Cut(message, words)
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits == 0 {
		return ""
	}
	return callwright.Feature(":" + rest[:digits])
}
