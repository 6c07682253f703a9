package config_test

import (
	"bytes"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// restricted are requests of each API's clients with a tool that only code may call, and another. APIs without code that calls tools do
// not have the member; clients write it all the same where one definition serves for all.
var restricted = map[callwright.WireName]string{
	callwright.WireAnthropic: `{"model":"m","max_tokens":99,"messages":[{"role":"user","content":"How many?"}],"tools":[{"name":"run_query","input_schema":{"type":"object"},"allowed_callers":["code_execution_20250825"]},{"name":"look","input_schema":{"type":"object"}}]}`,
	callwright.WireResponses: `{"model":"m","input":"How many?","tools":[{"type":"function","name":"run_query","parameters":{"type":"object","properties":{}},"strict":false,"allowed_callers":["programmatic"]},{"type":"function","name":"look","parameters":{"type":"object","properties":{}},"strict":false}]}`,
	callwright.WireOpenAI:    `{"model":"m","messages":[{"role":"user","content":"How many?"}],"tools":[{"type":"function","function":{"name":"run_query","parameters":{"type":"object"},"allowed_callers":["programmatic"]}},{"type":"function","function":{"name":"look"}}]}`,
	callwright.WireGemini:    `{"contents":[{"role":"user","parts":[{"text":"How many?"}]}],"tools":[{"functionDeclarations":[{"name":"run_query","allowed_callers":["programmatic"]},{"name":"look"}]}]}`,
	callwright.WireOllama:    `{"model":"m","messages":[{"role":"user","content":"How many?"}],"tools":[{"type":"function","function":{"name":"run_query","parameters":{"type":"object"}},"allowed_callers":["programmatic"]},{"type":"function","function":{"name":"look","parameters":{"type":"object"}}}]}`,
}

// A tool that only code may call is sent with what says so, or not at all, and a model's own call of it never leaves, whichever APIs the
// client and the receiver speak, in every mode.
func TestCallersAcrossWires(t *testing.T) {
	for from, body := range restricted {
		for _, to := range codecs.All() {
			for _, mode := range []string{"native", "text", "json_schema"} {
				t.Run(string(from)+" to "+string(to.Name())+"/"+mode, func(t *testing.T) {
					asked := 0
					llm := simulate.New(func(simulate.Seen) simulate.Turn {
						if asked++; asked > 1 {
							return simulate.Turn{Text: "I cannot tell."}
						}
						return simulate.Turn{Calls: []simulate.Call{{Name: "run_query", Arguments: "{}"}}}
					})
					srv := httptest.NewServer(llm)
					t.Cleanup(srv.Close)
					client, err := registry(t, parse(t, "providers: {lab: {wire: "+string(to.Name())+", base_url: "+baseOf(to.Name(), srv.URL)+"}}\nmodels: {m: {model: lab/m, mode: "+mode+"}}")).Resolve("m")
					if err != nil {
						t.Fatal(err)
					}
					codec, _ := codecs.Of(from)
					req, err := codec.DecodeRequest([]byte(body))
					if err != nil {
						t.Fatal(err)
					}
					for _, ask := range []func() (*callwright.Response, error){
						func() (*callwright.Response, error) { return client.Generate(t.Context(), req) },
						func() (*callwright.Response, error) { return collect(t, client, req) },
					} {
						asked = 0
						resp, err := ask()
						if err != nil {
							t.Fatal(err)
						}
						if len(resp.Calls()) > 0 || strings.TrimSpace(resp.Text()) == "" {
							t.Errorf("the calls %v left with the text %q", resp.Calls(), resp.Text())
						}
						if !slices.ContainsFunc(resp.Report.Invalid, func(c callwright.InvalidCall) bool { return c.Name == "run_query" }) {
							t.Errorf("invalid: %v", resp.Report.Invalid)
						}
					}
					seen := llm.Requests()[0]
					if kept := bytes.Contains(seen.Body, []byte("allowed_callers")); bytes.Contains(seen.Body, []byte("run_query")) != kept || kept && (from != to.Name() || mode != "native") {
						t.Errorf("sent %s", seen.Body)
					}
				})
			}
		}
	}
}
