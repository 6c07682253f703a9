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

// A tool whose name cannot be sent is called by the name that it was sent under, with or without the suffix that tells names apart, and by its own: in
// every mode, in the text of a model that was asked natively, and under a choice. The history and the choice have the name as sent. A name
// that can mean two tools means none.
func TestNamesThatCannotBeSent(t *testing.T) {
	for _, c := range []struct {
		first, second string
		unique        bool
	}{
		{"fs:read/file", "other", true}, {"fs/" + strings.Repeat("read_", 16), "other", true}, {"1:read", "other", true}, {"fs:read_file", "fs/read_file", false},
	} {
		tools := []callwright.Tool{{Name: c.first, Schema: weather[0].Schema}, {Name: c.second, Schema: weather[0].Schema}}
		for _, choice := range []callwright.Choice{{}, {Mode: callwright.ChoiceNamed, Names: []string{c.first}}} {
			for _, mode := range []caps.Mode{caps.Native, caps.Text, caps.JSONSchema, caps.JSONObject} {
				req := ask(choice)
				req.Tools = tools
				req.Messages = append(req.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: "x1", Name: c.first, Arguments: []byte(oslo)}}},
					callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "x1", Name: c.first, Parts: []callwright.Part{callwright.Text{Text: "ok"}}}}})
				shaped, err := reliable.Shape(req, caps.Caps{NameMax: 64}, mode, reliable.ShapeOptions{})
				if err != nil {
					t.Fatal(err)
				}
				sentAs := c.first
				for name, declared := range shaped.Names {
					if declared == c.first {
						sentAs = name
					}
				}
				if mode == caps.Native && (len(shaped.Request.Params.Choice.Names) > 0 && shaped.Request.Params.Choice.Names[0] != sentAs || callwright.CallsOf(shaped.Request.Messages[1].Parts)[0].Name != sentAs) {
					t.Errorf("%s: the choice is %v, the history %v", c.first, shaped.Request.Params.Choice, shaped.Request.Messages[1])
				}
				short := sentAs
				if at := strings.LastIndexByte(sentAs, '_'); sentAs != c.first && at == len(sentAs)-9 {
					short = sentAs[:at]
				}
				for written, resolved := range map[string]bool{c.first: true, sentAs: true, short: c.unique || short == c.first} {
					answers := [][]callwright.Event{text(`{"toolCalls":[{"name":"` + written + `","arguments":` + oslo + `}]}`)}
					if mode == caps.Native || mode == caps.Text {
						answers[0] = text(`<tool_call>{"name":"` + written + `","arguments":` + oslo + `}</tool_call>`)
					}
					if mode == caps.Native {
						answers = append(answers, native(written, oslo, callwright.FinishCalls))
					}
					for _, answer := range answers {
						m := &scripted{name: "lab/m", caps: caps.Caps{NameMax: 64}, answers: []any{answer}}
						resp, err := reliable.New(m, reliable.WithModes(mode), reliable.WithOneMode(), reliable.WithMaxCorrections(0)).Generate(t.Context(), req)
						if got := err == nil && len(resp.Calls()) == 1 && resp.Calls()[0].Name == c.first; got != resolved {
							t.Errorf("%s beside %s, %s, choice %s: %s: got %v", c.first, c.second, mode, choice.Mode, written, outcome(resp, err))
						}
					}
				}
			}
		}
	}
}
