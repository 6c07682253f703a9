package config_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

const calledOslo = `get_weather {"city":"Oslo"}`

func calls(name, args string) simulate.Script {
	return func(simulate.Seen) simulate.Turn {
		return simulate.Turn{Calls: []simulate.Call{{Name: name, Arguments: args}}}
	}
}

// Items whose reasoning the client has dropped, and outputs that stand apart from their calls, are sent as the API takes them.
func TestFaultF54(t *testing.T) {
	codec, _ := codecs.Of(callwright.WireResponses)
	const call = `{"type":"function_call","id":"fc_sim6_0","call_id":"a","name":"get_weather","arguments":"{}"}`
	const output = `{"type":"function_call_output","call_id":"a","output":"20"}`
	for what, c := range map[string]struct{ profile, items, rule string }{
		"items whose reasoning is gone": {"openai", call + "," + output, "history.item_id"},
		"an output apart from its call": {"deepseek", strings.Replace(call, `"id":"fc_sim6_0",`, "", 1) + `,{"role":"user","content":"Hm?"},` + output, "history.results_first"},
	} {
		t.Run(what, func(t *testing.T) {
			srv := httptest.NewServer(simulate.New(calls("get_weather", overOslo), simulate.Strict(c.profile)))
			t.Cleanup(srv.Close)
			client, err := registry(t, parse(t, "providers: {lab: {wire: responses, base_url: "+srv.URL+"/v1}}")).Resolve("lab/m")
			if err != nil {
				t.Fatal(err)
			}
			req, err := codec.DecodeRequest([]byte(`{"model":"lab/m","store":false,"input":[{"role":"user","content":"And in Rome?"},` + c.items +
				`,{"role":"user","content":"Weather in Oslo?"}],"tools":[{"type":"function","name":"get_weather","strict":false,"parameters":{"type":"object","properties":{"city":{"type":"string"}}}}]}`))
			if err != nil {
				t.Fatal(err)
			}
			resp, err := client.Generate(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Rule == c.rule }) || len(resp.Calls()) != 1 {
				t.Errorf("%d calls, %v", len(resp.Calls()), resp.Report.Notes)
			}
		})
	}
}
