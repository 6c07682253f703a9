package arm_test

import (
	"testing"

	"github.com/callwright/callwright/test/live/internal/arm"
)

// A Spec is written as it is read.
func TestParse(t *testing.T) {
	for _, text := range []string{"direct", "direct/stream@ollama", "off", "auto", "auto/stream", "auto/anthropic/stream", "text", "text:qwen3_coder/gemini", "json_schema@ollama", "auto/ollama@ollama", "text/free/words", "native/anthropic/stream/free"} {
		s, err := arm.Parse(text)
		if err != nil || s.String() != text {
			t.Errorf("%s: read as %+v, written %s, %v", text, s, s, err)
		}
	}
	for _, text := range []string{"", "best", "auto:hermes", "auto/", "auto/mcp", "auto@vllm", "direct/gemini", "direct/words", "direct/free"} {
		if s, err := arm.Parse(text); err == nil {
			t.Errorf("%q: read as %+v", text, s)
		}
	}
}

// Words stand for several arms, each of which is there once.
func TestList(t *testing.T) {
	for text, want := range map[string]int{"direct,auto,auto": 2, "modes": 4, "clients": 5, "auto,clients": 5, "streams,auto": 6, "modes,text:hermes": 5} {
		if specs, err := arm.List(text); err != nil || len(specs) != want {
			t.Errorf("%s: %v, %v", text, specs, err)
		}
	}
	specs, err := arm.List("dialects")
	if err != nil || len(specs) < 10 {
		t.Errorf("dialects: %v, %v", specs, err)
	}
	if specs, err := arm.List("auto,,off"); err == nil {
		t.Errorf("an empty name is %v", specs)
	}
}
