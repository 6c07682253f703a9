package anthropic_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/anthropic"
)

// A model with a thinking budget refuses to go on from calls that it made without thinking: when another model made them,
// it goes on without the budget.
func TestThinkingOfAnotherModel(t *testing.T) {
	const budget = `"thinking":{"type":"enabled","budget_tokens":1024}`
	body := func(thinking, blocks, results string) *callwright.Request {
		req, err := anthropic.Codec{}.DecodeRequest([]byte(`{"model":"m","max_tokens":4096,` + thinking + `,"messages":[{"role":"user","content":"a"},` +
			`{"role":"assistant","content":[` + blocks + `{"type":"tool_use","id":"i","name":"f","input":{}}]},{"role":"user","content":` + results + `}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return req
	}
	last := `[{"type":"tool_result","tool_use_id":"i","content":"1"}]`
	theirs := `{"type":"thinking","thinking":"h","signature":"` + wire.Pack(callwright.Reasoning{Origin: callwright.Origin{Wire: callwright.WireOpenAI}}) + `"},`
	own := `{"type":"thinking","thinking":"h","signature":"` + wire.Pack(callwright.Reasoning{Signature: "s", Origin: callwright.Origin{Wire: callwright.WireAnthropic}}) + `"},`
	built := &callwright.Request{Params: callwright.Params{MaxTokens: "4096", Thinking: callwright.Thinking{Budget: "1024"}}, Messages: []callwright.Message{
		say(callwright.RoleUser, "a"), parts(callwright.RoleAssistant, call("i", "f", `{}`)), result("i", callwright.Text{Text: "1"}),
	}}
	for _, c := range []struct {
		name string
		req  *callwright.Request
		want string
		note bool
	}{
		{"carried by the client", body(budget, theirs, last), `"thinking":{"type":"disabled"}`, true},
		{"built for another API", built, `"thinking":{"type":"disabled"}`, true},
		{"its own", body(budget, own, last), budget, false},
		{"not asked for", body(`"stream":true`, theirs, last), `"stream":true`, false},
		{"adaptive", body(`"thinking":{"type":"adaptive"}`, theirs, last), `"thinking":{"type":"adaptive"}`, false},
		{"the client's own way", body(budget, "", last), budget, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, notes, err := anthropic.Codec{}.EncodeRequest(c.req, "m", caps.Caps{})
			if err != nil || !bytes.Contains(out, []byte(c.want)) || strings.Count(string(out), `"thinking":{`) > 1 {
				t.Errorf("expected %s, got %s (%v)", c.want, out, err)
			}
			noted := false
			for _, n := range notes {
				noted = noted || n.Rule == "params.thinking"
			}
			if noted != c.note {
				t.Errorf("expected a note %t, got %+v", c.note, notes)
			}
		})
	}
}
