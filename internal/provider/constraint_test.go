package provider_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/constraint"
)

// TestConstraints: how the constraint of a request is sent, and when it is not.
func TestConstraints(t *testing.T) {
	tools := []callwright.Tool{{Name: "get_weather", Schema: json.RawMessage(`{"type":"object"}`)}}
	tag := `{"type":"structural_tag","format":{}}`
	for name, c := range map[string]struct {
		provider   string
		constraint *constraint.Constraint
		tools      []callwright.Tool
		extra      string
		want       []string // of the body
		without    []string
	}{
		"a grammar":               {"llamacpp", &constraint.Constraint{API: constraint.APIGrammar, Text: `root ::= "a"`}, nil, "", []string{`"grammar":"root ::= \"a\""`}, []string{"tool_choice"}},
		"a grammar beside tools":  {"llamacpp", &constraint.Constraint{API: constraint.APIGrammar, Text: "root ::= [a]"}, tools, "", []string{`"grammar":"root ::= [a]"`, `"tool_choice":"none"`, `"get_weather"`}, nil},
		"a grammar of a document": {"llamacpp", &constraint.Constraint{API: constraint.APIGrammar, Text: "root ::= [a]"}, nil, "", []string{`"grammar":"root ::= [a]"`}, []string{"response_format"}},
		"a structural tag":        {"vllm", &constraint.Constraint{API: constraint.APIStructuralTag, Text: tag}, tools, "", []string{`"response_format":` + tag}, []string{"grammar", "tool_choice"}},
		"earlier structures":      {"sglang", &constraint.Constraint{API: constraint.APIStructures, Text: tag}, nil, "", []string{`"response_format":` + tag}, []string{"grammar"}},
		"none":                    {"llamacpp", nil, tools, "", nil, []string{"grammar", "tool_choice"}},
		"the client has its own":  {"llamacpp", &constraint.Constraint{API: constraint.APIGrammar, Text: "root ::= [a]"}, nil, `{"grammar":"root ::= [b]"}`, []string{"[b]"}, []string{"[a]"}},
		"another API":             {"anthropic", &constraint.Constraint{API: constraint.APIGrammar, Text: "root ::= [a]"}, nil, "", nil, []string{"grammar"}},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := scripted(t, c.provider, good)
			req := ask()
			if req.Tools = c.tools; name == "a grammar of a document" {
				req.Params.Format = &callwright.AnswerFormat{}
			}
			if c.extra != "" {
				req.Extra = callwright.Extra{Wire: callwright.WireOpenAI, JSON: json.RawMessage(c.extra)}
			}
			companion.Change(req, func(com *companion.Companion) { com.Constraint = c.constraint })
			sent, err := m.Preview(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range c.want {
				if !strings.Contains(string(sent.Body), text) {
					t.Errorf("%s is not in %s", text, sent.Body)
				}
			}
			for _, text := range c.without {
				if strings.Contains(string(sent.Body), text) {
					t.Errorf("%s is in %s", text, sent.Body)
				}
			}
			noted := false
			for _, n := range sent.Notes {
				noted = noted || n.Rule == "tools.constrained"
			}
			if noted != (c.constraint != nil && c.extra == "" && c.provider != "anthropic") {
				t.Errorf("notes %+v", sent.Notes)
			}
		})
	}
}
