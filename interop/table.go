package interop

import "github.com/callwright/callwright"

// All returns the formats of this package. The caller may modify the slice.
func All() []Form { return []Form{OpenAI, Responses, Anthropic, Gemini, Ollama, MCP, Generic} }

func kind(value string) []Fixed      { return []Fixed{{Path: "type", Value: value}} }
func fixedType(value string) []Fixed { return []Fixed{{Path: "type", Value: value, Must: true}} }

var (
	textBlock  = Block{Fixed: fixedType("text"), Text: "text"}
	roleOfTool = []Fixed{{Path: "role", Value: "tool"}}
)

// OpenAI is the format of Chat Completions: elements of "tools" and "tool_calls", and messages with the role tool. It
// cannot mark a result as failed.
var OpenAI = Form{
	Name: "openai", Wire: callwright.WireOpenAI, Hosted: "type",
	Tools: []ToolForm{
		{Type: callwright.CustomTool, Fixed: fixedType("custom"), Name: "custom.name", Description: "custom.description"},
		{Fixed: kind("function"), Name: "function.name", Description: "function.description", Schema: "function.parameters",
			Strict: "function.strict"},
	},
	Calls: []CallForm{
		{Type: callwright.CustomTool, Fixed: fixedType("custom"), ID: "id", Name: "custom.name", Input: "custom.input"},
		{Fixed: kind("function"), ID: "id", Name: "function.name", Arguments: "function.arguments", AsText: true,
			Signature: "extra_content.google.thought_signature"},
	},
	Results: []ResultForm{{Fixed: roleOfTool, ID: "tool_call_id", Name: "name", Content: "content", Blocks: []Block{textBlock}}},
}

// Responses is the format of OpenAI's Responses API: elements of "tools", and function_call and function_call_output
// items with their custom_tool_call variants. The id of a call is "call_id"; the item's "id" is kept in Extra.
var Responses = Form{
	Name: "responses", Wire: callwright.WireResponses, Hosted: "type",
	Tools: []ToolForm{
		{Type: callwright.CustomTool, Fixed: fixedType("custom"), Name: "name", Description: "description"},
		{Fixed: kind("function"), Name: "name", Description: "description", Schema: "parameters", Strict: "strict"},
	},
	Calls: []CallForm{
		{Type: callwright.CustomTool, Fixed: fixedType("custom_tool_call"), ID: "call_id", Name: "name", Input: "input"},
		{Fixed: kind("function_call"), ID: "call_id", Name: "name", Arguments: "arguments", AsText: true},
	},
	Results: []ResultForm{
		{Type: callwright.CustomTool, Fixed: fixedType("custom_tool_call_output"), ID: "call_id", Name: "name", Content: "output",
			Blocks: inputBlocks},
		{Fixed: kind("function_call_output"), ID: "call_id", Name: "name", Content: "output", Blocks: inputBlocks},
	},
}

var inputBlocks = []Block{
	{Fixed: fixedType("input_text"), Text: "text"},
	{Fixed: fixedType("input_image"), URL: "image_url", DataURL: true},
}

// Anthropic is the format of the Messages API: elements of "tools", and tool_use and tool_result blocks.
var Anthropic = Form{
	Name: "anthropic", Wire: callwright.WireAnthropic, Hosted: "type",
	Tools: []ToolForm{{Fixed: kind("custom"), Name: "name", Description: "description", Schema: "input_schema",
		Strict: "strict", Required: true}},
	Calls: []CallForm{{Fixed: kind("tool_use"), ID: "id", Name: "name", Arguments: "input"}},
	Results: []ResultForm{{Fixed: kind("tool_result"), ID: "tool_use_id", IsError: "is_error", Content: "content", Blocks: []Block{
		textBlock,
		{Fixed: append(fixedType("image"), Fixed{Path: "source.type", Value: "base64", Must: true}), Data: "source.data",
			MediaType: "source.media_type"},
		{Fixed: append(fixedType("image"), Fixed{Path: "source.type", Value: "url", Must: true}), URL: "source.url"},
	}}},
}

// Gemini is the format of generateContent: elements of "functionDeclarations", and functionCall and functionResponse
// parts. Schemas are written to parametersJsonSchema. A schema that was read from "parameters", in Gemini's own subset,
// is written back there.
var Gemini = Form{
	Name: "gemini", Wire: callwright.WireGemini,
	Tools: []ToolForm{
		{Name: "name", Description: "description", Schema: "parametersJsonSchema"},
		{Name: "name", Description: "description", Schema: "parameters"},
	},
	Calls:   []CallForm{{ID: "functionCall.id", Name: "functionCall.name", Arguments: "functionCall.args", Signature: "thoughtSignature"}},
	Results: []ResultForm{{ID: "functionResponse.id", Name: "functionResponse.name", Content: "functionResponse.response", Response: true}},
}

// Ollama is the format of /api/chat: elements of "tools" and "tool_calls", and messages with the role tool. It cannot
// mark a result as failed.
var Ollama = Form{
	Name: "ollama", Wire: callwright.WireOllama,
	Tools:   []ToolForm{{Fixed: kind("function"), Name: "function.name", Description: "function.description", Schema: "function.parameters"}},
	Calls:   []CallForm{{ID: "id", Name: "function.name", Arguments: "function.arguments"}},
	Results: []ResultForm{{Fixed: roleOfTool, ID: "tool_call_id", Name: "tool_name", Content: "content"}},
}

// MCP is the format of the Model Context Protocol: elements of the tools/list result, the params of tools/call, and a
// CallToolResult. It has no call ids, because MCP identifies calls by JSON-RPC ids.
var MCP = Form{
	Name: "mcp", Wire: "mcp",
	Tools: []ToolForm{{Name: "name", Description: "description", Schema: "inputSchema", Required: true}},
	Calls: []CallForm{{Name: "name", Arguments: "arguments"}},
	Results: []ResultForm{{IsError: "isError", Content: "content", List: true, Blocks: []Block{
		textBlock,
		{Fixed: fixedType("image"), Data: "data", MediaType: "mimeType"},
		{Fixed: fixedType("audio"), Data: "data", MediaType: "mimeType", Audio: true},
	}}},
}

// Generic is a flat format for programs without a format of their own. Calls are
// {"tool_call_id","tool_name","parameters"}, tools {"tool_name","description","parameters"}, and results
// {"tool_call_id","tool_name","content","is_error"}.
var Generic = Form{
	Name: "generic", Wire: "generic",
	Tools:   []ToolForm{{Name: "tool_name", Description: "description", Schema: "parameters", Strict: "strict"}},
	Calls:   []CallForm{{ID: "tool_call_id", Name: "tool_name", Arguments: "parameters"}},
	Results: []ResultForm{{ID: "tool_call_id", Name: "tool_name", IsError: "is_error", Content: "content", Blocks: []Block{textBlock}}},
}
