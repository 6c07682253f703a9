package classes_test

import (
	"fmt"
	"testing"
)

// A loop is a conversation that only who runs the tools can mend: an agent, before the provider.
var loops = []struct {
	class, name string
	replies     []reply
	results     []string
	text, stop  string
	most        int  // how often the tool may run
	unnamed     bool // the class is not to be named
}{
	{class: "F12", name: "an announcement in place of a call", replies: replied(answer{text: "I'll check the weather now."}, native("get_weather", oslo), sunny), results: []string{"sunny"}, text: "It is sunny.", stop: "answered", most: 1},
	{class: "F12", name: "an announcement after a result", replies: replied(native("get_weather", oslo), answer{text: "Now let me call get_weather for Rome."}, native("get_weather", rome.args), sunny), results: []string{"sunny"}, text: "It is sunny.", stop: "answered", most: 2},
	{class: "F34", name: "the same call for ever", replies: replied(native("get_weather", oslo)), results: []string{"sunny"}, stop: "loop", most: 6},
	{class: "F34", name: "two calls in turn for ever", replies: inTurn(40, native("get_weather", oslo), native("get_weather", rome.args)), results: []string{"sunny"}, stop: "loop", most: 12},
	{class: "F34", name: "a call whose results change", replies: replied(native("get_weather", oslo), native("get_weather", oslo), native("get_weather", oslo), sunny), results: []string{"waiting 1", "waiting 2", "sunny"}, text: "It is sunny.", stop: "answered", most: 3, unnamed: true},
}

// inTurn repeats answers.
func inTurn(n int, all ...answer) (out []reply) {
	for i := range n {
		out = append(out, reply{answer: all[i%len(all)]})
	}
	return out
}

// The loop of an agent ends right where the provider's answers lead nowhere, and its notes name the class.
func TestLoops(t *testing.T) {
	for _, l := range loops {
		for _, at := range apis {
			t.Run(l.class+" "+l.name+" "+string(at), func(t *testing.T) {
				t.Parallel()
				up := newUpstream(&scene{replies: l.replies})
				defer up.Close()
				base := up.URL
				if at == chat || at == responses {
					base += "/v1"
				}
				got := runAgent(t, fmt.Sprintf("discover: off\nproviders: {lab: {base_url: %q, api_key: x, wire: %s, max_retries: 0}}", base, at), l.results...)
				if got.stop != l.stop || l.text != "" && got.text != l.text || got.ran > l.most || got.faults[l.class] == l.unnamed {
					t.Errorf("ended with %+v", got)
				}
			})
		}
	}
}
