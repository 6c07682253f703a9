package profile

import "encoding/json"

// A row is a profile as the table has it.
type row struct {
	id, tags       string
	models, except string // patterns of ids
	source         string
	params         []Param
}

// Where the values come from, as --list shows it.
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

// qwenHybrid are the models of Qwen 3 that think unless they are told not to. Later ones have an edition for each.
const qwenHybrid = "qwen/qwen3-0.6b qwen/qwen3-1.7b qwen/qwen3-4b qwen/qwen3-8b qwen/qwen3-14b qwen/qwen3-32b qwen/qwen3-30b-a3b qwen/qwen3-235b-a22b"

// table has all profiles. Settings that vendors recommend for general use are tagged recommended. Values are a vendor's
// own, from the page of the row's source; where a comment says that one is Callwright's choice, no vendor gives it.
var table = []row{
	{id: Default, tags: "default", source: "none are sent: the provider's own hold"},

	// Of the model card, for local deployment.
	{id: "deepseek_v3_2_local_recommended", tags: "deepseek recommended", models: "deepseek/deepseek-v3.2*", source: deepSeekCard,
		params: params("temperature", "1.0", "top_p", "0.95")},
	// The table of use cases in the documentation of the API has 1.3 for general conversation and 1.5 for creative
	// writing and poetry, and nothing about top_p. That it is the one of the model card is Callwright's choice.
	{id: "deepseek_v3_2_general_conversation", tags: "deepseek conversation", models: "deepseek/deepseek-v3.2*", source: deepSeekDocs,
		params: params("temperature", "1.3", "top_p", "0.95")},
	{id: "deepseek_v3_2_creative_writing", tags: "deepseek creative", models: "deepseek/deepseek-v3.2*", source: deepSeekDocs,
		params: params("temperature", "1.5", "top_p", "0.95")},

	// The default of the range that the page of the model gives.
	{id: "gemini_2_5_flash_default", tags: "gemini", models: "google/gemini-2.5-flash*", source: geminiDocs,
		params: params("temperature", "1.0")},
	// Callwright's choice: Google recommends no value for creative tasks. 1.5 is the middle between the default and the
	// end of the range.
	{id: "gemini_2_5_flash_creative", tags: "gemini creative", models: "google/gemini-2.5-flash*",
		source: geminiDocs + "; 1.5 is Callwright's choice, the middle between that and the end of the range",
		params: params("temperature", "1.5")},

	// Of the card, and of those of the other editions that do not think.
	{id: "qwen_recommended", tags: "qwen recommended", models: "qwen/qwen3-*-2507* qwen/qwen3-*-instruct*",
		except: "*-thinking* *coder*", source: qwenCard,
		params: params("temperature", "0.7", "top_p", "0.8", "top_k", "20", "min_p", "0")},
	// Of the card, for thinking, and of those of the editions that think.
	{id: "qwen_thinking_recommended", tags: "qwen recommended", models: "qwen/qwen3-*-thinking* " + qwenHybrid, source: qwenThinking,
		params: params("temperature", "0.6", "top_p", "0.95", "top_k", "20", "min_p", "0")},
	// Of the card of a model that is made for calling tools.
	{id: "qwen_coder_tool_calling", tags: "qwen tool_calling", models: "qwen/qwen3-coder*", source: qwenCoderCard,
		params: params("temperature", "0.7", "top_p", "0.8", "top_k", "20", "repetition_penalty", "1.05")},

	// Of the card, for the mode without thinking, which is asked for as OpenRouter has it:
	// https://openrouter.ai/docs/use-cases/reasoning-tokens.
	{id: "kimi_k2_5_instant", tags: "kimi recommended", models: "moonshotai/kimi-k2.5*", source: kimiCard,
		params: params("temperature", "0.6", "top_p", "0.95", "reasoning", `{"enabled":false}`)},

	// Of the card.
	{id: "minimax_m2_1_recommended", tags: "minimax recommended", models: "minimax/minimax-m2.1*", source: miniMaxCard,
		params: params("temperature", "1.0", "top_p", "0.95", "top_k", "40")},

	// The default settings of both cards, for most tasks.
	{id: "glm_4_7_recommended", tags: "glm recommended", models: "z-ai/glm-4.7*", except: "*-flash*", source: glmCard,
		params: params("temperature", "1.0", "top_p", "0.95")},
	{id: "glm_4_7_flash_general", tags: "glm conversation", models: "z-ai/glm-4.7-flash*", source: glmFlashCard,
		params: params("temperature", "1.0", "top_p", "0.95")},
	// With these the card has Terminal Bench and SWE-bench Verified measured. It says of no values that they are for
	// calling tools: that these are taken, rather than the temperature of 0 of tau2-bench, is Callwright's choice.
	{id: "glm_4_7_flash_tool_calling", tags: "glm tool_calling", models: "z-ai/glm-4.7-flash*", source: glmFlashCode,
		params: params("temperature", "0.7", "top_p", "1.0")},
}

// params are names and values, in turns.
func params(pairs ...string) (out []Param) {
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, Param{pairs[i], json.RawMessage(pairs[i+1])})
	}
	return out
}
