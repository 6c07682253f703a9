package vault_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/vault"
)

// State is put back whatever a client drops of it: by arguments that it quoted once more, and to each call that came without its own
// where others kept theirs.
func TestRestoreWhatClientsDrop(t *testing.T) {
	origin := callwright.Origin{Wire: callwright.WireGemini}
	call := func(id, args, signature string) callwright.Call {
		return callwright.Call{ID: id, Name: "look", Arguments: []byte(args), Signature: signature, Origin: origin}
	}
	one, two := call("a", `{"n":1}`, "c2lnMQ=="), call("b", `{"n":2}`, "c2lnMg==")
	for name, c := range map[string]struct{ back []callwright.Part }{
		"both as they were, without state": {[]callwright.Part{call("a", `{"n":1}`, ""), call("b", `{"n":2}`, "")}},
		"arguments quoted twice":           {[]callwright.Part{call("a", `"{\"n\":1}"`, ""), call("b", `{ "n" : 2 }`, "")}},
		"the first one kept":               {[]callwright.Part{one, call("b", `{"n":2}`, "")}},
	} {
		t.Run(name, func(t *testing.T) {
			v := vault.NewMemory(nil, vault.Limits{})
			req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("q")}}
			r := vault.NewRecorder(t.Context(), v, req)
			r.Begin("lab/m", caps.HistoryRules{})
			for _, ev := range []callwright.Event{callwright.CallEnd{Index: 0, Call: &one}, callwright.CallEnd{Index: 1, Call: &two}, callwright.End{}} {
				r.Record(ev)
			}
			next := &callwright.Request{Messages: append(req.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: c.back},
				callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "a"}, callwright.Result{CallID: "b"}}})}
			if _, err := vault.Restore(t.Context(), v, next, next.Summaries(), "lab/m", caps.HistoryRules{}); err != nil {
				t.Fatal(err)
			}
			for i, c := range callwright.CallsOf(next.Messages[1].Parts) {
				if want := []string{one.Signature, two.Signature}[i]; c.Signature != want {
					t.Errorf("call %d has the state %q, not %q", i, c.Signature, want)
				}
			}
		})
	}
}
