package profile

import "encoding/json"

// A row is a profile of the table.
type row struct {
	id, tags       string
	models, except string // patterns of ids, separated by spaces
	source         string
	params         []Param
}

// Sources of the values, as --list prints them.
const (
	deepSeekCard  = "https://huggingface.co/deepseek-ai/DeepSeek-V3.2: for local deployment, temperature 1.0, top_p 0.95"
	deepSeekDocs  = "https://api-docs.deepseek.com/quick_start/parameter_settings for the temperature; top_p as for local deployment is Callwright's choice"
	geminiDocs    = "https://cloud.google.com/vertex-ai/generative-ai/docs/models/gemini/2-5-flash: from 0 to 2, 1.0 by default"
	qwenCard      = "https://huggingface.co/Qwen/Qwen3-30B-A3B-Instruct-2507, Best Practices"
	qwenThinking  = "https://huggingface.co/Qwen/Qwen3-32B, Best Practices, thinking mode"
	qwenCoderCard = "https://huggingface.co/Qwen/Qwen3-Coder-480B-A35B-Instruct, Best Practices"
	kimiCard      = "https://huggingface.co/moonshotai/Kimi-K2.5: temperature 0.6 without thinking, 1.0 with it, top_p 0.95"
	miniMaxCard   = "https://huggingface.co/MiniMaxAI/MiniMax-M2.1: temperature 1.0, top_p 0.95, top_k 40"
	glmCard       = "https://huggingface.co/zai-org/GLM-4.7: default settings"
	glmFlashCard  = "https://huggingface.co/zai-org/GLM-4.7-Flash: default settings"
	glmFlashCode  = "https://huggingface.co/zai-org/GLM-4.7-Flash: those of Terminal Bench and SWE-bench Verified"
)

// qwenHybrid lists the Qwen 3 models that think unless thinking is disabled. Later models have separate editions with
// and without thinking.
const qwenHybrid = "qwen/qwen3-0.6b qwen/qwen3-1.7b qwen/qwen3-4b qwen/qwen3-8b qwen/qwen3-14b qwen/qwen3-32b qwen/qwen3-30b-a3b qwen/qwen3-235b-a22b"

// table lists all profiles. The tag recommended marks settings that vendors recommend for general use. Values are from
// the page of the row's source, except where a comment says that they are Callwright's choice.
var table = []row{
	{id: Default, tags: "default", source: "none are sent: the provider's defaults apply"},

	// From the model card, for local deployment.
	{id: "deepseek_v3_2_local_recommended", tags: "deepseek recommended", models: "deepseek/deepseek-v3.2*", source: deepSeekCard,
		params: params("temperature", "1.0", "top_p", "0.95")},
	// The API documentation recommends temperature 1.3 for general conversation and 1.5 for creative writing and poetry.
	// It does not mention top_p: using the value of the model card is Callwright's choice.
	{id: "deepseek_v3_2_general_conversation", tags: "deepseek conversation", models: "deepseek/deepseek-v3.2*", source: deepSeekDocs,
		params: params("temperature", "1.3", "top_p", "0.95")},
	{id: "deepseek_v3_2_creative_writing", tags: "deepseek creative", models: "deepseek/deepseek-v3.2*", source: deepSeekDocs,
		params: params("temperature", "1.5", "top_p", "0.95")},

	// The default of the range on the model's page.
	{id: "gemini_2_5_flash_default", tags: "gemini", models: "google/gemini-2.5-flash*", source: geminiDocs,
		params: params("temperature", "1.0")},
	// Callwright's choice, because Google recommends no value for creative tasks: the middle between the default and the
	// maximum.
	{id: "gemini_2_5_flash_creative", tags: "gemini creative", models: "google/gemini-2.5-flash*",
		source: geminiDocs + "; 1.5 is Callwright's choice, the middle between that and the end of the range",
		params: params("temperature", "1.5")},

	// From the model card and those of the other editions without thinking.
	{id: "qwen_recommended", tags: "qwen recommended", models: "qwen/qwen3-*-2507* qwen/qwen3-*-instruct*",
		except: "*-thinking* *coder*", source: qwenCard,
		params: params("temperature", "0.7", "top_p", "0.8", "top_k", "20", "min_p", "0")},
	// From the model card, for thinking, and those of the editions with thinking.
	{id: "qwen_thinking_recommended", tags: "qwen recommended", models: "qwen/qwen3-*-thinking* " + qwenHybrid, source: qwenThinking,
		params: params("temperature", "0.6", "top_p", "0.95", "top_k", "20", "min_p", "0")},
	// From the card of a model made for tool calls.
	{id: "qwen_coder_tool_calling", tags: "qwen tool_calling", models: "qwen/qwen3-coder*", source: qwenCoderCard,
		params: params("temperature", "0.7", "top_p", "0.8", "top_k", "20", "repetition_penalty", "1.05")},

	// From the model card, for the mode without thinking, in OpenRouter's syntax:
	// https://openrouter.ai/docs/use-cases/reasoning-tokens.
	{id: "kimi_k2_5_instant", tags: "kimi recommended", models: "moonshotai/kimi-k2.5*", source: kimiCard,
		params: params("temperature", "0.6", "top_p", "0.95", "reasoning", `{"enabled":false}`)},

	// From the model card.
	{id: "minimax_m2_1_recommended", tags: "minimax recommended", models: "minimax/minimax-m2.1*", source: miniMaxCard,
		params: params("temperature", "1.0", "top_p", "0.95", "top_k", "40")},

	// The default settings of both model cards, for most tasks.
	{id: "glm_4_7_recommended", tags: "glm recommended", models: "z-ai/glm-4.7*", except: "*-flash*", source: glmCard,
		params: params("temperature", "1.0", "top_p", "0.95")},
	{id: "glm_4_7_flash_general", tags: "glm conversation", models: "z-ai/glm-4.7-flash*", source: glmFlashCard,
		params: params("temperature", "1.0", "top_p", "0.95")},
	// The model card used these values for Terminal Bench and SWE-bench Verified. It recommends no values for tool calls:
	// using these, rather than temperature 0 as for tau2-bench, is Callwright's choice.
	{id: "glm_4_7_flash_tool_calling", tags: "glm tool_calling", models: "z-ai/glm-4.7-flash*", source: glmFlashCode,
		params: params("temperature", "0.7", "top_p", "1.0")},
}

// params returns the parameters for alternating names and JSON values.
func params(pairs ...string) (out []Param) {
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, Param{pairs[i], json.RawMessage(pairs[i+1])})
	}
	return out
}
