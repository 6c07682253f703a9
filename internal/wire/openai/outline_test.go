package openai_test

import (
	"testing"

	"github.com/callwright/callwright/internal/companion"
	"github.com/google/go-cmp/cmp"
)

// The outline tells which turns still have the opaque state of their model, and every message can be decoded alone.
func TestOutlineOfState(t *testing.T) {
	const call = `"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}`
	req := decode(t, `{"model":"m","messages":[{"role":"user","content":"Hi."},`+
		`{"role":"assistant",`+call+`}]},{"role":"tool","tool_call_id":"c","content":"1"},`+
		`{"role":"assistant","reasoning_content":"Hm.",`+call+`}]},{"role":"tool","tool_call_id":"c","content":"2"},`+
		`{"role":"assistant","reasoning_details":[{"type":"reasoning.encrypted","data":"e"}],`+call+`}]},{"role":"tool","tool_call_id":"c","content":"3"},`+
		`{"role":"assistant",`+call+`,"extra_content":{"google":{"thought_signature":"c2ln"}}}]}]}`)
	var signed, reasoned []int
	for i, turn := range companion.Of(req).Body.Summaries() {
		if turn.Signed {
			signed = append(signed, i)
		}
		if turn.Reasoning {
			reasoned = append(reasoned, i)
		}
	}
	if d := cmp.Diff([]int{5, 7}, signed); d != "" {
		t.Errorf("signed (-want +got)\n%s", d)
	}
	if d := cmp.Diff([]int{3, 5}, reasoned); d != "" {
		t.Errorf("with reasoning (-want +got)\n%s", d)
	}
}
