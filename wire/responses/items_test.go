package responses_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/wire/openai"
	"github.com/google/go-cmp/cmp"
)

const withFoundTools = `{"model":"tern","input":[{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"look","parameters":{"type":"object"}}]},{"role":"user","content":"Tide?"}]}`

// Tools inside an item are the model's like any others: where they are conveyed in another way the item goes, and it is no message
// on other wires.
func TestToolsInsideItems(t *testing.T) {
	req := decode(t, withFoundTools)
	if got, rules := encode(t, req, caps.Caps{}); got != withFoundTools || rules != nil {
		t.Errorf("expected the request as it came, got %s %v", got, rules)
	}
	asText := *req
	asText.Tools = []callwright.Tool{}
	got, rules := encode(t, &asText, caps.Caps{})
	if strings.Contains(got, "look") || cmp.Diff([]string{"tools.item"}, rules) != "" {
		t.Errorf("expected no tools, got %s %v", got, rules)
	}
	out, _, err := openai.Codec{}.EncodeRequest(req, "tern", caps.Caps{})
	want := `{"model":"tern","messages":[{"role":"user","content":"Tide?"}],"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object"}}}]}`
	if diff := cmp.Diff(want, string(out)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// Ids of items are left out where the provider refuses them without their reasoning, and kept beside it.
func TestItemIDs(t *testing.T) {
	const bare = `{"model":"tern","input":[{"role":"user","content":"Tide?"},{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"3"}]}`
	refused := caps.Caps{History: caps.HistoryRules{NoItemIDs: true}}
	got, rules := encode(t, decode(t, bare), refused)
	if want := strings.Replace(bare, `"id":"fc_1",`, ``, 1); got != want || cmp.Diff([]string{"history.item_id"}, rules) != "" {
		t.Errorf("expected %s, got %s %v", want, got, rules)
	}
	reasoned := strings.Replace(bare, `{"type":"function_call",`, `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gA"},{"type":"function_call",`, 1)
	if got, _ := encode(t, decode(t, reasoned), refused); got != reasoned {
		t.Errorf("expected the request as it came, got %s", got)
	}
}
