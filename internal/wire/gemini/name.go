package gemini

import (
	"github.com/callwright/callwright/internal/jsonx"
)

// name is the name of a member, in camel case and in snake case.
type name struct{ camel, snake string }

// The members whose names have more than one word.
var (
	systemInstruction = name{"systemInstruction", "system_instruction"}
	toolConfig        = name{"toolConfig", "tool_config"}
	generationConfig  = name{"generationConfig", "generation_config"}

	functionCall     = name{"functionCall", "function_call"}
	functionResponse = name{"functionResponse", "function_response"}
	thoughtSignature = name{"thoughtSignature", "thought_signature"}
	inlineData       = name{"inlineData", "inline_data"}
	fileData         = name{"fileData", "file_data"}
	mimeType         = name{"mimeType", "mime_type"}
	fileURI          = name{"fileUri", "file_uri"}
	displayName      = name{"displayName", "display_name"}
	partialArgs      = name{"partialArgs", "partial_args"}
	willContinue     = name{"willContinue", "will_continue"}
	jsonPath         = name{"jsonPath", "json_path"}
	stringValue      = name{"stringValue", "string_value"}
	numberValue      = name{"numberValue", "number_value"}
	boolValue        = name{"boolValue", "bool_value"}
	nullValue        = name{"nullValue", "null_value"}

	functionDeclarations  = name{"functionDeclarations", "function_declarations"}
	parametersJSONSchema  = name{"parametersJsonSchema", "parameters_json_schema"}
	functionCallingConfig = name{"functionCallingConfig", "function_calling_config"}
	allowedFunctionNames  = name{"allowedFunctionNames", "allowed_function_names"}

	maxOutputTokens    = name{"maxOutputTokens", "max_output_tokens"}
	topP               = name{"topP", "top_p"}
	topK               = name{"topK", "top_k"}
	presencePenalty    = name{"presencePenalty", "presence_penalty"}
	frequencyPenalty   = name{"frequencyPenalty", "frequency_penalty"}
	stopSequences      = name{"stopSequences", "stop_sequences"}
	responseMimeType   = name{"responseMimeType", "response_mime_type"}
	responseSchema     = name{"responseSchema", "response_schema"}
	responseJSONSchema = name{"responseJsonSchema", "response_json_schema"}
	thinkingConfig     = name{"thinkingConfig", "thinking_config"}
	includeThoughts    = name{"includeThoughts", "include_thoughts"}
	thinkingBudget     = name{"thinkingBudget", "thinking_budget"}
	thinkingLevel      = name{"thinkingLevel", "thinking_level"}

	finishReason   = name{"finishReason", "finish_reason"}
	finishMessage  = name{"finishMessage", "finish_message"}
	promptFeedback = name{"promptFeedback", "prompt_feedback"}
	blockReason    = name{"blockReason", "block_reason"}
	usageMetadata  = name{"usageMetadata", "usage_metadata"}
	modelVersion   = name{"modelVersion", "model_version"}
	responseID     = name{"responseId", "response_id"}
)

// plain returns the name for a single word, which has only one spelling.
func plain(word string) name { return name{word, word} }

// is reports whether k is the name in one of its spellings.
func (n name) is(k jsonx.Key) bool { return k.Is(n.camel) || k.Is(n.snake) }

// in returns the value of the member in the JSON object obj, nil if it is missing. If both spellings are present, it
// returns the one in camel case.
func (n name) in(obj []byte) (value []byte) {
	for k, v := range jsonx.Members(obj) {
		if k.Is(n.camel) {
			return v
		}
		if value == nil && k.Is(n.snake) {
			value = v
		}
	}
	return value
}

// of returns the value of the member in f, nil if it is missing. Like the method in, it prefers camel case.
func (n name) of(f *jsonx.Fields) []byte {
	if v := f.Get(n.camel); v != nil {
		return v
	}
	return f.Get(n.snake)
}

// spellingIn returns the spelling that obj uses, camel case if obj does not have the member.
func (n name) spellingIn(obj []byte) string {
	if _, ok := jsonx.Find(obj, n.snake); ok {
		return n.snake
	}
	return n.camel
}

// spellings returns all spellings of names.
func spellings(names ...name) []string {
	var out []string
	for _, n := range names {
		out = append(out, n.camel)
		if n.snake != n.camel {
			out = append(out, n.snake)
		}
	}
	return out
}
