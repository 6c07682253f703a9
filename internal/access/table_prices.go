package access

// free are the providers of local inference servers, and the simulator.
var free = []string{"ollama", "ollama-openai", "vllm", "llamacpp", "lmstudio", "sglang", "tgi", "sim"}

// samePrices maps providers to other providers with the same prices.
var samePrices = map[string]string{"openai-responses": "openai", "gemini-openai": "gemini"}

// shippedPrices are the built-in prices by provider and model: input, cached input, cache write and output in US
// dollars for a million tokens. The table contains only models whose price does not depend on the length of the
// request. Source: https://models.dev (https://github.com/anomalyco/models.dev, providers/*/models), read in November
// 2026. Prices change: a price file overrides them.
var shippedPrices = map[string]map[string]Price{
	"openai": {
		"gpt-5":      {1.25, 0.125, 1.25, 10},
		"gpt-5-mini": {0.25, 0.025, 0.25, 2},
		"gpt-5-nano": {0.05, 0.005, 0.05, 0.40},
		"gpt-5.1":    {1.25, 0.125, 1.25, 10},
		"gpt-5.2":    {1.75, 0.175, 1.75, 14},
		"o3":         {2, 0.50, 2, 8},
		"o4-mini":    {1.10, 0.275, 1.10, 4.40},
	},
	"anthropic": {
		"claude-haiku-4-5":  {1, 0.10, 1.25, 5},
		"claude-sonnet-4-5": {3, 0.30, 3.75, 15},
		"claude-sonnet-4-6": {3, 0.30, 3.75, 15},
		"claude-sonnet-5-5": {2, 0.10, 2.50, 10},
		"claude-opus-4-5":   {5, 0.50, 6.25, 25},
		"claude-opus-4-8":   {5, 0.50, 6.25, 25},
		"claude-opus-5-5":   {4, 0.20, 5, 20},
	},
	"gemini": {
		"gemini-2.5-flash":      {0.30, 0.03, 0.30, 2.50},
		"gemini-2.5-flash-lite": {0.10, 0.01, 0.10, 0.40},
	},
	"deepseek": {
		"deepseek-chat": {0.28, 0.028, 0.28, 0.42},
	},
	"groq": {
		"openai/gpt-oss-120b": {0.15, 0.075, 0.15, 0.60},
	},
}
