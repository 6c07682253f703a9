package codecs

// reserved lists the paths of request members, of all APIs, that a configuration must not set.
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

// ReservedPaths returns the paths of request members, of all APIs, that a configuration must not set: the model, the
// conversation, the tools, and the settings by which a response is validated. Only the client sets these. The caller
// must not modify the list.
func ReservedPaths() [][]string { return reserved }
