package engines_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/constraint"
	"github.com/callwright/callwright/reliable"
)

// constrainedSchemas have all that is written into grammars.
var constrainedSchemas = []string{
	`{"type":"object"}`,
	`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","minimum":-3,"maximum":1440},"unit":{"enum":["c","f",null]}},"required":["city"]}`,
	`{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"boolean"},"c":{"const":"x\"\\y"},"d":{"type":"string","minLength":2,"maxLength":256},"e":{"type":"string","format":"date-time"},"f":true},"required":["f"]}`,
	`{"type":"object","properties":{"tree":{"$ref":"#/$defs/t"}},"$defs":{"t":{"anyOf":[{"type":"null"},{"type":"object","properties":{"next":{"$ref":"#/$defs/t"}},"additionalProperties":{"type":"integer"}}]}}}`,
	`{"type":"object","properties":{"list":{"type":"array","items":{"type":"string","pattern":"^[a-zé\"\\\\\\]\\[^-]{1,40}(x|[^\\d])*$"},"minItems":1,"maxItems":200},"pair":{"prefixItems":[{"type":"integer"},{"type":"uuid"}],"items":false}}}`,
}

// llama-server makes a grammar of all that is written for it, beside tools and without.
func TestGrammarsAreTaken(t *testing.T) {
	address := strings.TrimSuffix(os.Getenv(llamaVariable), "/")
	if address == "" {
		t.Skip(llamaVariable + " names no server")
	}
	var tools []constraint.Tool
	for i, s := range constrainedSchemas {
		tools = append(tools, constraint.Tool{Name: fmt.Sprintf("tool_%d", i), Schema: []byte(s)})
	}
	asked := 0
	for _, d := range dialect.Formats() {
		f, ok := constraint.FormOf(d)
		if !ok {
			continue
		}
		for _, how := range []constraint.Conditions{{}, {Forced: true}, {Single: true}} {
			grammar, err := constraint.GBNF(f, tools, how)
			if err != nil {
				t.Fatalf("%s: %v", d.Name, err)
			}
			body := map[string]any{"messages": []any{map[string]any{"role": "user", "content": "Hello"}}, "max_tokens": 1, "grammar": grammar}
			if how.Single {
				body["tool_choice"] = "none"
				body["tools"] = []any{map[string]any{"type": "function", "function": map[string]any{"name": "tool_0", "parameters": map[string]any{"type": "object"}}}}
			}
			resp, err := http.Post(address+"/v1/chat/completions", "application/json", inJSON(t, body))
			if err != nil {
				t.Fatal(err)
			}
			answer, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if asked++; resp.StatusCode != http.StatusOK {
				t.Errorf("%s %+v: %d: %s", d.Name, how, resp.StatusCode, bytes.TrimSpace(answer))
			}
		}
	}
	if asked == 0 {
		t.Error("no format has a form")
	}
}

// Calls that the model would break come valid under a constraint: nothing of them is repaired or coerced.
func TestConstrainedConversation(t *testing.T) {
	for _, s := range surfaces {
		if s.variable != llamaVariable || s.path != "/v1" || strings.Contains(s.name, "responses") {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			m := s.open(t, reliable.WithConstraints(caps.Yes), reliable.WithFacts(caps.Fact{Key: "constraint", Value: "gbnf"}))
			for script, broken := range map[string]string{"clean": "", "comma": "json.", "text-for-number": "coerce."} {
				asking := &callwright.Request{Messages: []callwright.Message{callwright.UserText("What is the weather? <|s:" + script + "|>")},
					Tools: []callwright.Tool{{Name: "get_weather", Schema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city","days"]}`)}}}
				asking.Params.Temperature, asking.Params.MaxTokens = "0", "200"
				resp, err := m.Generate(t.Context(), asking)
				if err != nil {
					t.Fatal(err)
				}
				constrained := false
				for _, n := range resp.Report.Notes {
					constrained = constrained || n.Rule == "tools.constrained"
					if broken != "" && strings.HasPrefix(n.Rule, broken) {
						t.Errorf("%s: a call was changed: %+v", script, n)
					}
				}
				calls := resp.Calls()
				if !constrained || len(calls) == 0 || !json.Valid(calls[0].Arguments) {
					t.Errorf("%s: constrained: %v, calls %+v", script, constrained, calls)
				}
			}
		})
	}
}
