package reliable_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
)

// The single steps also accept the sent name of a tool, in text and in corrections.
func TestStepsWithSentNames(t *testing.T) {
	tools := []callwright.Tool{
		{Name: "a.b", Schema: []byte(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)},
		{Name: "a:b", Schema: []byte(`{"type":"object"}`)},
	}
	req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Go.")}, Tools: tools}
	shaped, err := reliable.Shape(req, caps.Caps{NameMax: 64}, caps.Native, reliable.ShapeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sent := shaped.Request.Tools[0].Name
	if shaped.Names[sent] != "a.b" || sent == "a.b" {
		t.Fatalf("sent as %q: %v", sent, shaped.Names)
	}
	text := `<tool_call>{"name":"` + sent + `","arguments":{"n":1}}</tool_call>`
	x, err := reliable.Extract([]callwright.Event{callwright.TextDelta{Text: text}}, tools, reliable.ExtractOptions{Names: shaped.Names})
	if err != nil || len(x.Calls) != 1 || x.Calls[0].Name != "a.b" {
		t.Errorf("got %+v, %v", x, err)
	}
	for _, n := range x.Notes {
		if strings.HasPrefix(n.Rule, "name.") {
			t.Errorf("the name that was sent is noted: %+v", n)
		}
	}
	v, err := reliable.Validate(shaped.Original(callwright.Call{ID: "1", Name: sent, Arguments: []byte(`{"n":"x y"}`)}), tools, reliable.ValidateOptions{})
	if again := shaped.CorrectionMessage(v); err != nil || v.OK || v.Invalid.Name != "a.b" || len(again.Parts) != 1 || !strings.Contains(again.Parts[0].(callwright.Result).Text(), "The call of "+sent+" was not") {
		t.Errorf("got %+v, asked again by %+v, %v", v, again, err)
	}
}
