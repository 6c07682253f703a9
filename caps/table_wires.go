package caps

// wires are facts about an API, whoever serves it. Facts about families and providers override them. The accepted tool
// names are mostly a fact about an endpoint instead: servers of open models accept any name, and the limits of other
// servers are learned from their refusals.
var wires = map[string]Caps{
	// https://docs.claude.com/en/api/messages: ids of calls match ^[a-zA-Z0-9_-]+$, and texts must not be blank. No
	// seed and no penalties. https://docs.claude.com/en/api/messages#body-tools: input_schema is required.
	"anthropic": {RequiresSchema: Yes, IDs: IDRule{Extra: "_-"}, SchemaTarget: SchemaAnthropic, CacheControl: Yes,
		ToolSearch: ToolSearchAnthropic, Sampling: "temperature,top_p,top_k", History: HistoryRules{NoBlankText: true}},
	// https://platform.openai.com/docs/api-reference/responses/create: no seed and no penalties.
	"responses": {ToolSearch: ToolSearchResponses, Sampling: "temperature,top_p"},
	// https://ai.google.dev/api/generate-content: the model decides how many calls it makes.
	// https://ai.google.dev/api/caching#FunctionDeclaration: which names functions may have.
	"gemini": {ParallelField: No, ChoiceField: Yes, StreamTools: Yes, StreamUsage: Yes, NameMax: 128, NameExtra: ".:",
		SchemaTarget: SchemaGeminiJSON},
	// https://github.com/ollama/ollama/blob/main/api/types.go, ChatRequest: no tool_choice, no parallel_tool_calls, no
	// strict.
	"ollama": {ChoiceField: No, ChoiceForced: No, ParallelField: No, StrictTools: No, StreamUsage: Yes, JSONObject: Yes, JSONSchema: Yes,
		SchemaTarget: SchemaOllama},
}

// ShippedForWire returns the shipped facts about an API by the name of its wire, for providers without facts of their
// own. Facts have the source Shipped. A wire without a row gives the zero Caps.
func ShippedForWire(wire string) Caps { return wires[wire].From(Shipped) }

// IDsOfWire returns the rule of an API for call ids, whoever serves it: its clients hand back the ids that they were
// given.
func IDsOfWire(wire string) IDRule { return wires[wire].IDs }

// makers are the providers whose own API a wire is, and the beginning of the names of the newest models there, which
// have rules that older ones lack.
var makers = map[string]struct{ provider, model string }{
	"openai": {"openai", ""}, "responses": {"openai-responses", ""}, "anthropic": {"anthropic", ""}, "gemini": {"gemini", "gemini-3"},
	"ollama": {"ollama", ""},
}

// ShippedByMaker returns the shipped facts about a model at the provider whose own API the wire is. Without a model
// name they are those about the newest models there.
func ShippedByMaker(wire, model string) Caps {
	m := makers[wire]
	if model == "" {
		model = m.model
	}
	return ShippedFor(m.provider, model).Over(ShippedForWire(wire))
}
