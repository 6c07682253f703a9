package foreignfile

import (
	"cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
)

// A bifrostProvider is a provider of Bifrost: https://docs.getbifrost.ai/providers/supported-providers/overview. Its
// base_url has no version. Bifrost adds /v1 to it, and removes a /v1 at its end.
type bifrostProvider struct {
	name  string
	row   string              // the built-in provider; "" for none
	wire  callwright.WireName // "" for the API of row
	path  string              // appended to base_url
	cloud provider.Cloud      // the cloud whose credentials requests use; "" for none
	why   string              // why it cannot be converted; "" if it can
}

const (
	whySigned  = "the credentials of Bifrost for it are not supported: list it with its base_url and a token"
	whyNoChat  = "it has no models with tool calls"
	whyUnknown = "it is not a built-in provider: list it with its base_url and wire"
)

var bifrostProviders = []bifrostProvider{
	{name: "openai", row: "openai", path: "/v1"},
	{name: "anthropic", row: "anthropic"},
	{name: "azure", row: "azure"},
	{name: "gemini", row: "gemini"},
	{name: "groq", row: "groq", path: "/v1"},
	{name: "mistral", row: "mistral", path: "/v1"},
	{name: "cohere", row: "cohere", path: "/compatibility/v1"},
	{name: "openrouter", row: "openrouter", path: "/v1"},
	{name: "xai", row: "xai", path: "/v1"},
	{name: "deepseek", row: "deepseek", path: "/v1"},
	{name: "cerebras", row: "cerebras", path: "/v1"},
	{name: "nebius", row: "nebius", path: "/v1"},
	{name: "huggingface", row: "huggingface", path: "/v1"},
	{name: "perplexity", row: "perplexity"},
	{name: "fireworks", row: "fireworks", path: "/v1"},
	{name: "ollama", row: "ollama"},
	{name: "vllm", row: "vllm", path: "/v1"},
	{name: "sgl", row: "sglang", path: "/v1"},
	{name: "bedrock", row: "bedrock", cloud: provider.AWS},
	{name: "bedrock_mantle", why: whyBedrock},
	{name: "vertex", row: "vertex", cloud: provider.Google},
	{name: "databricks", why: whySigned},
	{name: "elevenlabs", why: whyNoChat},
	{name: "replicate", why: whyNoChat},
	{name: "runware", why: whyNoChat},
	{name: "runway", why: whyNoChat},
}

// bifrostRow returns the table entry of a provider. base is the type of a custom provider, "" for any other. A custom
// provider is not converted to a built-in one. why is the reason if the provider cannot be converted.
func bifrostRow(name, base string) (p bifrostProvider, why string) {
	for _, p := range bifrostProviders {
		if p.name != cmp.Or(base, name) {
			continue
		}
		if base != "" && base != name && p.cloud != "" {
			return bifrostProvider{}, map[provider.Cloud]string{provider.AWS: whyBedrock, provider.Google: whyVertex}[p.cloud]
		}
		if base != "" && base != name {
			row, _ := rowOf(p.row)
			p.wire, p.row = wireOf(row.Wire), ""
			p.path = cmp.Or(p.path, map[callwright.WireName]string{callwright.WireOpenAI: "/v1"}[p.wire])
		}
		return p, p.why
	}
	return bifrostProvider{}, whyUnknown
}
