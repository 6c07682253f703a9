package kit_test

import (
	"encoding/json"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Switches of reasoning that another wire has no place for are noted, each by its name; those that Thinking holds are not.
func TestThinkingOfOtherWires(t *testing.T) {
	for name, c := range map[string]struct {
		said  callwright.Thinking
		wire  callwright.WireName
		extra string
		notes []string
		asks  bool
	}{
		"a budget":             {callwright.Thinking{Budget: "1024"}, callwright.WireAnthropic, `{"type":"enabled","budget_tokens":1024}`, nil, false},
		"off":                  {callwright.Thinking{Off: true}, callwright.WireAnthropic, `{"type":"disabled"}`, nil, false},
		"adaptive":             {callwright.Thinking{}, callwright.WireAnthropic, `{"type":"adaptive","display":"omitted"}`, []string{`reasoning type: "adaptive"`, `reasoning display: "omitted"`}, true},
		"adaptive with effort": {callwright.Thinking{Effort: "high"}, callwright.WireAnthropic, `{"type":"adaptive"}`, []string{`reasoning type: "adaptive"`}, false},
		"on":                   {callwright.Thinking{}, callwright.WireOpenAI, `{"reasoning":{"enabled":true}}`, []string{`reasoning reasoning/enabled: true`}, true},
		"kept":                 {callwright.Thinking{}, callwright.WireOpenAI, `{"thinking":{"type":"enabled","clear_thinking":true}}`, []string{`reasoning thinking/type: "enabled"`, `reasoning thinking/clear_thinking: true`}, true},
		"an effort":            {callwright.Thinking{Effort: "low"}, callwright.WireOpenAI, `{"reasoning":{"effort":"low"}}`, nil, false},
		"dynamic":              {callwright.Thinking{}, callwright.WireGemini, `{"thinkingConfig":{"thinkingBudget":-1,"includeThoughts":true}}`, []string{`reasoning thinkingConfig/thinkingBudget: -1`}, true},
		"a level of ollama":    {callwright.Thinking{Effort: "low"}, callwright.WireOllama, `{"think":"low"}`, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			c.said.Extra = callwright.Extra{Wire: c.wire, JSON: json.RawMessage(c.extra)}
			var notes kit.Notes
			notes.OfThinking(c.said, "another")
			if len(notes) != len(c.notes) {
				t.Fatalf("notes %v, want %v", notes, c.notes)
			}
			for i, n := range notes {
				if n.Was != c.notes[i] {
					t.Errorf("note %q, want %q", n.Was, c.notes[i])
				}
			}
			if asks := kit.AsksThinking(c.said); asks != c.asks {
				t.Errorf("asks %t, want %t", asks, c.asks)
			}
			notes = nil
			if notes.OfThinking(c.said, kit.API(c.wire)); len(notes) > 0 {
				t.Errorf("notes for its own wire: %v", notes)
			}
		})
	}
}
