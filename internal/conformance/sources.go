package conformance

// A topic is the topic of a page of an API's documentation.
type topic int

const (
	ofAnswers topic = iota
	ofCalls
	ofParallel
	ofChoice
	ofResults
	ofFinish
	ofSchemas
	ofReasoning
	ofUsage
	ofErrors
	ofStreams
	ofModels
)

// pages are the URLs of the documentation of each API by topic.
var pages = map[string]map[topic]string{
	Chat: {
		ofAnswers:  "https://platform.openai.com/docs/api-reference/chat/object",
		ofCalls:    "https://platform.openai.com/docs/guides/function-calling",
		ofParallel: "https://platform.openai.com/docs/guides/function-calling#parallel-function-calling",
		ofChoice:   "https://platform.openai.com/docs/guides/function-calling#tool-choice",
		ofResults:  "https://platform.openai.com/docs/guides/function-calling#handling-function-calls",
		ofFinish:   "https://platform.openai.com/docs/api-reference/chat/object#chat-object-choices-finish_reason",
		ofSchemas:  "https://platform.openai.com/docs/guides/structured-outputs",
		ofUsage:    "https://platform.openai.com/docs/api-reference/chat/create#chat-create-stream_options",
		ofErrors:   "https://platform.openai.com/docs/guides/error-codes",
		ofStreams:  "https://platform.openai.com/docs/api-reference/chat-streaming",
		ofModels:   "https://platform.openai.com/docs/api-reference/models/list",
		// OpenAI does not document reasoning in this API. Other servers use this member.
		ofReasoning: "https://api-docs.deepseek.com/guides/reasoning_model",
	},
	Responses: {
		ofAnswers:   "https://www.openresponses.org/reference",
		ofCalls:     "https://www.openresponses.org/specification#tool-calling",
		ofParallel:  "https://platform.openai.com/docs/guides/function-calling#parallel-function-calling",
		ofChoice:    "https://www.openresponses.org/specification#tool_choice",
		ofResults:   "https://www.openresponses.org/specification#tool-calling",
		ofFinish:    "https://platform.openai.com/docs/api-reference/responses/object#responses/object-incomplete_details",
		ofSchemas:   "https://platform.openai.com/docs/guides/structured-outputs",
		ofReasoning: "https://www.openresponses.org/specification#reasoning",
		ofUsage:     "https://platform.openai.com/docs/api-reference/responses/object#responses/object-usage",
		ofErrors:    "https://www.openresponses.org/specification#errors",
		ofStreams:   "https://platform.openai.com/docs/api-reference/responses-streaming",
		ofModels:    "https://platform.openai.com/docs/api-reference/models/list",
	},
	Anthropic: {
		ofAnswers:   "https://docs.anthropic.com/en/api/messages",
		ofCalls:     "https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview",
		ofParallel:  "https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use#parallel-tool-use",
		ofChoice:    "https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use#forcing-tool-use",
		ofResults:   "https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use",
		ofFinish:    "https://docs.anthropic.com/en/api/handling-stop-reasons",
		ofSchemas:   "https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs",
		ofReasoning: "https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking",
		ofUsage:     "https://docs.anthropic.com/en/api/messages",
		ofErrors:    "https://docs.anthropic.com/en/api/errors",
		ofStreams:   "https://docs.anthropic.com/en/docs/build-with-claude/streaming",
		ofModels:    "https://docs.anthropic.com/en/api/models-list",
	},
	Gemini: {
		ofAnswers:   "https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse",
		ofCalls:     "https://ai.google.dev/gemini-api/docs/function-calling",
		ofParallel:  "https://ai.google.dev/gemini-api/docs/function-calling#parallel_function_calling",
		ofChoice:    "https://ai.google.dev/gemini-api/docs/function-calling#function_calling_modes",
		ofResults:   "https://ai.google.dev/gemini-api/docs/function-calling",
		ofFinish:    "https://ai.google.dev/api/generate-content#FinishReason",
		ofSchemas:   "https://ai.google.dev/gemini-api/docs/structured-output",
		ofReasoning: "https://ai.google.dev/gemini-api/docs/thinking",
		ofUsage:     "https://ai.google.dev/api/generate-content#UsageMetadata",
		ofErrors:    "https://ai.google.dev/gemini-api/docs/troubleshooting",
		ofStreams:   "https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent",
		ofModels:    "https://ai.google.dev/api/models#method:-models.list",
	},
	Ollama: {
		ofAnswers:   "https://docs.ollama.com/api/chat",
		ofCalls:     "https://docs.ollama.com/capabilities/tool-calling",
		ofParallel:  "https://docs.ollama.com/capabilities/tool-calling#parallel-tool-calling",
		ofChoice:    "https://docs.ollama.com/capabilities/tool-calling",
		ofResults:   "https://docs.ollama.com/capabilities/tool-calling",
		ofFinish:    "https://docs.ollama.com/api/chat",
		ofSchemas:   "https://docs.ollama.com/capabilities/structured-outputs",
		ofReasoning: "https://docs.ollama.com/capabilities/thinking",
		ofUsage:     "https://docs.ollama.com/api/usage",
		ofErrors:    "https://docs.ollama.com/api/errors",
		ofStreams:   "https://docs.ollama.com/api/streaming",
		ofModels:    "https://docs.ollama.com/api/tags",
	},
}

// documentation returns the URL that documents the requirement of a check.
func documentation(api string, t topic) string { return pages[api][t] }
