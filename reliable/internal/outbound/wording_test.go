package outbound_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/prompt"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/schema"
)

// forms are documents by what they say: in each form that a wording asks for, a call, two calls and an answer.
var forms = map[prompt.Form]struct{ call, two, answer string }{
	prompt.ListOfCalls: {`{"toolCalls":[{"name":"f","arguments":{"a":1}}]}`, `{"toolCalls":[{"name":"f","arguments":{"a":1}},{"name":"f","arguments":{"a":2}}]}`, `{"toolCalls":[],"answer":"hi"}`},
	prompt.Either:      {`{"toolCalls":[{"name":"f","arguments":{"a":1}}]}`, `{"toolCalls":[{"name":"f","arguments":{"a":1}},{"name":"f","arguments":{"a":2}}]}`, `{"answer":"hi"}`},
	prompt.ToolFirst:   {`{"tool":"f","arguments":{"a":1}}`, "", `{"tool":null,"answer":"hi"}`},
}

// The schema of a document takes what its wording asks for, and nothing that the request forbids. An example of a declared tool has arguments that it takes.
func TestWordingsOfDocuments(t *testing.T) {
	one := false
	for _, d := range prompt.Documents() {
		for name, c := range map[string]struct {
			params        callwright.Params
			answers, twos bool
		}{
			"free":   {callwright.Params{}, true, true},
			"forced": {callwright.Params{Choice: callwright.Choice{Mode: callwright.ChoiceRequired}}, false, true},
			"single": {callwright.Params{Parallel: &one}, true, false},
		} {
			t.Run(d.Name+" "+name, func(t *testing.T) {
				req := &callwright.Request{Model: "m", Messages: []callwright.Message{callwright.UserText("hi")}, Params: c.params,
					Tools: []callwright.Tool{{Name: "f", Schema: []byte(`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false}`)}}}
				sent := shape(t, req, outbound.Receiver{Mode: caps.JSONSchema, Wording: d.Name}).Request
				s, err := schema.Compile(sent.Params.Format.Schema)
				if err != nil {
					t.Fatal(err)
				}
				form := forms[d.Form]
				cases := map[string]bool{form.call: true, form.answer: c.answers, `{}`: false, `{"scratchpad":"hm"}`: false,
					strings.Replace(form.call, `"a":1`, `"a":"1"`, 1): false, strings.Replace(form.call, `"f"`, `"g"`, 1): false}
				if form.two != "" {
					cases[form.two] = c.twos
				}
				for doc, want := range cases {
					if got := s.Validate([]byte(doc)); (got == nil) != want {
						t.Errorf("%s: %v, by %s", doc, got, sent.Params.Format.Schema)
					}
					thought := `{"scratchpad":"hm",` + doc[1:]
					if got := s.Validate([]byte(thought)); want && (got == nil) != d.Scratchpad {
						t.Errorf("%s: %v, by %s", thought, got, sent.Params.Format.Schema)
					}
				}
				system := callwright.TextOf(sent.Messages[0].Parts)
				if d.Slots == prompt.Declared && !strings.Contains(system, `"arguments": {"a": 1}`) {
					t.Errorf("the prompt has no example of a declared tool: %s", system)
				}
				if says := strings.Contains(system, `"answer"`); says != c.answers {
					t.Errorf("the prompt speaks of an answer: %v\n%s", says, system)
				}
			})
		}
	}
}

// What a request is told of tools depends on the tools, the options and the model: it is the beginning of what a longer conversation is told.
func TestWordingsKeepTheirPrefix(t *testing.T) {
	short := []callwright.Message{{Role: callwright.RoleSystem, Parts: []callwright.Part{callwright.Text{Text: "Be brief."}}}, callwright.UserText("hi")}
	long := append(append([]callwright.Message(nil), short...), callwright.AssistantText("Yes?"), callwright.UserText("Go on."))
	names := []string{""}
	for _, row := range prompt.Texts() {
		names = append(names, row.Name)
	}
	for _, model := range []callwright.ModelID{"lab/qwen2.5", "lab/hermes-3", "lab/gemma-3", "lab/other"} {
		for _, name := range names {
			system := func(messages []callwright.Message) string {
				req := &callwright.Request{Model: model, Messages: messages, Tools: []callwright.Tool{{Name: "f"}, {Name: "g"}}}
				return callwright.TextOf(shape(t, req, outbound.Receiver{ID: model, Mode: caps.Text, Dialect: "hermes", Wording: name}).Request.Messages[0].Parts)
			}
			if was, now := system(short), system(long); was != now || !strings.HasPrefix(was, "Be brief.\n\n") {
				t.Errorf("%s %s: %q became %q", model, name, was, now)
			}
		}
	}
}

// A wording that a mode does not have is refused, and not replaced by the default.
func TestUnknownWordings(t *testing.T) {
	tools := []callwright.Tool{{Name: "f", Schema: []byte(`{"type":"object"}`)}}
	for mode, wording := range map[caps.Mode]string{caps.Text: "list", caps.JSONSchema: "general", caps.JSONObject: "no such wording"} {
		set, err := judge.NewToolset(tools, schema.NewCache(8))
		if err != nil {
			t.Fatal(err)
		}
		f := &outbound.Shaper{Toolset: set, Ledger: &judge.Ledger{Policy: callwright.PolicyHeal}}
		req := &callwright.Request{Model: "m", Messages: []callwright.Message{callwright.UserText("hi")}, Tools: tools}
		to := outbound.Receiver{ID: "m", Mode: mode, Dialect: "hermes", Wording: wording}
		if _, err := f.Shape(t.Context(), req, &to); callwright.KindOf(err) != callwright.KindInvalid || !strings.Contains(err.Error(), wording) {
			t.Errorf("%s, %q: got %v", mode, wording, err)
		}
	}
}
