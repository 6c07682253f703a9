package reliable_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
)

// A verdict gives the message that asks the model again: what is wrong with the call, as its result where there can be one.
func TestAgain(t *testing.T) {
	tool := callwright.Tool{Name: "book", Schema: json.RawMessage(`{"type":"object","properties":{"days":{"type":"integer"}},"required":["days"]}`)}
	const wrong = "The call of book was not executed:\n- the arguments: want the member \"days\" (integer), got none\nWrite the call again, complete and corrected."
	for id, want := range map[string]callwright.Message{
		"c1": {Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "c1", Name: "book", IsError: true, Parts: []callwright.Part{callwright.Text{Text: wrong}}}}},
		"":   callwright.UserText(wrong),
	} {
		v, err := reliable.Validate(callwright.Call{ID: id, Name: "book", Arguments: json.RawMessage(`{}`)}, []callwright.Tool{tool}, reliable.ValidateOptions{})
		if err != nil || v.OK {
			t.Fatalf("%+v, %v", v, err)
		}
		if d := cmp.Diff(want, reliable.CorrectionMessage(v)); d != "" {
			t.Errorf("id %q (-want +got)\n%s", id, d)
		}
	}
	v, err := reliable.Validate(callwright.Call{ID: "c1", Name: "book", Arguments: json.RawMessage(`{"days":3}`)}, []callwright.Tool{tool}, reliable.ValidateOptions{})
	if err != nil || !v.OK || reliable.CorrectionMessage(v).Parts != nil {
		t.Errorf("a good call: %+v, %v", v, err)
	}
}
