package items_test

import (
	"encoding/json"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
	"github.com/google/go-cmp/cmp"
)

func extra(s string) callwright.Extra {
	return callwright.Extra{Wire: callwright.WireResponses, JSON: json.RawMessage(s)}
}

// TestAnswered gives a message whose first text has what its item has beside; one without a text is kept as it is.
func TestAnswered(t *testing.T) {
	got := items.AppendMessage(nil, []byte(`{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"a","annotations":[]},{"type":"refusal","refusal":"no"}]}`))
	want := []callwright.Part{callwright.Text{Text: "a", Extra: extra(`{"annotations":[],"item":{"type":"message","id":"m"}}`)}, callwright.Text{Text: "no", Extra: extra(`{"type":"refusal"}`)}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	const empty = `{"type":"message","id":"m","role":"assistant","content":[]}`
	if d := cmp.Diff([]callwright.Part{callwright.Opaque{Extra: extra(empty)}}, items.AppendMessage(nil, []byte(empty))); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestReasoning keeps a summary only where the text does not say it.
func TestReasoning(t *testing.T) {
	for item, want := range map[string]callwright.Reasoning{
		`{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"s"}]}`: {Text: "s", ID: "r"},
		`{"type":"reasoning","id":"r","summary":[],"encrypted_content":"e"}`:           {ID: "r", Redacted: "e"},
		`{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"s"},{"type":"summary_text","text":"t"}]}`: {Text: "s\n\nt", ID: "r",
			Extra: extra(`{"summary":[{"type":"summary_text","text":"s"},{"type":"summary_text","text":"t"}]}`)},
	} {
		want.Origin = callwright.Origin{Wire: callwright.WireResponses}
		if d := cmp.Diff(want, items.Reasoning([]byte(item))); d != "" {
			t.Errorf("%s (-want +got)\n%s", item, d)
		}
	}
}

// TestCallAndResult reads arguments as text or as they are, and outputs of every kind.
func TestCallAndResult(t *testing.T) {
	for _, arguments := range []string{`"{\"a\":1}"`, `{"a": 1}`} {
		c := items.Call([]byte(`{"type":"function_call","call_id":"c","name":"f","namespace":"ns","arguments":`+arguments+`}`), items.Function)
		if c.ID != "c" || c.Name != "ns__f" || string(c.Arguments) != `{"a":1}` {
			t.Errorf("%s: got %+v", arguments, c)
		}
	}
	for output, want := range map[string]string{`"x"`: "x", `[{"type":"input_text","text":"x"}]`: "x", `{"a":1}`: `{"a":1}`, `null`: ""} {
		r := items.Result([]byte(`{"type":"function_call_output","call_id":"c","output":`+output+`}`), items.Function, []byte(`"c"`))
		if r.CallID != "c" || r.Text() != want {
			t.Errorf("%s: got %+v", output, r)
		}
	}
}
