package reliable_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
)

// What a provider says that its model wrote, when it refuses it, is read like an answer in each of the forms that it has: calls are
// made, and what is a sentence of the provider's own is no answer of the model.
func TestRefusedGenerationsAreRead(t *testing.T) {
	for name, c := range map[string]struct {
		recovered string
		calls     int
		answer    string
	}{
		"a tag without its beginning": {`get_weather>{"city": "Oslo"}</function>`, 1, ""},
		"the name and its arguments":  {`get_weather{"city": "Oslo"}</function>`, 1, ""},
		"a tag":                       {`<function=get_weather>{"city": "Oslo"}</function>`, 1, ""},
		"a fence with members":        {"```\n" + `{"tool_calls":[{"id":"call_x","type":"function","function":{"name":"get_weather"},"parameters":{"city":"Oslo"}}]}` + "\n```", 1, ""},
		"a fence of the API's":        {"```\n" + `{"tool_calls":[{"id":"call_x","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}` + "\n```", 1, ""},
		"a text":                      {"I would have to look at a forecast.", 0, "I would have to look at a forecast."},
	} {
		for way, deliver := range deliveries {
			t.Run(name+"/"+way, func(t *testing.T) {
				refused := &callwright.Error{Kind: callwright.KindRefusedCall, Status: 400, Message: "Failed to call a function.", Recovered: c.recovered}
				m := &scripted{name: "lab/m", answers: []any{refused}}
				resp, err := deliver(reliable.New(m, reliable.WithOneMode(), reliable.WithMaxCorrections(0)), ask(callwright.Choice{}))
				if err != nil || len(resp.Calls()) != c.calls || strings.TrimSpace(resp.Text()) != c.answer {
					t.Fatalf("%v, %+v", err, resp)
				}
				if c.calls == 1 && string(resp.Calls()[0].Arguments) != oslo && string(resp.Calls()[0].Arguments) != `{"city": "Oslo"}` {
					t.Errorf("got %s", resp.Calls()[0].Arguments)
				}
			})
		}
	}
}
