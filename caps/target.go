package caps

// A SchemaTarget is the subset of JSON Schema that a provider takes in tool definitions. The list is closed; the zero
// SchemaTarget is not known: schemas stay as they are.
type SchemaTarget string

// The schema targets, which package schema/adapter describes.
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

// OwnAPI reports whether the API of a wire is that of the target's maker.
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

// WrittenFor reports whether tools that came over the API of a wire were written for the target. Those over Gemini's
// and Ollama's own were. OpenAI's and Anthropic's are spoken to servers of all kinds, with tools of all kinds.
func (t SchemaTarget) WrittenFor(wire string) bool {
	return (wire == "gemini" || wire == "ollama") && t.OwnAPI(wire)
}
