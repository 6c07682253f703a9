package foreignfile

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
)

// A prefix is a provider of LiteLLM, named by the part of a model's name before the slash:
// https://docs.litellm.ai/docs/providers. key is the variable from which LiteLLM reads the API key of a deployment
// without api_key: https://docs.litellm.ai/docs/set_keys.
type prefix struct {
	name  string
	row   string // the built-in provider; "" for a Chat Completions server at base, or at api_base
	base  string
	key   string
	cloud provider.Cloud // the cloud whose credentials requests use; "" for none
	why   string         // why it cannot be converted; "" if it can
}

var prefixes = []prefix{
	{name: "openai", row: "openai", key: "OPENAI_API_KEY"},
	{name: "azure", row: "azure", key: "AZURE_API_KEY"},
	{name: "azure_ai", key: "AZURE_AI_API_KEY"},
	{name: "anthropic", row: "anthropic", key: "ANTHROPIC_API_KEY"},
	{name: "groq", row: "groq", key: "GROQ_API_KEY"},
	{name: "openrouter", row: "openrouter", key: "OPENROUTER_API_KEY"},
	{name: "xai", row: "xai", key: "XAI_API_KEY"},
	{name: "deepseek", row: "deepseek", key: "DEEPSEEK_API_KEY"},
	{name: "mistral", row: "mistral", key: "MISTRAL_API_KEY"},
	{name: "together_ai", row: "together", key: "TOGETHERAI_API_KEY"},
	{name: "fireworks_ai", row: "fireworks", key: "FIREWORKS_AI_API_KEY"},
	{name: "ollama", row: "ollama"},
	{name: "ollama_chat", row: "ollama"},
	{name: "hosted_vllm", row: "vllm"},
	{name: "vllm", row: "vllm"},
	{name: "lm_studio", row: "lmstudio"},
	{name: "llamafile", base: "http://127.0.0.1:8080/v1"},
	{name: "gemini", row: "gemini", key: "GEMINI_API_KEY"},
	{name: "moonshot", row: "moonshot", key: "MOONSHOT_API_KEY"},
	{name: "zai", row: "zai", key: "ZAI_API_KEY"},
	{name: "dashscope", row: "dashscope", key: "DASHSCOPE_API_KEY"},
	{name: "minimax", row: "minimax", key: "MINIMAX_API_KEY"},
	{name: "cerebras", row: "cerebras", key: "CEREBRAS_API_KEY"},
	{name: "nebius", row: "nebius", key: "NEBIUS_API_KEY"},
	{name: "cohere", row: "cohere", key: "COHERE_API_KEY"},
	{name: "cohere_chat", row: "cohere", key: "COHERE_API_KEY"},
	{name: "huggingface", row: "huggingface", key: "HF_TOKEN"},
	{name: "perplexity", row: "perplexity", key: "PERPLEXITYAI_API_KEY"},
	{name: "nvidia_nim", base: "https://integrate.api.nvidia.com/v1", key: "NVIDIA_NIM_API_KEY"},
	{name: "deepinfra", base: "https://api.deepinfra.com/v1/openai", key: "DEEPINFRA_API_KEY"},
	{name: "sambanova", base: "https://api.sambanova.ai/v1", key: "SAMBANOVA_API_KEY"},
	{name: "litellm_proxy", key: "LITELLM_PROXY_API_KEY"},
	{name: "openai_like"},
	{name: "custom_openai"},
	{name: "vertex_ai", cloud: provider.Google},
	{name: "vertex_ai_beta", cloud: provider.Google},
	{name: "bedrock", cloud: provider.AWS},
	{name: "bedrock_converse", cloud: provider.AWS},
	{name: "sagemaker", why: "SageMaker is not supported"},
	{name: "sagemaker_chat", why: "SageMaker is not supported"},
	{name: "text-completion-openai", why: "models of the older completions API do not support tools"},
	{name: "text-completion-codestral", why: "models of the older completions API do not support tools"},
}

// families maps the beginnings of model names without a prefix to the provider that LiteLLM assumes.
var families = []struct{ begins, prefix string }{
	{"gpt-", "openai"}, {"chatgpt-", "openai"}, {"o1", "openai"}, {"o3", "openai"}, {"o4", "openai"}, {"ft:", "openai"},
	{"text-embedding-", "openai"},
	{"dall-e", "openai"}, {"whisper-", "openai"}, {"tts-", "openai"}, {"claude-", "anthropic"}, {"gemini-", "vertex_ai"},
	{"command-", "cohere"},
}

// prefixOf returns the provider of a deployment's model and the name of the model there. hasBase reports whether the
// deployment has an address. why is the reason if the provider cannot be converted.
func prefixOf(provider, model string, hasBase bool) (p prefix, name, why string) {
	first, rest, cut := strings.Cut(model, "/")
	if provider != "" && first == provider && cut {
		model = rest
	}
	if provider == "" && cut && isKnownProvider(first) {
		provider, model = first, rest
	}
	if provider == "" {
		for _, f := range families {
			if strings.HasPrefix(model, f.begins) {
				provider = f.prefix
				break
			}
		}
	}
	for _, p := range prefixes {
		if p.name == provider {
			return p, model, p.why
		}
	}
	switch {
	case model == "*":
		return prefix{}, model, whyPattern
	case hasBase:
		return prefix{name: provider}, model, ""
	}
	return prefix{}, model, "it is not a built-in provider: if it has Chat Completions, set api_base"
}

func isKnownProvider(name string) bool {
	for _, p := range prefixes {
		if p.name == name {
			return true
		}
	}
	return false
}

// paramKeys are the members of litellm_params that are sampling parameters of the gateway, with the names in both.
var paramKeys = []struct {
	key, ours string
	whole     bool
}{
	{"temperature", "temperature", false}, {"top_p", "top_p", false}, {"top_k", "top_k", true},
	{"presence_penalty", "presence_penalty", false},
	{"frequency_penalty", "frequency_penalty", false}, {"seed", "seed", true}, {"max_tokens", "max_tokens", true},
	{"max_completion_tokens", "max_tokens", true},
}

// factKeys are the members of model_info that are facts about models in the gateway.
var factKeys = []struct{ key, ours string }{{"supports_function_calling", "tools"}, {"supports_vision", "images"}}

// These are reasons for settings without a counterpart. Package foreignkey has further ones by key.
const (
	whySeveral  = "they become a group: the best member is tried first, the others after it; load is not shared evenly"
	whyBedrock  = "list bedrock-anthropic for Claude, or bedrock for open models, with auth: {aws: {region: ...}}, and request PROVIDER/MODEL"
	whyVertex   = "list vertex for Gemini, vertex-anthropic for Claude, or vertex-openai for open models, with auth: {google: {project: ..., location: ...}}, and request PROVIDER/MODEL"
	whyFirst    = "the first is used, the others are its fallbacks; load is not shared"
	whyPattern  = "a pattern resolves to one model: request PROVIDER/MODEL, or MODEL alone if only one provider has it"
	whyVirtual  = "virtual keys are in the database of LiteLLM: callwright keys new creates keys with the same limits"
	whyNoModel  = "no model with this name was imported"
	whyOwnValue = "this value is not supported"
)

// wireOf returns the API of a built-in provider, or Chat Completions for "".
func wireOf(row callwright.WireName) callwright.WireName {
	if row == "" {
		return callwright.WireOpenAI
	}
	return row
}
