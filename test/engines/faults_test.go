package engines_test

import "github.com/callwright/callwright/internal/conformance"

// A fault is a check that fails, with the cause.
type fault struct {
	check, cause string
	not          string // the API over which it does not show
}

// Causes of several faults.
const (
	ollamaChoice  = "Ollama reads tool_choice and does not enforce it: https://github.com/ollama/ollama/issues/17921"
	ollamaNumbers = "Ollama decodes arguments into Go's float64"
	ollamaSerial  = "Ollama has no parallel_tool_calls: all calls of the model come"
	ollamaEmpty   = "Ollama writes an empty list of content as null"
	llamaChoice   = "llama-server takes a choice that is an object for auto: https://github.com/ggml-org/llama.cpp/issues/26535"
	llamaSerial   = "llama-server binds the first call by a grammar, and not the number of calls"
	llamaNone     = "llama-server still has the tools in the prompt of tool_choice none, and reads no call of the text"
	llamaStatus   = "llama-server tells errors of requests as its own, with the status 500"
	llamaEvents   = "llama-server's events have neither sequence_number nor output_index"
	bothCut       = "the status is completed where max_output_tokens was reached"
	bothReasoning = "reasoning is read apart only where the template of the model has its tags, and this one has not"
)

// serverFaults has the checks that fail at the servers themselves, by the names of surfaces.
var serverFaults = map[string][]fault{
	"ollama": {{check: "big_integer", cause: ollamaNumbers}},
	"ollama openai": {
		{check: "parallel_off", cause: ollamaSerial}, {check: "choice_required", cause: ollamaChoice}, {check: "choice_named", cause: ollamaChoice}, {check: "choice_none", cause: ollamaChoice},
		{check: "choice_allowed", cause: ollamaChoice}, {check: "big_integer", cause: ollamaNumbers}, {check: "error_choice", cause: ollamaChoice},
	},
	"ollama responses": {
		{check: "answer_members", cause: ollamaEmpty}, {check: "parallel_off", cause: ollamaSerial}, {check: "choice_required", cause: ollamaChoice}, {check: "choice_named", cause: ollamaChoice},
		{check: "choice_none", cause: ollamaChoice}, {check: "choice_allowed", cause: ollamaChoice}, {check: "finish_length", cause: bothCut}, {check: "cut_finish", cause: bothCut},
		{check: "result_parts", cause: "Ollama decodes the output of a call into a string"}, {check: "big_integer", cause: ollamaNumbers}, {check: "reasoning_apart", cause: bothReasoning},
		{check: "error_messages", cause: "Ollama loads the model where a request has no input"}, {check: "error_choice", cause: ollamaChoice},
		{check: "stream_sum", cause: "Ollama's stream has one of two calls, and response.completed both"},
	},
	"ollama anthropic": {
		{check: "answer_members", cause: ollamaEmpty}, {check: "parallel_off", cause: ollamaSerial}, {check: "choice_required", cause: ollamaChoice}, {check: "choice_named", cause: ollamaChoice},
		{check: "choice_none", cause: ollamaChoice}, {check: "big_integer", cause: ollamaNumbers}, {check: "reasoning_apart", cause: bothReasoning}, {check: "error_choice", cause: ollamaChoice},
	},
	"llama openai": {
		{check: "parallel_off", cause: llamaSerial}, {check: "text_markup", cause: llamaNone}, {check: "choice_named", cause: llamaChoice}, {check: "choice_allowed", cause: llamaChoice},
		{check: "reasoning_apart", cause: bothReasoning}, {check: "error_json", cause: llamaStatus}, {check: "error_choice", cause: llamaChoice},
	},
	"llama responses": {
		{check: "answer_members", cause: "llama-server leaves most members of a response out"}, {check: "same_both_ways", cause: llamaEvents}, {check: "arguments_json", cause: bothCut},
		{check: "parallel_off", cause: llamaSerial}, {check: "text_markup", cause: llamaNone}, {check: "choice_required", cause: bothCut}, {check: "choice_named", cause: llamaChoice},
		{check: "choice_allowed", cause: llamaChoice}, {check: "finish_length", cause: bothCut}, {check: "cut_finish", cause: bothCut}, {check: "json_schema", cause: llamaEvents},
		{check: "reasoning_apart", cause: bothReasoning}, {check: "error_json", cause: llamaStatus}, {check: "error_choice", cause: llamaChoice}, {check: "stream_index", cause: llamaEvents},
		{check: "stream_order", cause: llamaEvents}, {check: "stream_sum", cause: llamaEvents}, {check: "streamed_text", cause: llamaEvents},
	},
	"llama anthropic": {
		{check: "call_form", cause: "llama-server's content_block_start of a call has no input"}, {check: "parallel_off", cause: llamaSerial},
		{check: "choice_named", cause: "llama-server takes the type tool for any, so that any tool is called"},
		{check: "choice_none", cause: "llama-server knows the types auto, any and tool alone"}, {check: "reasoning_apart", cause: bothReasoning},
		{check: "error_json", cause: llamaStatus}, {check: "error_messages", cause: llamaStatus}, {check: "error_choice", cause: "llama-server takes the type tool for any"},
		{check: "error_shape", cause: "llama-server's errors have the form of Chat Completions"},
		{check: "stream_order", cause: "llama-server does not end a block before it starts the next one"},
	},
}

// Causes of what fails through the gateway.
const (
	handedOn  = "a text in which no call may come is handed on as the model wrote it"
	asksTwice = "the gateway asks again where a call was cut, and this model answers that with noise"
)

// gatewayFaults has the checks that fail through the gateway, by its provider: none that depends on the gateway's own
// API, and two on the text of a model that writes markup where none is read.
var gatewayFaults = map[string][]fault{
	"ollama":   {{check: "big_integer", cause: ollamaNumbers}, {check: "cut_finish", cause: asksTwice}, {check: "reasoning_apart", cause: handedOn}},
	"llamacpp": {{check: "cut_finish", cause: asksTwice}, {check: "reasoning_apart", cause: handedOn}, {check: "text_markup", cause: handedOn, not: conformance.Ollama}},
}
