package conformance

import "slices"

// A brokenClient describes the effect of a failed check on a client.
type brokenClient struct {
	check string
	apis  []string // APIs of the clients, nil for all
	what  string
}

// brokenClients lists known effects of failed checks on clients. Rows that name a client are test results with its
// version of November 2026 against servers that omitted one member or event at a time. The other rows follow from the
// API.
var brokenClients = []brokenClient{
	{"answer_members", []string{Chat}, "the AI SDK refuses an answer without choices[].index"},
	{"answer_members", []string{Responses},
		"the AI SDK and Mastra validate the response's id, created_at and model; OpenRouter's SDK refuses an object that lacks a required member"},
	{"answer_members", []string{Anthropic}, "the Anthropic SDKs need type and content"},
	{"item_form", []string{Responses}, "the AI SDK needs a status of each item and annotations of each output_text"},
	{"item_form", []string{Anthropic}, "the AI SDK needs text in the start of a text block"},
	{"call_form", []string{Chat}, "the openai package, the AI SDK and the OpenAI Agents SDK ignore a call without a type"},
	{"call_form", []string{Ollama}, "a client that decodes an object cannot read the answer"},
	{"arguments_json", nil, "agents end with the error of their JSON parser, or run the tool with {}"},
	{"empty_arguments", nil, "the call of a tool without parameters ends in the error of a JSON parser, and the turn cannot be sent back"},
	{"id_present", []string{Chat}, "the OpenAI Agents SDK, LangChain and LlamaIndex stop: they cannot pair the result with the call"},
	{"id_present", []string{Responses}, "the output cannot be paired with the call"},
	{"id_present", []string{Anthropic}, "the result cannot be paired with the call"},
	{"id_unique", nil, "clients that key calls by their id run one of them, or give both the same result"},
	{"id_later", nil, "clients that key calls by their id mistake the later call for the earlier one"},
	{"id_form", []string{Anthropic}, "a conversation cannot continue at another provider, which refuses the id"},
	{"id_form", []string{Chat}, "a conversation cannot continue at OpenAI, which refuses ids of more than 40 characters"},
	{"item_id", []string{Responses}, "the openai package and the AI SDK need the id of each item"},
	{"finish_calls", []string{Chat}, "LlamaIndex and qwen-code end the turn without running the call; the AI SDK ends its loop"},
	{"finish_calls", []string{Anthropic}, "clients that go by the stop reason end the turn without running the call"},
	{"finish_stop", nil, "agents wait for a call that is not there"},
	{"finish_known", []string{Chat}, "the openai package throws \"missing finish_reason\"; qwen-code repeats the request for ever"},
	{"finish_known", []string{Gemini}, "the AI SDK needs finishReason"},
	{"finish_one", []string{Chat}, "the openai package throws \"missing finish_reason\"; qwen-code repeats the request for ever"},
	{"finish_one", []string{Ollama}, "clients wait for done: true"},
	{"finish_length", nil, "agents treat a partial answer as complete"},
	{"cut_finish", nil, "agents run a call that was cut: a file is overwritten by its beginning"},
	{"cut_end", nil, "agents run a call that was cut: a file is overwritten by its beginning"},
	{"big_integer", nil, "ids of issues, messages and accounts name another object"},
	{"unicode_arguments", nil, "agents write damaged files"},
	{"markup_arguments", nil, "agents write damaged files, and edits do not find their place"},
	{"text_markup", nil, "the call is shown to the user as text, and no tool runs"},
	{"same_both_ways", nil, "clients that stream and clients that do not stream get different calls"},
	{"parallel_calls", nil, "one of two calls is lost"},
	{"parallel_off", nil, "programs that run one call at a time drop the others, and the turn cannot be sent back without them"},
	{"choice_required", nil, "programs that take structured answers as a forced call get text"},
	{"choice_named", nil, "programs that take structured answers as a forced call get another tool's call"},
	{"choice_none", nil, "agents forbid calls while they ask for a summary, but tools run"},
	{"choice_allowed", nil, "a tool runs that was forbidden for this step"},
	{"result_parts", nil, "clients that send results as parts, such as qwen-code, get answers without them"},
	{"content_absent", []string{Chat}, "clients write the content of a turn with calls in all three ways: their second request fails"},
	{"usage_whole", []string{Anthropic}, "all clients of the API need usage"},
	{"usage_whole", []string{Gemini}, "LangChain needs usageMetadata"},
	{"usage_streamed", []string{Anthropic}, "all clients need the usage of message_start and message_delta"},
	{"usage_streamed", []string{Gemini}, "LangChain needs usageMetadata"},
	{"usage_unasked", []string{Chat}, "clients that read choices[0] of each chunk stop"},
	{"error_shape", nil, "the clients show no reason, and do not know whether to try again"},
	{"error_stream", nil, "a client treats the error as an empty answer"},
	{"stream_index", []string{Chat}, "the AI SDK refuses a chunk without choices[].index; LlamaIndex treats a new id as a new call"},
	{"stream_index", []string{Responses}, "the openai package finds items by output_index and item_id, and stops"},
	{"stream_index", []string{Anthropic}, "the Anthropic SDKs find blocks by their index, and stop"},
	{"stream_names", []string{Chat}, "clients that join the names of pieces call a tool that does not exist"},
	{"stream_names", []string{Responses}, "the openai package selects events by their name"},
	{"stream_order", []string{Chat}, "the openai package and the AI SDK need the role in the first delta"},
	{"stream_order", []string{Responses},
		"the openai package needs response.created, output_item.added and content_part.added in this order; Codex needs output_item.done"},
	{"stream_order", []string{Anthropic}, "Claude Code says that the call could not be parsed, and repeats the request without a stream"},
	{"stream_sum", []string{Responses},
		"LangChain and Mastra take arguments from the deltas, Codex from output_item.done: they run different calls"},
	{"stream_end", []string{Chat}, "clients wait until the connection closes, and treat a cut answer as complete"},
	{"stream_end", []string{Responses}, "Codex needs response.completed"},
	{"stream_end", []string{Anthropic}, "Claude Code repeats the request without a stream"},
	{"stream_end", []string{Gemini}, "the AI SDK needs finishReason"},
	{"stream_end", []string{Ollama}, "clients wait for done: true"},
	{"stream_frames", nil, "clients stop at the event with the error of their JSON parser"},
	{"stream_type", nil, "clients that look at the Content-Type refuse the stream"},
	{"stream_silence", nil, "proxies close the connection: nginx after 60 s"},
	{"reasoning_form", []string{Anthropic}, "the turn cannot be sent back: a thinking block needs its signature"},
	{"reasoning_apart", nil, "the user sees the reasoning, and each later turn contains it as part of the answer"},
}

// breaks returns the effects on clients of a failed check of an API.
func breaks(api, name string) []string {
	var out []string
	for _, b := range brokenClients {
		if b.check == name && (b.apis == nil || slices.Contains(b.apis, api)) {
			out = append(out, b.what)
		}
	}
	return out
}
