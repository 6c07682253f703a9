package caps

// providers has facts about a provider, or about a model family at a provider. Later rows override earlier ones. All
// rows override families.
var providers = []row{
	// https://platform.openai.com/docs/api-reference/chat
	{Provider: "openai", Caps: openAI},
	{Provider: "openai-responses", Caps: openAI},
	{Provider: "openai-responses", Caps: Caps{ResultImages: Yes, NameMax: 128, IDs: IDRule{Max: 64, Extra: "*"},
		MaxTokensKey: "max_output_tokens"}},
	// https://developers.openai.com/api/docs/guides/tools-tool-search: from gpt-5.4 on.
	{Provider: "openai-responses", Caps: Caps{ToolSearch: ToolSearchNone}},
	{Provider: "openai-responses", Models: "^gpt-5-4 ^gpt-5-5 ^gpt-5-6 ^gpt-6", Caps: Caps{ToolSearch: ToolSearchResponses}},
	{Provider: "openai-responses", Models: "^gpt-5 ^gpt-6 ^o-1 ^o-3 ^o-4", Caps: Caps{Reasoning: ReasoningEncrypted}},
	{Provider: "openai openai-responses", Models: "^gpt-3-5", Caps: Caps{JSONSchema: No, StrictTools: No}},
	{Provider: "openai openai-responses", Models: "^gpt-4", Caps: Caps{JSONSchema: No, StrictTools: No}},
	{Provider: "openai openai-responses", Models: "^gpt-4$ ^gpt-4-0314 ^gpt-4-0613", Caps: Caps{ParallelTools: No, JSONObject: No}},
	{Provider: "openai openai-responses", Models: "^gpt-4-1", Caps: Caps{JSONSchema: Yes, StrictTools: Yes}},
	{Provider: "openai openai-responses", Models: "^gpt-4o-2024-05-13", Caps: Caps{JSONSchema: No}},
	{Provider: "openai openai-responses", Models: "^gpt-4o-audio ^gpt-4o-search ^gpt-4o-mini-search", Caps: Caps{Tools: No}},
	{Provider: "openai openai-responses", Models: "^gpt-5-chat", Caps: Caps{Tools: No}},
	{Provider: "openai openai-responses", Models: "^o-1 ^o-3 ^o-4-mini", Caps: Caps{ParallelTools: No, ParallelField: No}},
	{Provider: "openai openai-responses", Models: "^o-1-mini ^o-1-preview", Caps: Caps{Tools: No, JSONSchema: No, JSONObject: No}},

	// https://developers.openai.com/api/docs/guides/tools-web-search,
	// https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool,
	// https://ai.google.dev/gemini-api/docs/google-search
	{Provider: "openai openai-responses azure anthropic gemini vertex", Caps: Caps{HostedTools: Yes}},

	{Provider: "azure", Caps: openAI},
	{Provider: "azure", Models: "^o-1 ^o-3 ^o-4-mini", Caps: Caps{ParallelTools: No, ParallelField: No}},
	{Provider: "azure", Models: "^gpt-3-5 ^gpt-35", Caps: Caps{JSONSchema: No, StrictTools: No}},

	// CallsPerAnswer is the expected maximum. No API guarantees it, so further calls are noted and kept.
	{Provider: "anthropic", Caps: Caps{CallsPerAnswer: 20}},
	{Provider: "openai openai-responses azure", Caps: Caps{CallsPerAnswer: 10}},
	{Provider: "deepseek", Caps: Caps{CallsPerAnswer: 5}},
	{Provider: "xai", Caps: Caps{CallsPerAnswer: 1}},

	// https://docs.anthropic.com/en/api/messages
	{Provider: "anthropic", Caps: Caps{
		Tools: Yes, ParallelTools: Yes, ParallelField: Yes, ChoiceField: Yes, StreamTools: Yes, StreamUsage: Yes,
		JSONSchema: Yes, JSONObject: No, JSONWithTools: Yes, StrictTools: Yes, Images: Yes, ResultImages: Yes,
		NameMax: 128, IDs: IDRule{Extra: "_-"}, SchemaTarget: SchemaAnthropic,
		History: HistoryRules{ToolsForCalls: true, NoEmptyAssistant: true, NoBlankText: true, SignedReasoning: true},
	}},
	{Provider: "anthropic", Models: "^claude", Caps: Caps{ChoiceForced: Yes, OpenObjects: No}},
	{Provider: "anthropic", Models: "^claude-3 ^claude-sonnet-4 ^claude-opus-4", Caps: Caps{JSONSchema: No, StrictTools: No}},
	{Provider: "anthropic", Models: "^claude-sonnet-4-5 ^claude-sonnet-4-6 ^claude-opus-4-1 ^claude-opus-4-5 ^claude-opus-4-6 " +
		"^claude-opus-4-7 ^claude-opus-4-8", Caps: Caps{JSONSchema: Yes, StrictTools: Yes}},
	// https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool#model-compatibility: from the 4.5
	// models on.
	{Provider: "anthropic", Models: "^claude-3 ^claude-sonnet-4 ^claude-opus-4", Caps: Caps{ToolSearch: ToolSearchNone}},
	{Provider: "anthropic", Models: "^claude-sonnet-4-5 ^claude-sonnet-4-6 ^claude-opus-4-5 ^claude-opus-4-6 ^claude-opus-4-7 ^claude-opus-4-8",
		Caps: Caps{ToolSearch: ToolSearchAnthropic}},
	{Provider: "anthropic", Models: "^claude-fable-5 ^claude-mythos-5 ^claude-sonnet-5-5 ^claude-opus-5-5",
		Caps: Caps{ChoiceForced: No}},

	// https://console.groq.com/docs/tool-use: the server validates calls; tools and JSON modes are mutually exclusive.
	{Provider: "groq", Caps: Caps{
		Tools: Yes, ParallelTools: Yes, ParallelField: Yes, ChoiceField: Yes, ChoiceForced: Yes, StreamTools: Yes,
		JSONObject: Yes, JSONWithTools: No, StreamUsage: Yes, ResultImages: No, MaxTools: 128, NameMax: 64,
		SchemaTarget: SchemaGroq, History: HistoryRules{SystemRole: SystemRoleSystem},
	}},
	{Provider: "groq", Models: "^compound", Caps: Caps{Tools: No, ParallelTools: No, StreamTools: No, JSONSchema: No}},
	{Provider: "groq", Models: "gpt-oss", Caps: Caps{JSONSchema: Yes, ParallelTools: No, Reasoning: ReasoningField}},
	{Provider: "groq", Models: "llama-4 kimi-k-2", Caps: Caps{JSONSchema: Yes}},
	{Provider: "groq", Models: "llama-3 llama-3-1 llama-3-3", Caps: Caps{JSONSchema: No}},
	{Provider: "groq", Models: "qwen-3 qwq", Caps: Caps{JSONSchema: No, Reasoning: ReasoningField}},

	// https://openrouter.ai/docs: capabilities depend on the host behind OpenRouter, so few facts are certain.
	{Provider: "openrouter", Caps: Caps{
		ParallelField: Yes, ChoiceField: Yes, StreamTools: Yes, StreamUsage: Yes, NameMax: 64, Reasoning: ReasoningField,
	}},
	{Provider: "openrouter", Models: "^claude ^gpt-4o ^gpt-4-1 ^gpt-5 ^o-3 ^o-4-mini ^grok-4 ^gemini-2-5 ^gemini-3 ^kimi-k-2 ^kimi-k-3 " +
		"^glm-4-5 ^glm-4-6 ^glm-4-7 ^glm-5 ^deepseek-chat ^deepseek-v-3 ^deepseek-v-4 ^mistral ^qwen-3 ^minimax-m-2 ^minimax-m-3",
		Caps: Caps{Tools: Yes, ParallelTools: Yes}},
	// https://openrouter.ai/docs/features/prompt-caching: these models accept cache markers; Gemini caches without them.
	{Provider: "openrouter", Models: "^claude ^gemini", Caps: Caps{CacheControl: Yes}},
	{Provider: "openrouter", Models: "^claude", Caps: Caps{IDs: IDRule{Extra: "_-"}, History: HistoryRules{ToolsForCalls: true}}},
	{Provider: "openrouter", Models: "^mistral ^ministral ^devstral ^magistral ^codestral", Caps: Caps{IDs: IDRule{Exact: 9}}},
	{Provider: "openrouter", Models: "^o-1 ^o-3 ^o-4-mini", Caps: Caps{ParallelTools: No, ParallelField: No}},

	// https://docs.x.ai/docs/guides/function-calling
	{Provider: "xai", Caps: Caps{
		Tools: Yes, ParallelTools: Yes, ParallelField: Yes, ChoiceField: Yes, ChoiceForced: Yes, StreamTools: Yes,
		JSONSchema: Yes, JSONObject: Yes, JSONWithTools: Yes, StrictTools: Yes, StreamUsage: Yes, Images: Yes,
		ResultImages: No, MaxTools: 128, NameMax: 64, Reasoning: ReasoningContent,
	}},
	{Provider: "xai", Models: "multi-agent", Caps: Caps{Tools: No, ParallelTools: No, StreamTools: No}},

	// https://api-docs.deepseek.com: strict tools work only at the beta URL; tool results must be strings.
	{Provider: "deepseek", Caps: Caps{
		Tools: Yes, ParallelTools: Yes, ChoiceField: Yes, ChoiceForced: Yes, StreamTools: Yes, JSONSchema: No, JSONObject: Yes,
		StrictTools: No, StreamUsage: Yes, Images: No, ResultImages: No, MaxTools: 128, NameMax: 64,
		Reasoning: ReasoningContent, History: HistoryRules{StringContent: true, NoEmptyAssistant: true, SystemRole: SystemRoleSystem},
	}},
	{Provider: "deepseek", Models: "^deepseek-chat ^deepseek-reasoner", Caps: Caps{History: HistoryRules{ReasoningBack: ReasoningBackNever}}},
	{Provider: "deepseek", Models: "^deepseek-v-4 ^deepseek-flash ^deepseek-pro",
		Caps: Caps{MaxContext: 1000000, History: HistoryRules{ReasoningBack: ReasoningBackAlways}}},

	// https://docs.mistral.ai/capabilities/function_calling: call IDs have nine characters, and the order of roles is
	// enforced. https://github.com/mistralai/client-python/blob/main/src/mistralai/models/function.py: parameters are
	// required.
	{Provider: "mistral", Caps: Caps{
		Tools: Yes, ParallelTools: Yes, ParallelField: Yes, ChoiceField: Yes, ChoiceForced: Yes, StreamTools: Yes,
		JSONSchema: Yes, JSONObject: Yes, StrictTools: Yes, StreamUsage: No, ResultImages: No, NameMax: 64,
		SchemaTarget: SchemaMistral, IDs: IDRule{Exact: 9}, RequiresSchema: Yes, History: HistoryRules{
			NoUserAfterTool: true, ResultName: true, NoEmptyAssistant: true, NoBlankText: true, SystemRole: SystemRoleSystem, Prefill: PrefillPrefix,
			ReasoningBack: ReasoningBackNever,
		},
	}},
	{Provider: "mistral", Models: "^magistral ^mistral-small ^mistral-medium",
		Caps: Caps{Reasoning: ReasoningInContent, History: HistoryRules{ReasoningBack: ReasoningBackOptional}}},

	// https://docs.together.ai/docs/function-calling: tool_choice "required" works like "auto".
	{Provider: "together", Caps: Caps{
		Tools: Yes, ChoiceField: Yes, ChoiceForced: No, StreamTools: Yes, JSONSchema: Yes, JSONObject: Yes, StreamUsage: Yes,
		ResultImages: No, NameMax: 64,
		History: HistoryRules{SystemRole: SystemRoleSystem},
	}},
	{Provider: "together", Models: "meta-llama-3-8b gemma-3n cogito-v-2 lfm-2 deepseek-r-1", Caps: Caps{Tools: No}},

	// https://docs.fireworks.ai/guides/function-calling
	{Provider: "fireworks", Caps: Caps{
		Tools: Yes, ChoiceField: Yes, ChoiceForced: Yes, StreamTools: Yes, JSONSchema: Yes, JSONObject: Yes, StreamUsage: Yes,
		ResultImages: No, NameMax: 64, Reasoning: ReasoningContent,
		History: HistoryRules{SystemRole: SystemRoleSystem},
	}},

	// Custom tools (free-text input) exist only at OpenAI:
	// https://platform.openai.com/docs/guides/function-calling#custom-tools.
	{Provider: "groq openrouter xai deepseek mistral together fireworks ollama-openai lmstudio sglang vllm llamacpp moonshot cerebras dashscope " +
		"minimax-openai huggingface nebius zai gemini-openai vertex-openai cohere", Caps: Caps{CustomTools: No}},

	// The Responses API of these servers accepts messages, function calls, their results and reasoning, and rejects other
	// items: https://github.com/ollama/ollama/blob/main/openai/responses.go. llama-server accepts only function tools:
	// https://github.com/ggml-org/llama.cpp/issues/20156. For other servers this is learned.
	{Provider: "moonshot ollama-openai llamacpp", Caps: Caps{APIItems: No}},

	// Servers of open models know only the role system for instructions. Z.ai rejects null content.
	{Provider: "ollama-openai lmstudio sglang moonshot cerebras dashscope minimax-openai huggingface nebius",
		Caps: Caps{History: HistoryRules{SystemRole: SystemRoleSystem}}},
	{Provider: "zai", Caps: Caps{History: HistoryRules{SystemRole: SystemRoleSystem, NoNullContent: true}}},

	// https://github.com/ollama/ollama/blob/main/docs/api.md. The OpenAI-compatible API accepts tool_choice without
	// effect and loses the call of a message with array content (docs/openai.md there).
	{Provider: "ollama ollama-cloud", Caps: Caps{
		StreamTools: Yes, JSONWithTools: Yes, ResultImages: No, Reasoning: ReasoningThinking,
	}},
	{Provider: "ollama-openai", Caps: Caps{
		ChoiceForced: No, StreamTools: Yes, JSONSchema: Yes, JSONObject: Yes, JSONWithTools: Yes, StreamUsage: Yes,
		ResultImages: No, Reasoning: ReasoningField, SchemaTarget: SchemaOllama, History: HistoryRules{StringContent: true, NoBlankText: true},
	}},
	{Provider: "ollama ollama-cloud ollama-openai",
		Models: "llama-3-1 llama-3-2 llama-3-3 llama-4 qwen-2-5 qwen-3 qwq mistral ministral devstral " +
			"gpt-oss deepseek-r-1 deepseek-v-3 gemma-4 granite-3 granite-3-1 granite-3-2 granite-3-3 granite-4 command-r hermes-3 " +
			"nemotron smollm-2 glm-4 glm-5 kimi-k-2 minimax-m-2", Caps: Caps{Tools: Yes}},
	{Provider: "ollama ollama-cloud ollama-openai",
		Models: "^llama-3$ ^llama-3-8b ^llama-3-70b ^llama-3-latest ^llama-2 ^gemma ^gemma-2 ^gemma-3 " +
			"^gemma-3n ^phi-3 ^codellama ^llava ^tinyllama ^vicuna", Caps: Caps{Tools: No}},

	// https://docs.vllm.ai/en/latest/features/tool_calling.html: tool_choice "auto" requires a parser set at server
	// start. Native mode is tried, and a rejection is learned.
	{Provider: "vllm", Caps: Caps{
		ChoiceField: Yes, ChoiceForced: Yes, StreamTools: Yes, JSONSchema: Yes, JSONObject: Yes, StreamUsage: Yes,
		ResultImages: No, SchemaTarget: SchemaVLLM, Constraint: "structural_tag",
		History: HistoryRules{SystemRole: SystemRoleSystem, OneSystem: true},
	}},
	{Provider: "vllm", Models: "mistral ministral devstral magistral codestral mixtral", Caps: Caps{IDs: IDRule{Exact: 9}}},

	// https://github.com/ggml-org/llama.cpp/blob/master/docs/function-calling.md: tools and a grammar are mutually
	// exclusive, and parallel calls must be requested.
	{Provider: "llamacpp", Caps: Caps{
		ParallelField: Yes, ChoiceField: Yes, StreamTools: Yes, JSONSchema: Yes, JSONObject: Yes, JSONWithTools: No,
		StreamUsage: Yes, ResultImages: No, Reasoning: ReasoningContent, ParallelUnasked: No, SchemaTarget: SchemaLlamaCPP, Constraint: "gbnf",
		History: HistoryRules{SystemRole: SystemRoleSystem},
	}},

	// https://lmstudio.ai/docs/app/api/tools
	{Provider: "lmstudio", Caps: Caps{
		StreamTools: Yes, JSONSchema: Yes, JSONObject: No, StreamUsage: Yes, ResultImages: No,
	}},

	// https://docs.sglang.ai/advanced_features/tool_parser.html: tools require a parser set at server start.
	{Provider: "sglang", Caps: Caps{
		ParallelTools: Yes, ChoiceField: Yes, StreamTools: Yes, JSONSchema: Yes, JSONObject: Yes, StreamUsage: Yes, ResultImages: No,
		Reasoning: ReasoningContent, Constraint: "structural_tag",
	}},
	// https://huggingface.co/docs/text-generation-inference: streamed calls are broken, and tool results are not
	// accepted.
	{Provider: "tgi", Caps: Caps{Tools: No, ParallelTools: No, StreamTools: No, JSONSchema: No, JSONObject: No, ResultImages: No}},

	// https://ai.google.dev/gemini-api/docs/function-calling
	{Provider: "gemini vertex", Caps: Caps{
		Tools: Yes, ParallelTools: Yes, ChoiceField: Yes, ChoiceForced: Yes, StreamTools: Yes, JSONSchema: Yes, JSONObject: Yes,
		StreamUsage: Yes, ResultImages: No, MaxTools: 128, NameMax: 128, NameExtra: ".:", SchemaTarget: SchemaGeminiJSON,
	}},
	{Provider: "gemini vertex", Models: "^gemini-2 ^gemini-1", Caps: Caps{JSONWithTools: No}},
	{Provider: "gemini vertex", Models: "^gemini-3 ^gemini-4 ^gemini-flash ^gemini-pro", Caps: Caps{JSONWithTools: Yes, ResultImages: Yes}},
	{Provider: "gemini vertex gemini-openai vertex-openai", Models: "^gemini-2-5-flash-image ^gemini-3-pro-image ^gemini-3-1-flash-image",
		Caps: Caps{Tools: No, ParallelTools: No, StreamTools: No}},
	{Provider: "gemini vertex", Models: "^gemma", Caps: Caps{History: HistoryRules{SystemRole: SystemRoleUser}}},
	{Provider: "gemini vertex", Models: "^gemma-3", Caps: Caps{Tools: No, ParallelTools: No, StreamTools: No, JSONSchema: No, JSONObject: No}},
	// https://ai.google.dev/gemini-api/docs/openai
	{Provider: "gemini-openai vertex-openai", Caps: Caps{
		Tools: Yes, ParallelTools: Yes, ChoiceField: Yes, StreamTools: Yes, JSONSchema: Yes, JSONObject: Yes, StreamUsage: Yes,
		ResultImages: No, MaxTools: 128, NameMax: 64, History: HistoryRules{NoBlankText: true},
	}},

	// https://platform.moonshot.ai/docs: schemas in Moonshot's own subset; with reasoning enabled, messages with calls
	// must have their reasoning.
	{Provider: "moonshot", Caps: Caps{
		Tools: Yes, ParallelTools: Yes, ChoiceField: Yes, StreamTools: Yes, JSONObject: Yes, StreamUsage: Yes, ResultImages: No,
		MaxTools: 128, NameMax: 64, SchemaTarget: SchemaMoonshot, Reasoning: ReasoningContent,
		History: HistoryRules{NoBlankText: true, NoEmptyAssistant: true},
	}},
	{Provider: "moonshot", Models: "^kimi-k-2", Caps: Caps{JSONSchema: No}},
	{Provider: "moonshot", Models: "^kimi-k-2-5 ^kimi-k-2-6 ^kimi-k-2-7 ^kimi-k-3 ^moonshot-v-1", Caps: Caps{JSONSchema: Yes}},
	{Provider: "moonshot", Models: "^kimi-k-2-thinking ^kimi-k-2-5 ^kimi-k-2-6 ^kimi-k-2-7 ^kimi-k-3", Caps: Caps{
		StrictTools: Yes, History: HistoryRules{ReasoningBack: ReasoningBackCalls}}},
	{Provider: "moonshot", Models: "^kimi-k-2-6 ^kimi-k-2-7", Caps: Caps{ChoiceForced: No}},

	// https://docs.z.ai/guides/capabilities/function-calling: tool_choice auto only.
	{Provider: "zai", Caps: Caps{
		Tools: Yes, ParallelTools: Yes, ChoiceField: Yes, ChoiceForced: No, StreamTools: Yes, JSONObject: Yes, StreamUsage: Yes,
		ResultImages: No, NameMax: 64, Reasoning: ReasoningContent,
	}},
	{Provider: "zai", Models: "^glm-4-5 ^glm-4-6 ^glm-4-7", Caps: Caps{JSONSchema: No}},

	// https://www.alibabacloud.com/help/en/model-studio/qwen-function-calling: every call must have its result.
	{Provider: "dashscope", Caps: Caps{
		Tools: Yes, ParallelTools: Yes, ParallelField: Yes, ChoiceField: Yes, StreamTools: Yes, JSONSchema: No, JSONObject: Yes,
		StreamUsage: Yes, ResultImages: No, NameMax: 64, Reasoning: ReasoningContent,
	}},
	{Provider: "dashscope", Models: "^qwen-3-7-plus ^qwen-3-7-flash ^qwen-3-7-max ^qwen-3-8",
		Caps: Caps{JSONSchema: Yes, MaxContext: 1000000}},

	// https://platform.minimax.io/docs/guides/text-m2-function-call: reasoning should be sent back; MiniMax's
	// Anthropic-compatible API has content blocks for it.
	{Provider: "minimax", Caps: Caps{
		Tools: Yes, ParallelTools: Yes, ChoiceField: Yes, ChoiceForced: No, StreamTools: Yes, StreamUsage: Yes, JSONSchema: No,
		JSONObject: No, ResultImages: No, NameMax: 64, IDs: IDRule{Extra: "_-"}, History: HistoryRules{NoEmptyAssistant: true, NoBlankText: true},
	}},
	{Provider: "minimax-openai", Caps: Caps{
		Tools: Yes, ParallelTools: Yes, ChoiceField: Yes, ChoiceForced: No, StreamTools: Yes, StreamUsage: Yes, JSONSchema: No,
		JSONObject: No, ResultImages: No, NameMax: 64, Reasoning: ReasoningContent,
	}},

	// https://inference-docs.cerebras.ai/capabilities/tool-use
	{Provider: "cerebras", Caps: Caps{
		Tools: Yes, ParallelTools: Yes, ParallelField: Yes, ChoiceField: Yes, StreamTools: Yes, JSONSchema: Yes, JSONObject: Yes,
		StrictTools: Yes, StreamUsage: Yes, ResultImages: No, NameMax: 64, MaxContext: 131072, Reasoning: ReasoningField,
	}},
	// https://docs.cohere.com/docs/compatibility-api
	{Provider: "cohere", Caps: Caps{
		Tools: Yes, ParallelTools: Yes, ChoiceField: Yes, StreamTools: Yes, JSONSchema: Yes, JSONObject: Yes, JSONWithTools: No,
		StreamUsage: Yes, ResultImages: No,
	}},
	// https://huggingface.co/docs/inference-providers, https://docs.nebius.com,
	// https://docs.snowflake.com/en/user-guide/snowflake-cortex: capabilities depend on the host behind these providers.
	{Provider: "huggingface nebius snowflake bedrock",
		Caps: Caps{ChoiceField: Yes, StreamTools: Yes, StreamUsage: Yes, ResultImages: No, NameMax: 64}},
	{Provider: "nebius snowflake", Caps: Caps{JSONSchema: Yes, JSONObject: Yes}},
	// https://docs.perplexity.ai: no client tools.
	{Provider: "perplexity", Caps: Caps{
		Tools: No, ParallelTools: No, StreamTools: No, JSONSchema: Yes, JSONObject: No, ResultImages: No, MaxContext: 127072,
	}},
	// The simulated provider accepts the tool names that the simulated APIs accept.
	{Provider: "sim", Caps: Caps{NameMax: 64}},
}

// openAI has the facts about OpenAI's own API, for OpenAI and for other hosts of it such as Azure.
var openAI = Caps{
	Tools: Yes, ParallelTools: Yes, ParallelField: Yes, ChoiceField: Yes, ChoiceForced: Yes, StreamTools: Yes,
	JSONSchema: Yes, JSONObject: Yes, JSONWithTools: Yes, StrictTools: Yes, StreamUsage: Yes, ResultImages: No,
	MaxTools: 128, NameMax: 64, IDs: IDRule{Max: 40, Extra: "*"}, MaxTokensKey: "max_completion_tokens",
	CustomTools: Yes, ServiceParams: Yes, SchemaTarget: SchemaOpenAI,
}
