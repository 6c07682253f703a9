package openai_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/openai"
)

// Calls of the history that come without their type, as clients of Mistral's API send them, get it. All other messages keep their bytes.
func TestCallsWithoutType(t *testing.T) {
	const ask, result = `{"role":"user","content" : "Hi"}`, `{"role":"tool","tool_call_id":"a", "content":"3"}`
	for name, c := range map[string]struct{ call, want string }{
		"without":          {`{"id":"a","function":{"name":"f","arguments":"{ }"}}`, `{"id":"a","type":"function","function":{"name":"f","arguments":"{ }"}}`},
		"null":             {`{"id":"a","type":null,"function":{"name":"f","arguments":"{ }"}}`, `{"id":"a","type":"function","function":{"name":"f","arguments":"{ }"}}`},
		"custom":           {`{"id":"a","custom":{"name":"f","input":"x"}}`, `{"id":"a","type":"custom","custom":{"name":"f","input":"x"}}`},
		"with more inside": {`{"index":0,"id":"a","function":{"name":"f","arguments":"{}","x":1},"y":2}`, `"y":2`},
		"typed":            {`{"id":"a", "type":"function","function":{"name":"f","arguments":"{ }"}}`, ""},
	} {
		body := `{"model":"m","messages":[` + ask + `,{"role":"assistant","content":null,"tool_calls":[` + c.call + `]},` + result + `]}`
		req, err := openai.Codec{}.DecodeRequest([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		sent, notes, err := openai.Codec{}.EncodeRequest(req, "m", caps.Caps{})
		if err != nil {
			t.Fatal(err)
		}
		noted := false
		for _, n := range notes {
			noted = noted || n.Rule == "history.call_type"
		}
		typed := c.want == ""
		if typed && string(sent) != body || !strings.Contains(string(sent), c.want) || noted == typed {
			t.Errorf("%s: %s with %v", name, sent, notes)
		}
		if !typed && (!strings.Contains(string(sent), `"type":"`) || !strings.Contains(string(sent), ask) || !strings.Contains(string(sent), result)) {
			t.Errorf("%s: %s", name, sent)
		}
	}
}
