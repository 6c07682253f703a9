package caps

// wires has facts about each HTTP API, independent of the provider. Facts in families and providers override them.
// Limits on tool names are usually facts about a provider instead: servers of open models accept any name, and other
// limits are learned from rejections.
var wires = map[string]Caps{
	// https://docs.claude.com/en/api/messages: call IDs match ^[a-zA-Z0-9_-]+$, and texts must not be blank. No seed and
	// no penalties. https://docs.claude.com/en/api/messages#body-tools: input_schema is required.
	"anthropic": {RequiresSchema: Yes, IDs: IDRule{Extra: "_-"}, SchemaTarget: SchemaAnthropic, CacheControl: Yes,
		ToolSearch: ToolSearchAnthropic, Sampling: "temperature,top_p,top_k", History: HistoryRules{NoBlankText: true}},
	// https://platform.openai.com/docs/api-reference/responses/create: no seed and no penalties.
	"responses": {ToolSearch: ToolSearchResponses, Sampling: "temperature,top_p"},
	// https://ai.google.dev/api/generate-content: the model determines the number of calls.
	// https://ai.google.dev/api/caching#FunctionDeclaration: allowed function names.
	"gemini": {ParallelField: No, ChoiceField: Yes, StreamTools: Yes, StreamUsage: Yes, NameMax: 128, NameExtra: ".:",
		SchemaTarget: SchemaGeminiJSON},
	// https://github.com/ollama/ollama/blob/main/api/types.go, ChatRequest: no tool_choice, no parallel_tool_calls, no
	// strict.
	"ollama": {ChoiceField: No, ChoiceForced: No, ParallelField: No, StrictTools: No, StreamUsage: Yes, JSONObject: Yes, JSONSchema: Yes,
		SchemaTarget: SchemaOllama},
}

// ShippedForWire returns the shipped facts about the HTTP API with the given wire name, such as "openai". They apply
// to providers without their own facts. All facts have the source Shipped. An unknown name gives the zero Caps.
func ShippedForWire(wire string) Caps { return wires[wire].From(Shipped) }

// IDsOfWire returns the rule for call IDs of the HTTP API with the given wire name. It applies to IDs sent to clients
// of that API, who send them back.
func IDsOfWire(wire string) IDRule { return wires[wire].IDs }

// makers maps each HTTP API to the provider that defined it, and to a name prefix of the provider's newest models if
// these have stricter rules.
var makers = map[string]struct{ provider, model string }{
	"openai": {"openai", ""}, "responses": {"openai-responses", ""}, "anthropic": {"anthropic", ""}, "gemini": {"gemini", "gemini-3"},
	"ollama": {"ollama", ""},
}

// ShippedByMaker returns the shipped facts about a model at the provider that defined the HTTP API wire, such as
// OpenAI for "openai". If model is "", the facts are those of the newest models.
func ShippedByMaker(wire, model string) Caps {
	m := makers[wire]
	if model == "" {
		model = m.model
	}
	return ShippedFor(m.provider, model).Over(ShippedForWire(wire))
}
