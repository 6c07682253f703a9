package provider

import (
	"maps"
	"slices"

	callwright "github.com/callwright/callwright"
)

// A Row is what is known of a provider: where it is, which API it speaks, how it wants its key.
type Row struct {
	Name string
	// Base is the address that the official SDK of the wire takes. It is empty where every customer has another.
	Base string
	Wire callwright.WireName
	// Key is the environment variable that holds the key, Auth the way in which the key is sent.
	Key  string
	Auth Auth
	// Headers are sent with every request. Forward names headers of the client that may travel on, see [Forward].
	Headers map[string]string
	Forward []string
	Quirks  []Quirk
	// Local says that the provider runs on the user's own machine, where a key is not needed.
	Local bool
	// ModelsPath is the path below Base that lists the models.
	ModelsPath string
	Note       string
}

// An Auth is a way to send a key.
type Auth string

// The ways to send a key.
const (
	Bearer       Auth = "bearer"    // Authorization: Bearer KEY
	XAPIKey      Auth = "x-api-key" // x-api-key: KEY
	APIKeyHeader Auth = "api-key"   // api-key: KEY
	NoAuth       Auth = "none"
)

// header is the header that carries key.
func (a Auth) header(key string) (name, value string) {
	switch a {
	case XAPIKey:
		return "X-Api-Key", key
	case APIKeyHeader:
		return "Api-Key", key
	case NoAuth:
		return "", ""
	default:
		return "Authorization", "Bearer " + key
	}
}

var rows = []Row{
	{Name: "openai", Base: "https://api.openai.com/v1", Wire: callwright.WireOpenAI, Key: "OPENAI_API_KEY", Auth: Bearer,
		ModelsPath: "/models", Note: "OpenAI, Chat Completions"},
	{Name: "anthropic", Base: "https://api.anthropic.com", Wire: callwright.WireAnthropic, Key: "ANTHROPIC_API_KEY", Auth: XAPIKey,
		Headers: map[string]string{"Anthropic-Version": "2023-06-01"}, Forward: []string{"Anthropic-Version", "Anthropic-Beta"},
		ModelsPath: "/v1/models?limit=1000", Note: "Anthropic, Messages"},
	{Name: "groq", Base: "https://api.groq.com/openai/v1", Wire: callwright.WireOpenAI, Key: "GROQ_API_KEY", Auth: Bearer,
		ModelsPath: "/models", Note: "checks calls itself and refuses with the model's text"},
	{Name: "openrouter", Base: "https://openrouter.ai/api/v1", Wire: callwright.WireOpenAI, Key: "OPENROUTER_API_KEY", Auth: Bearer,
		ModelsPath: "/models", Note: "models of many hosts; what they can do differs by host"},
	{Name: "xai", Base: "https://api.x.ai/v1", Wire: callwright.WireOpenAI, Key: "XAI_API_KEY", Auth: Bearer,
		ModelsPath: "/models", Note: "Grok"},
	{Name: "deepseek", Base: "https://api.deepseek.com/v1", Wire: callwright.WireOpenAI, Key: "DEEPSEEK_API_KEY", Auth: Bearer,
		ModelsPath: "/models", Note: "reasoning returns with every turn"},
	{Name: "mistral", Base: "https://api.mistral.ai/v1", Wire: callwright.WireOpenAI, Key: "MISTRAL_API_KEY", Auth: Bearer,
		Quirks: []Quirk{RandomSeed}, ModelsPath: "/models", Note: "call ids of nine characters"},
	{Name: "together", Base: "https://api.together.xyz/v1", Wire: callwright.WireOpenAI, Key: "TOGETHER_API_KEY", Auth: Bearer,
		ModelsPath: "/models", Note: "open models"},
	{Name: "fireworks", Base: "https://api.fireworks.ai/inference/v1", Wire: callwright.WireOpenAI, Key: "FIREWORKS_API_KEY",
		Auth: Bearer, ModelsPath: "/models", Note: "open models, names begin with accounts/fireworks/models/"},
	{Name: "azure", Wire: callwright.WireOpenAI, Key: "AZURE_OPENAI_API_KEY", Auth: APIKeyHeader,
		ModelsPath: "/models", Note: "base_url is https://RESOURCE.openai.azure.com/openai/v1, the model is the deployment's name"},
	{Name: "ollama", Base: "http://127.0.0.1:11434/v1", Wire: callwright.WireOpenAI, Key: "OLLAMA_API_KEY", Auth: Bearer, Local: true,
		ModelsPath: "/models", Note: "a local Ollama by its OpenAI surface"},
	{Name: "vllm", Base: "http://127.0.0.1:8000/v1", Wire: callwright.WireOpenAI, Key: "VLLM_API_KEY", Auth: Bearer, Local: true,
		ModelsPath: "/models", Note: "a vLLM server"},
	{Name: "llamacpp", Base: "http://127.0.0.1:8080/v1", Wire: callwright.WireOpenAI, Key: "LLAMA_API_KEY", Auth: Bearer, Local: true,
		ModelsPath: "/models", Note: "llama-server, started with --jinja"},
	{Name: "lmstudio", Base: "http://127.0.0.1:1234/v1", Wire: callwright.WireOpenAI, Auth: Bearer, Local: true,
		ModelsPath: "/models", Note: "LM Studio's server"},
}

// bare describes a provider that the table does not know: what its wire asks for, the key sent as its SDK sends it.
var bare = []Row{
	{Wire: callwright.WireOpenAI, Auth: Bearer, ModelsPath: "/models"},
	{Wire: callwright.WireAnthropic, Auth: XAPIKey, ModelsPath: "/v1/models?limit=1000",
		Headers: map[string]string{"Anthropic-Version": "2023-06-01"}, Forward: []string{"Anthropic-Version", "Anthropic-Beta"}},
}

// Rows lists the known providers. The caller owns the list.
func Rows() []Row {
	list := slices.Clone(rows)
	for i := range list {
		list[i].Headers = maps.Clone(list[i].Headers)
		list[i].Forward = slices.Clone(list[i].Forward)
		list[i].Quirks = slices.Clone(list[i].Quirks)
	}
	return list
}

// rowOf is the row of that name, or what its wire asks for where the table does not know the name, or knows it with another
// wire.
func rowOf(name string, wire callwright.WireName) Row {
	bareRow := Row{Wire: wire}
	for _, r := range bare {
		if wire == r.Wire || wire == "" && r.Wire == callwright.WireOpenAI {
			bareRow = r
		}
	}
	bareRow.Name = name
	for _, r := range rows {
		switch {
		case r.Name != name:
		case wire == "" || wire == r.Wire:
			return r
		default:
			bareRow.Key, bareRow.Note = r.Key, "the known address is for wire "+string(r.Wire)
		}
	}
	return bareRow
}
