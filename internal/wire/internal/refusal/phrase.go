package refusal

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
)

// A Class is the classification of a rejected request: the kind of the error, and the feature that the provider lacks,
// "" if none.
type Class struct {
	Kind    callwright.Kind
	Feature callwright.Feature
}

// A Phrase recognizes an error message by its wording. The message in lower case must contain all strings of Has. If
// Number is set, the number that follows it in the message is added to Feature, as ":N".
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

// withNumber returns p with its field Number set to words.
func (p Phrase) withNumber(words string) Phrase {
	p.Number = words
	return p
}

// Features for a JSON Schema that the server cannot use. The suffix is the schema target: the subset of JSON Schema
// that the server, as identified by its message, accepts.
const (
	grammarOfLlamaCPP = feature.Schemas + ":llamacpp"
	grammarOfVLLM     = feature.Schemas + ":vllm"
	subsetOfOpenAI    = feature.Schemas + ":openai"
	subsetOfMoonshot  = feature.Schemas + ":moonshot"
)

// member returns the feature for a request parameter, such as "top_p", whose path differs between APIs.
func member(name string) callwright.Feature {
	return feature.Field + callwright.Feature(name)
}

// phrases lists the wordings of all providers, more specific ones first. Read tests wordings about the schema of one
// tool before these, and wordings about a named member after them.
var phrases = []Phrase{
	// Tools in combination with another setting.
	lacks(feature.ToolsWithReasoning, "tools with reasoning_effort are not supported"),
	lacks(feature.ToolsWithReasoning, "function tools", "/v1/responses"),
	lacks(feature.JSONWithTools, "json mode cannot be combined with tool"),
	lacks(feature.JSONWithTools, "custom grammar constraints with tools"),
	lacks(feature.JSONWithTools, "function calling with a response mime type"),

	lacks(feature.StreamTools, "tool use in streaming"), // Bedrock
	lacks(feature.StreamTools, "streaming", "not support", "tool"),
	lacks(feature.StreamTools, "n't support streaming", "tool"),
	lacks(feature.StreamTools, "n't support tool", "streaming"),
	lacks(feature.StreamTools, "streaming", "not support", "function call"),
	lacks(feature.StreamTools, "stream=true", "not support", "tools"),
	lacks(feature.StreamTools, "cannot be streamed", "tool"),
	lacks(feature.StreamTools, "stream must be false", "tool"),
	lacks(feature.StreamTools, "cannot be used with stream", "tool"),
	lacks(feature.StreamTools, "not supported with stream", "tool"),
	lacks(feature.StreamTools, "not supported in stream", "tool"),
	lacks(feature.StreamTools, "not available for stream", "tool"),
	lacks(feature.StreamTools, "'stream' is not supported", "tool"),
	lacks(feature.StreamTools, "stream mode", "not support", "tool"),
	lacks(feature.StreamTools, "stream mode", "not support", "function call"),
	lacks(feature.StreamTools, "only", "non-streaming", "tool"),

	// The response format.
	lacks(feature.ResponseFormat, "does not support response format"),
	lacks(feature.ResponseFormat, "does not support output format"),
	lacks(feature.ResponseFormat, "does not support", "structured output"),
	lacks(feature.ResponseFormat, "structured outputs are not supported"),
	lacks(feature.ResponseFormat, "structured output is not supported"),
	lacks(feature.ResponseFormat, "json_schema response format", "not support"),
	lacks(feature.ResponseFormat, "unsupported response_format type"),
	lacks(feature.ResponseFormat, "invalid value: 'json_schema'"),
	lacks(feature.JSONMode, "invalid value: 'json_object'"),
	lacks(feature.ResponseFormat, "response_format", "not support"),
	lacks(feature.ResponseFormat, "response_format type is unavailable"), // DeepSeek
	lacks(feature.ResponseFormat, "output_config.format", "not supported"),
	lacks(feature.ResponseFormat, "response mime type", "not supported"),
	lacks(feature.ResponseFormat, "json mode is not enabled"),
	lacks(feature.ResponseFormat, "failed to load model vocabulary required for format"),

	// The member tool_choice.
	lacks(feature.ForcedChoice, "tool_choice forces tool use"),
	lacks(feature.ForcedChoice, "does not support this tool_choice"),
	lacks(feature.ForcedChoice, "tool_choice", "incompatible with thinking"),
	lacks(feature.ForcedChoice, "tool_choice", "thinking mode"),
	lacks(feature.ForcedChoice, "tool_choice", "being set to required"),
	lacks(feature.Choice, "tool_choice", "not support"),
	lacks(feature.Choice, "function calling config", "not supported"),
	lacks(feature.Parallel, "parallel_tool_calls", "not support"),
	lacks(feature.Parallel, "disable_parallel_tool_use", "not supported"),

	// Grammars.
	lacks(feature.Strict, "compiled grammar is too large"),
	lacks(feature.Strict, "too many optional parameters"),
	lacks(feature.Strict, "too many strict tools"),
	lacks(feature.Grammar, "unexpected empty grammar stack"),
	lacks(grammarOfVLLM, "not supported by xgrammar"),
	lacks(grammarOfVLLM, "grammar error:", "unimplemented keys"),
	lacks(grammarOfVLLM, "grammar compilation failed"),
	{Has: []string{"invalid json schema in format"}, Kind: callwright.KindSchema, Feature: feature.ResponseFormat},
	lacks(subsetOfOpenAI, "lookaround is not supported"),
	lacks(subsetOfMoonshot, "moonshot flavored json schema"),
	lacks(grammarOfLlamaCPP, "failed to parse grammar"),
	lacks(grammarOfLlamaCPP, "json schema conversion failed"),
	lacks(grammarOfLlamaCPP, "failed to initialize samplers"),
	lacks(grammarOfLlamaCPP, "error parsing grammar"),
	lacks(grammarOfLlamaCPP, "pattern must start with"),

	// Reasoning.
	lacks(feature.Effort, "think value", "not supported"),
	lacks(feature.Effort, "thinking level", "not supported"),
	lacks(feature.Effort, "does not support effort"),
	lacks(feature.Effort, "effort parameter"),
	lacks(feature.Reasoning, "does not support thinking"),
	lacks(feature.Reasoning, "thinking is not supported"),
	lacks(feature.Reasoning, "thinking.type", "not supported"),
	lacks(feature.Reasoning, "thinking budget", "invalid"),
	lacks(feature.Reasoning, "thinking budget", "not supported"),
	lacks(feature.Reasoning, "thinking config", "not supported"),
	lacks(feature.ReasoningBack, "missing", "reasoning_content"),
	lacks(feature.CallSignatures, "missing", "thought_signature"),
	lacks(feature.CallSignatures, "missing", "thought signature"),
	lacks(feature.CallSignatures, "missing", "thoughtsignature"),

	// Assistant messages.
	lacks(feature.EmptyAssistant, "content or tool_calls must be set"),                          // DeepSeek
	lacks(feature.EmptyAssistant, "must have either content or tool_calls"),                     // Mistral
	lacks(feature.EmptyAssistant, "role 'assistant' must not be empty"),                         // Moonshot
	lacks(feature.EmptyAssistant, "at least one content element"),                               // xAI
	lacks(feature.EmptyAssistant, "must have non-empty content except"),                         // Anthropic
	lacks(feature.EmptyAssistant, "final block in an assistant message", "thinking"),            // Anthropic
	lacks(feature.EmptyAssistant, "content field in the message object", "is empty"),            // Bedrock
	lacks(feature.EmptyAssistant, "contents.parts must not be empty"),                           // Gemini
	lacks(feature.EmptyAssistant, "must include at least one parts field"),                      // Vertex
	lacks(feature.ReasoningBack, "reasoning_content", "must be passed back"),                    // DeepSeek
	lacks(feature.ReasoningTurns, "messages.", ".content.", "input should be 'text', 'image',"), // the Messages API of vLLM
	lacks(feature.ReasoningTurns, "messages.", "input tag 'thinking'", "expected tags"),
	lacks(feature.ReasoningState, "encrypted content", "could not be verified"),
	lacks(feature.ReasoningState, "invalid_encrypted_content"),

	// Items that only OpenAI's Responses API has.
	lacks(feature.APIItems, "item type", "not supported"),
	lacks(feature.APIItems, "unsupported item type"),
	lacks(feature.APIItems, "unknown item type"),
	lacks(feature.APIItems, "unknown input item type"),         // Ollama
	lacks(feature.APIItems, "cannot determine type of 'item'"), // llama.cpp
	lacks(feature.APIItems, "'additional_tools'"),
	lacks(feature.APIItems, "`additional_tools`"),
	lacks(feature.APIItems, "'tool_search_call'"),
	lacks(feature.APIItems, "`tool_search_call`"),
	lacks(feature.APIItems, "'tool_search_output'"),
	lacks(feature.APIItems, "`tool_search_output`"),
	lacks(feature.APIItems, "invalid value: 'compaction'"),
	lacks(feature.APIItems, "unknown variant `compaction`"),
	lacks(feature.APIItems, "'context_compaction'"),
	lacks(feature.APIItems, "`context_compaction`"),

	// Roles and the order of messages.
	lacks(feature.DeveloperRole, "'developer'", "expected tags"),
	lacks(feature.DeveloperRole, "`developer`", "expected one of"),
	lacks(feature.DeveloperRole, "unexpected message role"),
	lacks(feature.SystemRole, "developer instruction is not enabled"),
	lacks(feature.PrefillMark, "assistant with prefix true"),
	lacks(feature.Prefill, "does not support assistant message prefill"),
	lacks(feature.Prefill, "must end with a user message"),
	lacks(feature.UserAfterTool, "unexpected role 'user' after role 'tool'"),
	lacks(feature.Alternation, "roles must alternate"),
	lacks(feature.SystemMessages, "system message must be at the beginning"),
	lacks(feature.SystemMessages, "only one system message"),
	lacks(feature.SystemMessages, "multiple system messages"),
	lacks(feature.NullContent, "content", "none is not an allowed value"),
	lacks(feature.NullContent, "content", "got null"),
	lacks(feature.NullContent, "content", "invalid type: null, expected"),
	lacks(feature.BlankText, "text content is empty"),                 // Moonshot
	lacks(feature.BlankText, "text content blocks must be non-empty"), // Anthropic
	lacks(feature.BlankText, "must contain non-whitespace text"),      // Anthropic
	lacks(feature.BlankText, "has an empty text parameter"),           // Vertex
	lacks(feature.ItemIDs, "was provided without its required 'reasoning' item"),
	lacks(feature.CallIDs, "tool call id", "a-z, a-z, 0-9", "with a length of").withNumber("with a length of "),
	lacks(feature.ToolsForCalls, "must define tools"),
	lacks(feature.ToolsForCalls, "without `tools=` param"),
	lacks(feature.ToolsForCalls, "toolconfig field must be defined"),

	// Tool types, names and limits.
	lacks(feature.ToolParameters, "key 'parameters' not found"),
	lacks(feature.ToolParameters, "missing field `parameters`"),
	lacks(feature.ToolParameters, "tools", "parameters", "field required"),
	lacks(feature.ToolParameters, "input_schema", "field required"),
	lacks(feature.DeferredLoading, "invalid value: 'tool_search'"),
	lacks(feature.DeferredLoading, "unknown variant `tool_search`"),
	lacks(feature.DeferredLoading, "tool_search", "not support"),
	lacks(feature.DeferredLoading, "tool type", "tool_search"),
	lacks(feature.DeferredLoading, "tool_search_tool_", "expected tags"),
	lacks(feature.DeferredLoading, "does not support", "tool search"),
	lacks(feature.CustomTools, "unknown variant `custom`"),
	lacks(feature.CustomTools, "invalid value: 'namespace'"),
	lacks(feature.CustomTools, "invalid value: 'custom'"),
	lacks(feature.CustomTools, "tools", "input should be 'function'"),
	lacks(feature.CustomTools, "'type' of tool must be 'function'"), // llama.cpp
	lacks(feature.CustomTools, "tool type not supported"),
	lacks(feature.CustomTools, "tools", ".type", "must be", "function"),
	lacks(feature.CustomTools, "tools", "missing field `function`"),
	lacks(feature.CustomTools, "tools", ".function: field required"),
	lacks(feature.CustomTools, "tool type", "custom"),
	lacks(feature.CustomTools, "tools of type", "custom"),
	lacks(feature.CustomTools, "custom tool", "not support"),
	lacks(feature.CustomTools, "only", "function", "tools", "supported"),
	lacks(feature.CustomTools, "unsupported tool type"),
	lacks(feature.ToolNames, "tools", "name", "pattern", "^[a-za-z0-9_").withNumber("]{1,"), // Anthropic, OpenAI
	lacks(feature.ToolNames, "function.name'", "pattern", "^[a-za-z0-9_").withNumber("]{1,"),
	lacks(feature.ToolNames, "'input[", ".name'", "pattern", "^[a-za-z0-9_").withNumber("]{1,"),
	lacks(feature.ToolNames, "tools", ".name'", "string too long").withNumber("maximum length "),
	lacks(feature.ToolNames, "invalid function name", "maximum length of").withNumber("maximum length of "), // Gemini
	lacks(feature.ToolNames, "function name was", "a-z, a-z, 0-9").withNumber("maximum length of "),         // Mistral
	lacks(feature.ToolNames, "name", "must start with a letter", "maximum length of").withNumber("maximum length of "),
	lacks(feature.ToolNames, "function", "name", "must start with a letter"),
	lacks(feature.ToolNames, "tool", "name", "must start with a letter"),
	lacks(feature.ToolNames, "name", "must begin with a letter"),
	lacks(feature.ToolNames, "function", "name", "must start with an alphabetic"),
	lacks(feature.ToolNames, "function name is invalid"), // Moonshot
	lacks(feature.ToolNames, "invalid function name"),
	lacks(feature.ToolNames, "invalid tool name"),
	lacks(feature.ToolNames, "tools", "name", "invalid characters"),
	lacks(feature.MaxTools, "'tools", "array too long").withNumber("maximum length "),
	lacks(feature.MaxTools, "number of function declarations", "at most").withNumber("at most "),

	// Images.
	lacks(feature.Images, "image", "mmproj"),
	lacks(feature.Images, "image input is not supported"),
	lacks(feature.Images, "image input", "not enabled"),
	lacks(feature.Images, "missing data required for image input"),
	lacks(feature.Images, "does not support image"),
	lacks(feature.Images, "does not support", "image input"),
	lacks(feature.Images, "does not support vision"),
	lacks(feature.Images, "do not support image input"),                       // Volcano Engine
	lacks(feature.Images, "image_url", "only supported by certain models"),    // OpenAI, Azure
	lacks(feature.Images, "unknown variant", "image_url", "expected", "text"), // DeepSeek
	lacks(feature.Images, "no endpoints found that support image input"),      // OpenRouter
	lacks(feature.Images, "image inputs are not supported"),                   // xAI
	lacks(feature.Images, "is not a multimodal model"),                        // vLLM
	lacks(feature.ImageForm, "n't support the image"),                         // Bedrock, also if only images in tool results are not supported
	lacks(feature.ImageForm, "unsupported image"),                             // OpenAI, Ollama
	lacks(feature.ImageForm, "invalid image"),                                 // OpenAI
	lacks(feature.ImageForm, "could not process image"),                       // Anthropic
	lacks(feature.ImageForm, "unable to process input image"),                 // Gemini
	lacks(feature.ImageForm, "provided image is not valid"),                   // Gemini
	lacks(feature.ImageForm, "unsupported mime type", "image"),                // Gemini
	lacks(feature.ImageForm, "mime_type", "mime type must be image"),          // Gemini

	// Errors that concern no feature.
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
	means(callwright.KindContextLength, "token count", "exceeds the limit"),                      // GitHub Copilot
	means(callwright.KindContextLength, "input tokens exceed the configured limit"),              // OpenAI
	means(callwright.KindContextLength, "maximum prompt length"),                                 // xAI
	means(callwright.KindContextLength, "reduce the length of the messages"),                     // Groq
	means(callwright.KindContextLength, "greater than the context length"),                       // LM Studio
	means(callwright.KindContextLength, "longer than the model's context length"),                // SGLang
	means(callwright.KindContextLength, "input length", "exceeds the maximum"),                   // SGLang, Volcano Engine
	means(callwright.KindContextLength, "context window exceeds limit"),                          // MiniMax
	means(callwright.KindContextLength, "exceeded model token limit"),                            // Moonshot
	means(callwright.KindContextLength, "range of input length should be"),                       // DashScope
	means(callwright.KindContextLength, "prompt exceeds max length"),                             // Z.ai
	means(callwright.KindContextLength, "prompt", "too long to fit into the model"),              // vLLM
	means(callwright.KindContextLength, "input prompt", "is too long"),                           // vLLM
	means(callwright.KindContextLength, "prompt too long", "tokens"),                             // servers over MLX
	means(callwright.KindContextLength, "tokens + `max_new_tokens` must be"),                     // Text Generation Inference, Together
	means(callwright.KindContextLength, "too many tokens: total number of tokens in the prompt"), // Cohere
	means(callwright.KindContentFilter, "content management policy"),
	means(callwright.KindContentFilter, "content filtering policy"),
	means(callwright.KindBilling, "credit balance is too low"),
	means(callwright.KindAuth, "api key not valid"),
	means(callwright.KindAuth, "api key expired"),
	means(callwright.KindRefusedCall, "failed to call a function"),
	means(callwright.KindRateLimited, "temporarily rate-limited"),
	means(callwright.KindOverloaded, "server busy"),
}

// vague lists wordings that may also occur in an error message about something else. Read tests them last.
var vague = []Phrase{
	lacks(feature.Strict, "strict", "not support"),
	lacks(feature.Tools, "support tool use"),
	lacks(feature.Tools, "does not support", "tool use"),
	lacks(feature.Tools, "does not support tool"),
	lacks(feature.Tools, "does not support function calling"),
	lacks(feature.Tools, "tools are not supported"),
	lacks(feature.Tools, "tools is not supported"), // OpenAI
	lacks(feature.Tools, "tool use is not supported"),
	lacks(feature.Tools, "tool calling is not supported"),
	lacks(feature.Tools, "function calling is not enabled"),
	lacks(feature.Tools, "function calling is not supported"),
	lacks(feature.Tools, "function calling not support"), // Novita
	lacks(feature.Tools, "tools param requires --jinja"),
	lacks(feature.Tools, "--enable-auto-tool-choice"),
	lacks(feature.Tools, "can handle the requested parameters"),
	lacks(member("top_p"), "temperature", "top_p", "cannot both be specified"),
	lacks(member("temperature"), "temperature", "may only be set to 1"),
	lacks(member("temperature"), "temperature", "is deprecated"),
	lacks(member("temperature"), "temperature", "not supported"),
	lacks(member("top_p"), "top_p", "is deprecated"),
	lacks(member("top_p"), "top_p", "not supported"),
	lacks(member("top_k"), "top_k", "is deprecated"),
	lacks(member("top_k"), "top_k", "not supported"),
}

// class returns the class of the first phrase in list that matches low, an error message in lower case.
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

// NumberAfter returns ":N" for the number N directly after words in an error message, "" if there is none: for the
// words "at most ", "at most 64 tools" gives ":64".
func NumberAfter(message, words string) callwright.Feature {
	_, rest, _ := strings.Cut(message, words)
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits == 0 {
		return ""
	}
	return callwright.Feature(":" + rest[:digits])
}
