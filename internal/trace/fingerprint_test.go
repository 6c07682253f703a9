package trace_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/trace"
)

// TestFingerprint: it changes with what decides an answer, and with nothing else.
func TestFingerprint(t *testing.T) {
	// talk is a conversation with two calls and their results.
	talk := func(call1, call2, result1, result2 string) *callwright.Request {
		r := ask()
		r.Messages = append(r.Messages,
			callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: call1}, callwright.Call{ID: call2}}},
			callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: result1}, callwright.Result{CallID: result2}}})
		return r
	}
	base := fingerprint(t, talk("a", "b", "a", "b"))
	for name, c := range map[string]struct {
		same   bool
		change func(*callwright.Request)
	}{
		"nothing": {true, func(*callwright.Request) {}},
		"stream":  {true, func(r *callwright.Request) { r.Params.Stream = true }},
		"owner": {true, func(r *callwright.Request) {
			r.Cache = "auto"
			companion.Change(r, func(c *companion.Companion) { c.Owner, c.ReportID = "o", "r" })
		}},
		"other ids":   {true, func(r *callwright.Request) { *r = *talk("x", "y", "x", "y") }},
		"crossed ids": {false, func(r *callwright.Request) { *r = *talk("a", "b", "b", "a") }},
		"equal ids":   {false, func(r *callwright.Request) { *r = *talk("a", "a", "a", "a") }},
		"no id":       {false, func(r *callwright.Request) { *r = *talk("a", "", "a", "") }},
		"seed":        {false, func(r *callwright.Request) { r.Params.Seed = "1" }},
		"extra":       {false, func(r *callwright.Request) { r.Extra.JSON = []byte(`{"a":1}`) }},
		"edits": {false, func(r *callwright.Request) {
			companion.Change(r, func(c *companion.Companion) { c.Edits = []callwright.Edit{{Path: []string{"a"}}} })
		}},
		"tools": {false, func(r *callwright.Request) { r.Tools = nil }},
	} {
		r := talk("a", "b", "a", "b")
		c.change(r)
		if got := fingerprint(t, r); (got == base) != c.same {
			t.Errorf("%s: %s, %s", name, base, got)
		}
	}
	if _, err := trace.Fingerprint(&callwright.Request{Messages: []callwright.Message{{}}}); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("a message without a role: %v", err)
	}
}

func fingerprint(t *testing.T, r *callwright.Request) string {
	t.Helper()
	f, err := trace.Fingerprint(r)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
