package config_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/simulate"
)

// A loop of calls passes whatever the providers check: a question, a call, its result, an answer and a further question.
func TestLoopsPassTheChecksOfEveryProvider(t *testing.T) {
	user := func(text string) callwright.Message {
		return callwright.Message{Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Text{Text: text}}}
	}
	for _, wire := range []string{"openai", "responses", "anthropic", "gemini", "ollama"} {
		r := registry(t, parse(t, "providers: {sim: {wire: "+wire+"}}"))
		for _, p := range simulate.Profiles() {
			t.Run(wire+"/"+p.Name, func(t *testing.T) {
				model := "sim/" + p.Model()
				client, err := r.Resolve(model)
				if err != nil {
					t.Fatal(err)
				}
				req := weather(model)
				say := func() *callwright.Response {
					resp, err := client.Generate(t.Context(), req)
					if err != nil {
						t.Fatal(err)
					}
					req.Messages = append(req.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: resp.Parts})
					return resp
				}
				for _, city := range []string{"Oslo", "Rome"} {
					calls := say().Calls()
					if len(calls) != 1 || !strings.Contains(string(calls[0].Arguments), city) {
						t.Fatalf("want a call for %s, got %v", city, calls)
					}
					result := callwright.Result{CallID: calls[0].ID, Name: calls[0].Name, Parts: []callwright.Part{callwright.Text{Text: "18 C"}}}
					req.Messages = append(req.Messages, callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{result}})
					if resp := say(); !strings.Contains(resp.Text(), "18 C") {
						t.Fatalf("want the result told, got %q", resp.Text())
					}
					req.Messages = append(req.Messages, user("And what is the weather in Rome?"))
				}
			})
		}
	}
}
