package codecs_test

import (
	"net/http"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// contentWords is what providers say of a request that another model may take, by what it comes to.
var contentWords = map[callwright.Kind]map[callwright.Feature][]string{
	callwright.KindUnsupported: {
		feature.Images: {
			"Invalid content type. image_url is only supported by certain models.",                                                                                  // OpenAI, Azure
			"Failed to deserialize the JSON body into the target type: messages[13]: unknown variant `image_url`, expected `text` at line 1 column 102905",          // DeepSeek
			"Failed to deserialize the JSON body into the target type: messages[13]: unknown variant image_url, expected text at line 1 column 6290571",             // DeepSeek
			"Error from provider (DeepSeek): Failed to deserialize the JSON body into the target type: messages[188]: unknown variant `image_url`, expected `text`", // a gateway
			"No endpoints found that support image input",         // OpenRouter
			"Model do not support image input. Request id: 0217",  // Volcano Engine
			"Image inputs are not supported by this model.",       // xAI
			"lab/some-model is not a multimodal model",            // vLLM
			"this model does not support image input (ref: b8bd)", // Ollama
		},
		feature.ImageForm: {
			"Invalid image_url: expected an address or a data URL",
			"Invalid image.", // OpenAI
			"You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].", // OpenAI
			"unsupported image format", // Ollama
			"Could not process image",  // Anthropic
			"Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting", // Gemini
			"Provided image is not valid",      // Gemini
			"Unsupported MIME type: image/jpg", // Gemini
			"* GenerateContentRequest.contents[0].parts[1].inline_data.mime_type: MIME type must be image/png, image/jpeg, image/webp, image/heic, or image/heif.", // Gemini
			"This model doesn't support the image field for user messages. Remove image and try again.",                                                            // Bedrock
		},
	},
	callwright.KindContextLength: {"": {
		"This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.", // OpenAI
		"Your input exceeds the context window of this model. Please adjust your input and try again.",                                                      // OpenAI
		"Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 284512 tokens.",                                               // OpenAI
		"prompt is too long: 213462 tokens > 200000 maximum",                                                                                                // Anthropic
		"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",                                                           // Gemini
		"This model's maximum prompt length is 131072 but the request contains 537812 tokens.",                                                              // xAI
		"Please reduce the length of the messages or completion.",                                                                                           // Groq
		"This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens",                                                 // OpenRouter
		"the request exceeds the available context size, try increasing it",                                                                                 // llama.cpp
		"The number of tokens to keep from the initial prompt is greater than the context length.",                                                          // LM Studio
		"prompt token count of 155000 exceeds the limit of 128000",                                                                                          // GitHub Copilot
		"invalid params, context window exceeds limit",                                                                                                      // MiniMax
		"Your request exceeded model token limit: 262144 (requested: 291351)",                                                                               // Moonshot
		"Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length",                                          // Mistral
		"Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).",                                                                   // SGLang
		"The input (61709 tokens) is longer than the model's context length (40960 tokens).",                                                                // SGLang
		"Input length 203743 exceeds the maximum length 202752",                                                                                             // Volcano Engine
		"Input length 6491 exceeds context length 1500",                                                                                                     // LM Studio
		"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 204800]",                                                            // DashScope
		"The prompt (total length 25938) is too long to fit into the model (context length 4096).",                                                          // vLLM
		"Input prompt (35247 tokens) is too long and exceeds limit of 1000",                                                                                 // vLLM
		"Prompt too long: 41911 tokens exceeds max context window of 32768 tokens",                                                                          // oMLX
		"Prompt exceeds maximum context length",                                                                                                             // mlx-serve
		"Prompt exceeds max length",                                                                                                                         // Z.ai
		"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32769. Given: 32000 `inputs` tokens and 1024 `max_new_tokens`",               // Together
		"too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 8000.",                                                         // Cohere
		"input is too long for requested model",                                                                                                             // Bedrock
	}},
	callwright.KindInvalid: {"": {
		"messages: expected a list",
		"image_url: expected an object with url",
		"max_tokens must be at least 1",
		"messages.0.content: the text is not valid UTF-8",
		"the prompt has no words",
	}},
}

// TestContentWords: a refusal of content that another model may take is read alike, whatever API it comes over and whatever status it has.
func TestContentWords(t *testing.T) {
	for kind, features := range contentWords {
		for of, list := range features {
			for _, words := range list {
				quoted := string(jsonx.AppendQuote(nil, words))
				for _, c := range codecs.All() {
					for status, form := range map[int]string{400: `"type":"invalid_request_error","status":"INVALID_ARGUMENT"`, 422: `"type":"invalid_request_error"`} {
						body := `{"type":"error","error":{` + form + `,"message":` + quoted + `}}`
						if c.Name() == callwright.WireOllama {
							body = `{"error":` + quoted + `}`
						}
						err := c.DecodeError(status, http.Header{}, []byte(body))
						if err.Kind != kind || err.Feature != of {
							t.Errorf("%s, %d: %s is %s %q, expected %s %q", c.Name(), status, words, err.Kind, err.Feature, kind, of)
						}
					}
				}
			}
		}
	}
}
