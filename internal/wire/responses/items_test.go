package responses_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/openai"
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

// The texts of a result are one text, which servers take that speak the API in part; beside an image they stay a list.
func TestTextsOfAnOutput(t *testing.T) {
	result := func(parts ...callwright.Part) *callwright.Request {
		call := callwright.Call{ID: "c1", Name: "f", Arguments: []byte(`{}`)}
		return &callwright.Request{Messages: []callwright.Message{callwright.UserText("Tide?"), {Role: callwright.RoleAssistant, Parts: []callwright.Part{call}},
			{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "c1", Name: "f", Parts: parts}}}}}
	}
	low, high := callwright.Text{Text: "low at six"}, callwright.Text{Text: "high at noon"}
	for want, req := range map[string]*callwright.Request{
		`"output":"low at six"`:               result(low),
		`"output":"low at six\nhigh at noon"`: result(low, high),
		`"output":[{"type":"input_text","text":"low at six"},{"type":"input_image"`: result(low, callwright.Image{MediaType: "image/png", Data: "iVBORw0KGgo"}),
	} {
		if got, _ := encode(t, req, caps.Caps{ResultImages: caps.Yes}); !strings.Contains(got, want) {
			t.Errorf("expected %s in %s", want, got)
		}
	}
}
