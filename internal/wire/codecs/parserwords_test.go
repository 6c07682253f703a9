package codecs_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// parserWords is what servers say whose own parser could not read a call of their model, by their sources and by reports of it.
var parserWords = []string{
	// Ollama: the parsers of its models, of XML, JSON, Python and Harmony.
	"XML syntax error on line 8: element <function> closed by </parameter>",
	"failed to parse XML: XML syntax error on line 1: element <tool_call> closed by </arg_value>",
	"XML syntax error on line 2: unexpected EOF",
	"invalid character '}' looking for beginning of object key string",
	"invalid character 'n' in string escape code",
	"invalid character '\\n' in string literal",
	"invalid character 'c' after object key:value pair",
	"failed to parse function call \"get_weather\": unexpected end of JSON input",
	"failed to parse function call arguments: invalid character 'O' looking for beginning of value",
	"invalid tool call: no opening parenthesis",
	"invalid tool call: no matching closing parenthesis",
	"invalid tool call: empty function name",
	"invalid function call format",
	"invalid argument: expected '='",
	"invalid argument: unterminated string",
	// llama.cpp
	"The model produced output that does not match the expected peg-gemma4 format",
	"The model produced output that does not match the expected peg-native format",
	"Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error at line 1, column 12: syntax error while parsing value - unexpected end of input",
	"Invalid diff: now finding less tool calls!",
	"Invalid diff: tool call mismatch!",
	"Invalid diff: '{\"city\":\"Os' not found at start of '{\"city\": \"Oslo'",
	// vLLM and SGLang, of Harmony, of required calls, and of parsers of their own
	"openai_harmony.HarmonyError: unexpected tokens remaining in message header: Some(\"to=functions.get_weather\")",
	"Unexpected token 200002 while expecting start token 200006",
	"Unexpected EOS while waiting for message header to complete",
	"Unknown role: <|start|>assistant",
	"Unknown role: assistantassistant",
	"channel marker present but no channel value found in header",
	"1 validation error for list[function-wrap[__log_extra_fields__()]]\n  Invalid JSON: EOF while parsing a string at line 1 column 40",
	"Failed to parse fc related info to json format!",
	// others
	"Failed to parse generated text: expected value at line 1 column 1",
	"The model generated output that could not be parsed.",
	"Model produced invalid sequence as part of ToolUse. Please refer to the model tool use troubleshooting guide.",
}

// streamedText and streamedError are events of each API: a piece of text, and an error with a message.
var (
	streamedText = map[callwright.WireName]string{
		callwright.WireOpenAI:    "data: {\"id\":\"a\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"I look.\"},\"finish_reason\":null}]}\n\n",
		callwright.WireResponses: "data: {\"type\":\"response.created\",\"response\":{\"id\":\"a\",\"model\":\"m\",\"output\":[]}}\n\n",
		callwright.WireAnthropic: "data: {\"type\":\"message_start\",\"message\":{\"id\":\"a\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[],\"usage\":{}}}\n\n",
		callwright.WireGemini:    "data: {\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"I look.\"}]},\"index\":0}]}\n\n",
		callwright.WireOllama:    "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"I look.\"},\"done\":false}\n",
	}
	streamedError = map[callwright.WireName]string{
		callwright.WireOpenAI:    "data: {\"error\":{\"message\":%s,\"type\":\"server_error\",\"code\":500}}\n\n",
		callwright.WireResponses: "data: {\"type\":\"error\",\"code\":\"server_error\",\"message\":%s,\"param\":null}\n\n",
		callwright.WireAnthropic: "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":%s}}\n\n",
		callwright.WireGemini:    "data: {\"error\":{\"code\":500,\"message\":%s,\"status\":\"INTERNAL\"}}\n\n",
		callwright.WireOllama:    "{\"error\":%s}\n",
	}
)

// TestParserWords: that a server could not parse its model's call is evidence of that, over every API: by the status of the answer, in an answer of 200, and in a
// stream before and behind its first bytes.
func TestParserWords(t *testing.T) {
	for _, c := range codecs.All() {
		for _, words := range parserWords {
			got := map[string]*callwright.Error{}
			for _, status := range []int{400, 500, 502, 0} {
				got[fmt.Sprint("status ", status)] = c.DecodeError(status, http.Header{}, []byte(shapes[c.Name()](max(status, 500), words, "")))
			}
			for where, before := range map[string]string{"first": "", "behind": streamedText[c.Name()]} {
				s := wiretest.Decode(c, strings.NewReader(before+fmt.Sprintf(streamedError[c.Name()], quoteText(words))))
				e, ok := s.Err.(*callwright.Error)
				if !ok {
					e = &callwright.Error{}
				}
				got[where] = e
			}
			for where, e := range got {
				if e.Kind != callwright.KindRefusedCall || e.Feature != feature.Parser && e.Recovered == "" {
					t.Errorf("%s, %s, %q: %s %q", c.Name(), where, words, e.Kind, e.Feature)
				}
			}
		}
	}
}

// Words that are no parser's of calls stay what they are: a page in place of JSON, a role that a provider does not take, and refusals of the request.
func TestWordsThatAreNoParsers(t *testing.T) {
	for _, c := range codecs.All() {
		for _, words := range []string{
			"invalid character '<' looking for beginning of value", "Unknown role: developer", "invalid argument: temperature", "Invalid tool call arguments format in the request",
			"json: cannot unmarshal string into Go struct field ChatRequest.messages of type []api.Message",
		} {
			for _, status := range []int{400, 500} {
				if e := c.DecodeError(status, http.Header{}, []byte(shapes[c.Name()](status, words, ""))); e.Feature == feature.Parser {
					t.Errorf("%s, %d, %q: %s %q", c.Name(), status, words, e.Kind, e.Feature)
				}
			}
		}
	}
}
