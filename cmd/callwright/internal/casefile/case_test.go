package casefile_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/trace"
)

// TestHead: a case has the key and its group, by which call rules and routes go.
func TestHead(t *testing.T) {
	data, err := conversation.MarshalRequest(&callwright.Request{Model: "lab/m", Messages: []callwright.Message{callwright.UserText("Hello.")}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := casefile.FromEntries([]trace.Entry{
		{Kind: trace.KindRequest, ID: "rep_1", Model: "lab/m", Wire: callwright.WireOpenAI, Key: "ada", Group: "team",
			Data: data, Body: []byte(`{"model":"lab/m","messages":[{"role":"user","content":"Hello."}]}`)},
		{Kind: trace.KindError, ID: "rep_1", Failure: &callwright.Error{Kind: callwright.KindOverloaded, Message: "busy"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	again, err := casefile.Parse(c.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	entries, err := again.Entries()
	if err != nil {
		t.Fatal(err)
	}
	if e := entries[0]; e.Key != "ada" || e.Group != "team" {
		t.Errorf("the key is %q, its group %q", e.Key, e.Group)
	}
}
