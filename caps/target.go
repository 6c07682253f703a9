package caps

// A SchemaTarget is the subset of JSON Schema that a provider accepts in tool definitions. The constants are the only
// values. The zero SchemaTarget is unknown: schemas are sent unchanged.
type SchemaTarget string

// The schema targets. Package schema/adapter adapts schemas to them.
const (
	SchemaOpenAI          SchemaTarget = "openai"
	SchemaOpenAIStrict    SchemaTarget = "openai-strict"
	SchemaAnthropic       SchemaTarget = "anthropic"
	SchemaAnthropicStrict SchemaTarget = "anthropic-strict"
	SchemaGemini          SchemaTarget = "gemini"
	SchemaGeminiJSON      SchemaTarget = "gemini-json"
	SchemaGroq            SchemaTarget = "groq"
	SchemaMistral         SchemaTarget = "mistral"
	SchemaMoonshot        SchemaTarget = "moonshot"
	SchemaOllama          SchemaTarget = "ollama"
	SchemaLlamaCPP        SchemaTarget = "llamacpp"
	SchemaVLLM            SchemaTarget = "vllm"
	SchemaBasic           SchemaTarget = "basic"
)

var schemaTargets = []SchemaTarget{
	SchemaOpenAI, SchemaOpenAIStrict, SchemaAnthropic, SchemaAnthropicStrict, SchemaGemini, SchemaGeminiJSON, SchemaGroq, SchemaMistral,
	SchemaMoonshot, SchemaOllama, SchemaLlamaCPP, SchemaVLLM, SchemaBasic,
}

// OwnAPI reports whether the provider of the target defined the HTTP API wire.
func (t SchemaTarget) OwnAPI(wire string) bool {
	switch t {
	case SchemaOpenAI, SchemaOpenAIStrict:
		return wire == "openai" || wire == "responses"
	case SchemaAnthropic, SchemaAnthropicStrict:
		return wire == "anthropic"
	case SchemaGemini, SchemaGeminiJSON:
		return wire == "gemini"
	case SchemaOllama:
		return wire == "ollama"
	}
	return false
}

// WrittenFor reports whether tools in a request over the HTTP API wire already conform to the target. This holds for
// the Gemini and Ollama APIs. Clients of the OpenAI and Anthropic APIs use many other servers, so their tools may have
// any schema.
func (t SchemaTarget) WrittenFor(wire string) bool {
	return (wire == "gemini" || wire == "ollama") && t.OwnAPI(wire)
}
