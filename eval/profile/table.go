package profile

import "encoding/json"

// A row is a profile as the table has it.
type row struct {
	id, tags       string
	models, except string // patterns of ids
	source         string
	params         []Param
}

// Where the values come from.
const (
	deepSeekCard = "https://huggingface.co/deepseek-ai/DeepSeek-V3.2: for local deployment, temperature 1.0, top_p 0.95"
	deepSeekDocs = "https://api-docs.deepseek.com/quick_start/parameter_settings for the temperature; top_p as for local deployment"
	geminiDocs   = "https://cloud.google.com/vertex-ai/generative-ai/docs/models/gemini/2-5-flash: from 0 to 2, 1.0 by default"
	qwenCard     = "https://huggingface.co/Qwen/Qwen3-30B-A3B-Instruct-2507, Best Practices"
	qwenThinking = "https://huggingface.co/Qwen/Qwen3-32B, Best Practices, thinking mode"
	qwenCoder    = "https://huggingface.co/Qwen/Qwen3-Coder-480B-A35B-Instruct, Best Practices"
	kimiCard     = "https://huggingface.co/moonshotai/Kimi-K2.5: temperature 0.6 without thinking, 1.0 with it, top_p 0.95"
	miniMaxCard  = "https://huggingface.co/MiniMaxAI/MiniMax-M2.1: temperature 1.0, top_p 0.95, top_k 40"
	glmCard      = "https://huggingface.co/zai-org/GLM-4.7: default settings"
	glmFlashCard = "https://huggingface.co/zai-org/GLM-4.7-Flash: default settings, and those of its agentic benchmarks"
)

// table has all profiles. What vendors recommend for use at large is tagged recommended.
var table = []row{
	{id: Default, tags: "default", source: "none are sent: the provider's own hold"},
	{id: "deepseek_v3_2_local_recommended", tags: "deepseek recommended", models: "deepseek/deepseek-v3.2*", source: deepSeekCard,
		params: params("temperature", "1.0", "top_p", "0.95")},
	{id: "deepseek_v3_2_general_conversation", tags: "deepseek conversation", models: "deepseek/deepseek-v3.2*", source: deepSeekDocs,
		params: params("temperature", "1.3", "top_p", "0.95")},
	{id: "deepseek_v3_2_creative_writing", tags: "deepseek creative", models: "deepseek/deepseek-v3.2*", source: deepSeekDocs,
		params: params("temperature", "1.5", "top_p", "0.95")},
	{id: "gemini_2_5_flash_default", tags: "gemini", models: "google/gemini-2.5-flash*", source: geminiDocs, params: params("temperature", "1.0")},
	{id: "gemini_2_5_flash_creative", tags: "gemini creative", models: "google/gemini-2.5-flash*", source: geminiDocs + "; 1.5 lies between that and the end of the range",
		params: params("temperature", "1.5")},
	{id: "qwen_recommended", tags: "qwen recommended", models: "qwen/qwen3-*", except: "*-thinking*", source: qwenCard,
		params: params("temperature", "0.7", "top_p", "0.8", "top_k", "20", "min_p", "0")},
	{id: "qwen_thinking_recommended", tags: "qwen recommended", models: "qwen/qwen3-*-thinking*", source: qwenThinking,
		params: params("temperature", "0.6", "top_p", "0.95", "top_k", "20", "min_p", "0")},
	{id: "qwen_coder_tool_calling", tags: "qwen tool_calling", models: "qwen/qwen3-coder*", source: qwenCoder,
		params: params("temperature", "0.7", "top_p", "0.8", "top_k", "20", "repetition_penalty", "1.05")},
	{id: "kimi_k2_5_instant", tags: "kimi recommended", models: "moonshotai/kimi-k2.5*", source: kimiCard,
		params: params("temperature", "0.6", "top_p", "0.95", "reasoning", `{"enabled":false}`)},
	{id: "minimax_m2_1_recommended", tags: "minimax recommended", models: "minimax/minimax-m2.1*", source: miniMaxCard,
		params: params("temperature", "1.0", "top_p", "0.95", "top_k", "40")},
	{id: "glm_4_7_recommended", tags: "glm recommended", models: "z-ai/glm-4.7*", except: "*-flash*", source: glmCard,
		params: params("temperature", "1.0", "top_p", "0.95")},
	{id: "glm_4_7_flash_general", tags: "glm conversation", models: "z-ai/glm-4.7-flash*", source: glmFlashCard,
		params: params("temperature", "1.0", "top_p", "0.95")},
	{id: "glm_4_7_flash_tool_calling", tags: "glm tool_calling", models: "z-ai/glm-4.7-flash*", source: glmFlashCard,
		params: params("temperature", "0.7", "top_p", "1.0")},
}

// params are names and values, in turns.
func params(pairs ...string) (out []Param) {
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, Param{pairs[i], json.RawMessage(pairs[i+1])})
	}
	return out
}
