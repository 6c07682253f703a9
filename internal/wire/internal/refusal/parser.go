package refusal

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
)

func unread(has ...string) Phrase {
	return Phrase{Has: has, Kind: callwright.KindRefusedCall, Feature: feature.Parser}
}

// parsers lists wordings of servers that could not parse the tool calls of their model, if they do not quote the output
// as in [Echo]. Read tests these first, because such messages may quote fragments of the output.
var parsers = []Phrase{
	unread("xml syntax error on line "), // Ollama, from Go's encoding/xml
	unread("expected element type <", "> but have <"),
	// Ollama, from Go's encoding/json: requests are valid JSON, so that these errors are about the model's output
	unread("invalid character ", " after object key"),
	unread("invalid character ", " after array element"),
	unread("invalid character ", " looking for beginning of object key string"),
	unread("invalid character ", " in string literal"),
	unread("invalid character ", " in string escape code"),
	unread("error parsing tool call"),
	unread("failed to parse function call"),
	unread("invalid function call format"),
	unread("invalid tool call: no "), // calls in Python syntax
	unread("invalid tool call: empty function name"),
	unread("invalid argument: expected '='"),
	unread("invalid argument: unterminated string"),
	unread("invalid argument: empty key"),
	unread("model produced output that does not match the expected"), // llama.cpp
	unread("failed to parse input at pos"),
	unread("failed to parse tool call"), // also LM Studio
	unread("invalid diff: now finding less tool calls"),
	unread("invalid diff: tool call mismatch"),
	unread("invalid diff: '", "not found at start of"),
	unread("unexpected tokens remaining in message header"), // openai_harmony, in vLLM and others
	unread("unexpected token ", " while expecting start token"),
	unread("unexpected eos while waiting for message header"),
	unread("channel marker present but no channel value"),
	unread("unknown role: <|"), // a message header that the model wrote twice
	unread("unknown role: assistant"),
	unread("harmonyerror"),
	unread("validation error", "for list[function-wrap["),         // vLLM with tool_choice required
	unread("failed to parse fc related info to json format"),      // SGLang, LMDeploy
	unread("failed to parse generated"),                           // Text Generation Inference
	unread("the model generated output that could not be parsed"), // Groq
	unread("invalid sequence as part of tooluse"),                 // Bedrock
}
