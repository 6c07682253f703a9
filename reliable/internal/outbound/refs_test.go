package outbound_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/schema"
)

// The document that conveys tools as its schema takes what each tool's schema takes, wherever that refers to.
func TestDocumentKeepsReferences(t *testing.T) {
	for name, tc := range map[string]struct{ schema, good, bad string }{
		"definitions":          {`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"required":["a"],"$defs":{"x":{"type":"integer"}}}`, `{"a":1}`, `{"a":"1"}`},
		"older definitions":    {`{"type":"object","properties":{"a":{"$ref":"#/definitions/x"}},"definitions":{"x":{"type":"integer"}}}`, `{"a":1}`, `{"a":"1"}`},
		"one through another":  {`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"type":"integer"}}}`, `{"a":1}`, `{"a":"1"}`},
		"the schema itself":    {`{"type":"object","properties":{"n":{"type":"integer"},"next":{"$ref":"#"}}}`, `{"n":1,"next":{"n":2}}`, `{"next":{"n":"2"}}`},
		"a property":           {`{"type":"object","properties":{"a":{"type":"integer"},"b":{"$ref":"#/properties/a"}}}`, `{"b":1}`, `{"b":"1"}`},
		"an alternative":       {`{"type":"object","properties":{"a":{"anyOf":[{"type":"integer"},{"type":"null"}]},"b":{"$ref":"#/properties/a/anyOf/0"}}}`, `{"b":1}`, `{"b":null}`},
		"an escaped name":      {`{"type":"object","properties":{"a":{"$ref":"#/$defs/x~1y"}},"$defs":{"x/y":{"type":"integer"}}}`, `{"a":1}`, `{"a":"1"}`},
		"one that recurs":      {`{"type":"object","properties":{"t":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"c":{"type":"array","items":{"$ref":"#/$defs/n"}}},"additionalProperties":false}}}`, `{"t":{"c":[{"c":[]}]}}`, `{"t":{"c":[{"d":1}]}}`},
		"nothing there":        {`{"type":"object","properties":{"a":{"$ref":"#/$defs/none"},"b":{"type":"integer"}}}`, `{"a":[],"b":1}`, `{"b":"1"}`},
		"elsewhere":            {`{"type":"object","properties":{"a":{"$ref":"https://example.com/s.json"},"b":{"type":"integer"}}}`, `{"a":[],"b":1}`, `{"b":"1"}`},
		"a reference as data":  {`{"type":"object","properties":{"a":{"enum":[{"$ref":"#/x"}]}}}`, `{"a":{"$ref":"#/x"}}`, `{"a":{"$ref":"#/$defs/t1_x"}}`},
		"no reference":         {`{"type":"object","properties":{"a":{"type":"integer"}}}`, `{"a":1}`, `{"a":"1"}`},
		"a property by a name": {`{"type":"object","properties":{"$ref":{"type":"integer"}}}`, `{"$ref":1}`, `{"$ref":"1"}`},
	} {
		t.Run(name, func(t *testing.T) {
			req := &callwright.Request{Model: "m", Messages: []callwright.Message{callwright.UserText("hi")}, Tools: []callwright.Tool{
				{Name: "other", Schema: []byte(`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string"}}}`)}, {Name: "f", Schema: []byte(tc.schema)},
			}}
			document := shape(t, req, outbound.Receiver{Mode: caps.JSONSchema}).Request.Params.Format.Schema
			if err := jsonx.Valid(document); err != nil {
				t.Fatalf("%v: %s", err, document)
			}
			s, err := schema.Compile(document)
			if err != nil {
				t.Fatalf("%v: %s", err, document)
			}
			if u := s.UncheckedParts(); len(u) > 0 {
				t.Errorf("not all of the document can be checked: %v: %s", u, document)
			}
			for args, fits := range map[string]bool{tc.good: true, tc.bad: false} {
				doc := []byte(`{"toolCalls":[{"name":"f","arguments":` + args + `}]}`)
				if got := s.Validate(doc); (got == nil) != fits {
					t.Errorf("%s: %v, by %s", doc, got, document)
				}
			}
		})
	}
}

// Neither an empty document nor thoughts alone satisfy the schema.
func TestDocumentNeedsAnAnswer(t *testing.T) {
	req := &callwright.Request{Model: "m", Messages: []callwright.Message{callwright.UserText("hi")}, Tools: []callwright.Tool{{Name: "f"}}}
	for _, forced := range []bool{false, true} {
		if forced {
			req.Params.Choice.Mode = callwright.ChoiceRequired
		}
		s, err := schema.Compile(shape(t, req, outbound.Receiver{Mode: caps.JSONSchema}).Request.Params.Format.Schema)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range []string{`{}`, `{"scratchpad":"hm"}`, `{"toolCalls":[]}`} {
			if s.Validate([]byte(doc)) == nil {
				t.Errorf("%s passes", doc)
			}
		}
	}
}

// Texts of one result are joined by a newline, also where results are written as text.
func TestTextsOfAResultAreJoined(t *testing.T) {
	two := []callwright.Part{callwright.Text{Text: "12"}, callwright.Text{Text: "34"}}
	if got := (callwright.Result{Parts: two}).Text(); got != "12\n34" {
		t.Errorf("got %q", got)
	}
	for _, id := range []string{"a", "none"} {
		req := &callwright.Request{Model: "m", Tools: []callwright.Tool{{Name: "f"}}, Messages: []callwright.Message{callwright.UserText("hi"),
			{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: "a", Name: "f", Arguments: []byte(`{}`)}}},
			{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: id, Parts: two}}}}}
		sent := ""
		for _, m := range shape(t, req, outbound.Receiver{Mode: caps.Text, Dialect: "hermes"}).Request.Messages {
			sent += callwright.TextOf(m.Parts)
		}
		if !strings.Contains(strings.ReplaceAll(sent, `\n`, "\n"), "12\n34") {
			t.Errorf("the texts are not joined by a newline: %s", sent)
		}
	}
}
