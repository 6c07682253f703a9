package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// reserved are the members of a request that are the client's, or that the answer is judged by, as the wires name them; a configuration
// that set them would exchange the model, the conversation or the tools behind the client's back. Of some a part is reserved alone.
var reserved = [][]string{
	{"model"}, {"messages"}, {"tools"}, {"tool_choice"}, {"response_format"}, {"functions"}, {"function_call"}, {"stream"}, // openai
	{"input"}, {"instructions"}, {"previous_response_id"}, {"conversation"}, {"text", "format"}, // responses
	{"system"}, {"output_format"}, {"output_config", "format"}, // anthropic
	{"contents"}, {"systemInstruction"}, {"system_instruction"}, {"toolConfig"}, {"tool_config"}, // gemini
	{"generationConfig", "responseMimeType"}, {"generationConfig", "responseSchema"}, {"generationConfig", "responseJsonSchema"},
	{"generationConfig", "response_mime_type"}, {"generationConfig", "response_schema"}, {"generationConfig", "response_json_schema"},
	{"generation_config", "responseMimeType"}, {"generation_config", "responseSchema"}, {"generation_config", "responseJsonSchema"},
	{"generation_config", "response_mime_type"}, {"generation_config", "response_schema"}, {"generation_config", "response_json_schema"},
	{"format"}, // ollama
}

// checkReserved returns why the member at a path below a key may not be set to that value, nil for none that removes it; nil where it may.
func checkReserved(key string, path []string, value []byte) error {
	for _, r := range reserved {
		n := min(len(r), len(path))
		if !slices.Equal(r[:n], path[:n]) {
			continue
		}
		if _, inside := jsonx.Lookup(value, r[n:]...); len(path) < len(r) && jsonx.KindOf(value) == jsonx.Object && len(value) > 2 && !inside {
			continue // another part of what holds it
		}
		return fmt.Errorf("%s is not for %s to set: it is the client's, and answers are judged by it", strings.Join(r, "."), key)
	}
	return nil
}
