package codecs_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
)

func TestDetect(t *testing.T) {
	for body, want := range map[string]callwright.WireName{
		`{"model":"m","messages":[{"role":"user","content":"hi"}]}`:                                                               callwright.WireOpenAI,
		`{"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f"}}]}`:                     callwright.WireOpenAI,
		`{"messages":[{"role":"user","content":"hi"}],"thinking":{"type":"enabled"},"tools":[{"type":"function","function":{}}]}`: callwright.WireOpenAI,
		`{"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}],"thinking":{}}`:    callwright.WireOpenAI,
		`{"messages":[{"role":"user","content":[{"type":"text","text":"tool_use"}]}]}`:                                            callwright.WireOpenAI,
		`{"system":null,"messages":[]}`:                                                                                      callwright.WireOpenAI,
		`{"system":"be brief","messages":[{"role":"user","content":"hi"}]}`:                                                  callwright.WireAnthropic,
		`{"stop_sequences":["x"],"messages":[]}`:                                                                             callwright.WireAnthropic,
		`{"thinking":{"type":"adaptive"},"messages":[{"role":"user","content":"hi"}]}`:                                       callwright.WireAnthropic,
		`{"messages":[],"tools":[{"type":"web_search"},{"name":"f","input_schema":{}}]}`:                                     callwright.WireAnthropic,
		`{"messages":[{"role":"user","content":"hi"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}]}`: callwright.WireAnthropic,
		`{"model":"m","input":"hi"}`:                                                                                         callwright.WireResponses,
		`{"model":"m","previous_response_id":"resp_1"}`:                                                                      callwright.WireResponses,
		`{"contents":[{"parts":[{"text":"hi"}]}],"tools":[{"functionDeclarations":[{"name":"f"}]}]}`:                         callwright.WireGemini,
		`{"generateContentRequest":{"contents":[]}}`:                                                                         callwright.WireGemini,
		`{"messages":[{"role":"user","content":"hi"}],"options":{"temperature":0}}`:                                          callwright.WireOllama,
		`{"messages":[{"role":"user","content":"hi"}],"think":false}`:                                                        callwright.WireOllama,
		`{"messages":[{"role":"user","content":"hi"}],"format":"json"}`:                                                      callwright.WireOllama,
		`{"messages":[{"role":"user","content":"look","images":["aGk="]}]}`:                                                  callwright.WireOllama,
		`{"messages":[{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{}}}]}]}`:           callwright.WireOllama,
		`{"messages":[{"role":"tool","content":"3","tool_name":"f"}],"tools":[{"type":"function","function":{"name":"f"}}]}`: callwright.WireOllama,
		`{"contents":[`: callwright.WireOpenAI,
		`[1]`:           callwright.WireOpenAI,
		``:              callwright.WireOpenAI,
	} {
		if got := codecs.Detect([]byte(body)); got != want {
			t.Errorf("%s: got %s, want %s", body, got, want)
		}
	}
}
