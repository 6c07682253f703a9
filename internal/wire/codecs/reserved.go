package codecs

// reserved are the paths that Reserved lists.
var reserved = [][]string{
	{"model"}, {"messages"}, {"tools"}, {"tool_choice"}, {"response_format"}, {"functions"}, {"function_call"}, {"stream"}, // openai
	{"input"}, {"instructions"}, {"previous_response_id"}, {"conversation"}, {"text", "format"}, // responses
	{"system"}, {"output_format"}, {"output_config", "format"}, // anthropic
	{"contents"}, {"systemInstruction"}, {"system_instruction"}, {"toolConfig"}, {"tool_config"}, // gemini
	{"generationConfig", "responseMimeType"}, {"generationConfig", "responseSchema"}, {"generationConfig", "responseJsonSchema"},
	{"generationConfig", "response_mime_type"}, {"generationConfig", "response_schema"}, {"generationConfig", "response_json_schema"},
	{"generation_config", "responseMimeType"}, {"generation_config", "responseSchema"}, {"generation_config", "responseJsonSchema"},
	{"generation_config", "response_mime_type"}, {"generation_config", "response_schema"}, {"generation_config", "response_json_schema"},
	{"format"}, // ollama
}

// ReservedPaths lists the paths of the members of requests that are the client's, or by which an answer is validated,
// of all APIs. A configuration that set them would exchange the model, the conversation or the tools behind the
// client's back. The list is only read.
func ReservedPaths() [][]string { return reserved }
