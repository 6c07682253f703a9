package codecs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A mark goes to the end of what it marks where that is a long text of the body, which is copied as it stands otherwise.
func TestMarksOfLongTexts(t *testing.T) {
	const result = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"f","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","cache_control":{"type":"ephemeral"},"content":%s}]},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`
	long := strings.Repeat("word ", 1000) + "."
	for name, content := range map[string]string{
		"text":   `"` + long + `"`,
		"block":  `[{"type":"text","text":"` + long + `"}]`,
		"blocks": `[{"type":"text","text":"short"},{"type":"text","text":"` + long + `"}]`,
	} {
		req := requestOf(t, callwright.WireAnthropic, fmt.Sprintf(result, content))
		sent, notes, err := codecOf(t, callwright.WireOpenAI).EncodeRequest(req, "m", caps.Caps{CacheControl: caps.Yes})
		if err != nil || len(notes) > 0 || !strings.Contains(string(sent), long+`","cache_control":{"type":"ephemeral"}}`) {
			t.Errorf("%s: expected a mark after the text, got %d of them, notes %v, error %v", name, strings.Count(string(sent), "cache_control"), notes, err)
		}
	}
	req := requestOf(t, callwright.WireOpenAI, `{"model":"m","messages":[{"role":"system","cache_control":{"type":"ephemeral"},"content":"`+long+`"},{"role":"user","content":"b"}]}`)
	sent, notes, err := codecOf(t, callwright.WireAnthropic).EncodeRequest(req, "m", caps.Caps{CacheControl: caps.Yes})
	if err != nil || !strings.Contains(string(sent), long+`","cache_control":{"type":"ephemeral"}}`) {
		t.Errorf("expected a mark after the instructions, got %s, notes %v, error %v", sent[:100], notes, err)
	}
}
