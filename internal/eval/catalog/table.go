package catalog

import "github.com/callwright/callwright/caps"

// A row is an entry of the table.
type row struct {
	id, tags string
	context  int
}

// table lists models of OpenRouter (https://openrouter.ai/models). Ids, context lengths and the tags json_schema
// (structured output by a schema), reasoning, no_sampling (rejects temperature and similar parameters), no_tools and
// deprecated are from https://models.dev, snapshot of 2026-07-02 (MIT). The tag free marks variants without cost. The
// tag stable marks a small set of models that passed at least 49 of 50 smoke trials in public runs over OpenRouter in
// February 2026, with ten trials per scenario.
var table = []row{
	{"anthropic/claude-haiku-4.5", "claude json_schema reasoning", 200000},
	{"anthropic/claude-sonnet-4.5", "claude json_schema reasoning", 1000000},
	{"anthropic/claude-sonnet-4.6", "claude json_schema reasoning", 1000000},
	{"anthropic/claude-sonnet-5", "claude json_schema reasoning no_sampling", 1000000},
	{"anthropic/claude-opus-4.6", "claude stable json_schema reasoning", 1000000},
	{"anthropic/claude-opus-4.8", "claude json_schema reasoning no_sampling", 1000000},
	{"deepseek/deepseek-chat-v3-0324", "ds json_schema", 163840},
	{"deepseek/deepseek-v3.2", "ds json_schema reasoning", 128000},
	{"deepseek/deepseek-v4-flash", "ds json_schema reasoning", 1048575},
	{"deepseek/deepseek-v4-pro", "ds json_schema reasoning", 1048576},
	{"google/gemini-2.5-flash", "gemini stable json_schema reasoning", 1048576},
	{"google/gemini-2.5-flash-lite", "gemini json_schema reasoning", 1048576},
	{"google/gemini-2.5-pro", "gemini json_schema reasoning", 1048576},
	{"google/gemini-3-flash-preview", "gemini json_schema reasoning", 1048576},
	{"google/gemini-3.1-pro-preview", "gemini json_schema reasoning", 1048576},
	{"google/gemini-3.5-flash", "gemini json_schema reasoning", 1048576},
	{"google/gemma-4-31b-it", "gemma json_schema reasoning", 262144},
	{"google/gemma-4-31b-it:free", "gemma free reasoning", 262144},
	{"meta-llama/llama-3.1-8b-instruct", "meta llama json_schema", 131072},
	{"meta-llama/llama-3.3-70b-instruct", "meta llama json_schema", 131072},
	{"meta-llama/llama-3.3-70b-instruct:free", "meta llama free", 65536},
	{"meta-llama/llama-4-maverick", "meta llama json_schema", 1048576},
	{"meta-llama/llama-4-scout", "meta llama json_schema", 327680},
	{"minimax/minimax-m2-her", "no_tools", 65536},
	{"minimax/minimax-m2.1", "json_schema reasoning", 196608},
	{"minimax/minimax-m2.5", "json_schema reasoning", 196608},
	{"minimax/minimax-m3", "json_schema reasoning", 524288},
	{"mistralai/mistral-large-2512", "mistral json_schema", 262144},
	{"mistralai/mistral-medium-3.1", "mistral json_schema", 131072},
	{"mistralai/mistral-small-2603", "mistral json_schema reasoning", 262144},
	{"mistralai/devstral-2512", "mistral code json_schema deprecated", 262144},
	{"mistralai/ministral-8b-2512", "mistral json_schema", 262144},
	{"moonshotai/kimi-k2-0905", "moonshot kimi json_schema", 262144},
	{"moonshotai/kimi-k2.5", "moonshot kimi json_schema reasoning", 256000},
	{"moonshotai/kimi-k2.6", "moonshot kimi json_schema reasoning", 262144},
	{"nvidia/nemotron-3-super-120b-a12b", "nemotron json_schema reasoning", 262144},
	{"nvidia/nemotron-3-super-120b-a12b:free", "nemotron free json_schema reasoning", 262144},
	{"openai/gpt-4.1-mini", "gpt json_schema", 1047576},
	{"openai/gpt-4o-mini", "gpt json_schema", 128000},
	{"openai/gpt-5-mini", "gpt json_schema reasoning no_sampling", 400000},
	{"openai/gpt-5.2", "gpt stable json_schema reasoning no_sampling", 400000},
	{"openai/gpt-5.2-chat", "gpt json_schema no_sampling", 128000},
	{"openai/gpt-5.5", "gpt json_schema reasoning no_sampling", 1050000},
	{"openai/gpt-oss-120b", "gpt json_schema reasoning", 131072},
	{"openai/gpt-oss-20b", "gpt json_schema reasoning", 131072},
	{"openai/gpt-oss-20b:free", "gpt free json_schema reasoning", 131072},
	{"qwen/qwen3-235b-a22b-2507", "stable json_schema", 262144},
	{"qwen/qwen3-30b-a3b-instruct-2507", "stable json_schema", 128000},
	{"qwen/qwen3-next-80b-a3b-instruct", "stable json_schema", 262144},
	{"qwen/qwen3-next-80b-a3b-thinking", "json_schema reasoning", 131072},
	{"qwen/qwen3-32b", "json_schema reasoning", 40960},
	{"qwen/qwen3-coder", "code json_schema", 262144},
	{"qwen/qwen3-coder:free", "code free", 262000},
	{"qwen/qwen3-max", "json_schema", 262144},
	{"qwen/qwen3.5-35b-a3b", "json_schema reasoning", 262144},
	{"x-ai/grok-4.20", "x_ai grok json_schema reasoning", 2000000},
	{"x-ai/grok-4.3", "x_ai grok json_schema reasoning", 1000000},
	{"z-ai/glm-4.7", "z_ai glm json_schema reasoning", 202752},
	{"z-ai/glm-4.7-flash", "z_ai glm json_schema reasoning", 202752},
	{"z-ai/glm-5", "z_ai glm json_schema reasoning", 202752},
	{"z-ai/glm-5.2", "z_ai glm json_schema reasoning", 1048576},
}

// presets are applied in this order to the models that match a pattern.
var presets = []struct {
	models string // patterns of ids without variants, separated by spaces
	Preset
}{
	// Turns with tool calls but without reasoning_content are rejected:
	// https://api-docs.deepseek.com/guides/thinking_mode.
	{"deepseek/*", Preset{Transforms: []string{"deepseek_openrouter_compat"}}},
	// Tool calls without a thought signature are rejected: https://ai.google.dev/gemini-api/docs/thought-signatures.
	{"google/gemini-*", Preset{Transforms: []string{"gemini_openrouter_compat"}}},
	// OpenRouter returned tool calls as text: earendil-works/pi#368, MiniMax-AI/MiniMax-M2.5#10.
	{"minimax/minimax-m2*", Preset{Transforms: []string{"content_tag_tool_call_fallback"}}},
	// No host supports tools: https://models.dev has tool_call false.
	{"minimax/minimax-m2-her", Preset{Mode: caps.Text}},
	// The maker's own host ends streams with tool calls without an error: NousResearch/hermes-agent#12087,
	// MiniMax-AI/MiniMax-M2#109.
	{"minimax/minimax-m2 minimax/minimax-m2.*", Preset{Request: `{"provider":{"ignore":["minimax"]}}`}},
	// Tool calls satisfy their schemas at the maker's host, but only 72 % of them at some others:
	// https://github.com/MoonshotAI/K2-Vendor-Verifier.
	{"moonshotai/kimi-k2*", Preset{Request: `{"provider":{"order":["moonshotai"]}}`}},
}
