package responses_test

import (
	"bytes"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// TestCallsOfClientTools streams calls that a server makes as functions, to clients that have the tools otherwise.
func TestCallsOfClientTools(t *testing.T) {
	const tools = `{"type":"tool_search","execution":"client","parameters":{"type":"object"}},{"type":"namespace","name":"fs","description":"x","tools":[{"type":"function","name":"read"}]},{"type":"function","name":"ls"}`
	req, err := responses.Codec{}.DecodeRequest([]byte(`{"model":"m","input":"go","tools":[` + tools + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"tool_search": `"type":"tool_search_call"`, "fs__read": `"namespace":"fs"`, "ls": `"type":"function_call"`} {
		t.Run(name, func(t *testing.T) {
			server := responses.Codec{}.NewStreamEncoder(&callwright.Request{})
			call := callwright.Call{ID: "call_1", Name: name, Arguments: []byte(`{"q":1}`)}
			sent := server.Encode(nil, callwright.Batch{Events: []callwright.Event{callwright.Begin{ID: "resp_1"}, callwright.CallBegin{ID: call.ID, Name: name},
				callwright.CallDelta{Text: `{"q":1}`}, callwright.CallEnd{Call: &call}, callwright.End{Finish: callwright.FinishCalls}}})
			e := responses.Codec{}.NewStreamEncoder(req)
			var out []byte
			for _, b := range wiretest.Decode(responses.Codec{}, bytes.NewReader(sent)).Batches {
				out = e.Encode(out, b)
			}
			coherent(t, out)
			if n := bytes.Count(out, []byte(want)); n < 3 {
				t.Errorf("expected %s where the call begins, where it ends and in the whole answer, got\n%s", want, out)
			}
			if again := wiretest.Decode(responses.Codec{}, bytes.NewReader(out)); again.Err != nil || content(again.Events) == "" {
				t.Errorf("expected a sound stream, got %v", again.Err)
			}
			if name == "ls" && !bytes.Equal(out, sent) {
				t.Errorf("expected the bytes of the server\n%s\ngot\n%s", sent, out)
			}
		})
	}
}
