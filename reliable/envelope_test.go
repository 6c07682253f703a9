package reliable_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
	"pgregory.net/rapid"
)

// envelopes are forms of an object that is a call.
var envelopes = []string{
	`{"tool":"NAME","arguments":ARGSMORE}`, `{"name":"NAME","arguments":ARGSMORE}`, `{"name":"NAME","parameters":ARGSMORE}`, `{"action":"NAME","action_input":ARGSMORE}`,
	`{"function":{"name":"NAME","arguments":ARGS}MORE}`, `{"NAME":ARGSMORE}`, `{"tool_calls":[{"name":"NAME","arguments":ARGS}]MORE}`, `{"function_call":{"name":"NAME","arguments":ARGS}MORE}`,
	`{"toolCalls":[{"name":"NAME","arguments":ARGS}]MORE}`, `{"toolCalls":[{"tool":"NAME","args":ARGS}]MORE}`, `{"toolCalls":[{"function":{"name":"NAME","arguments":ARGS}}]MORE}`,
	`{"toolCalls":{"name":"NAME","arguments":ARGS}MORE}`, `{"toolCalls":[{"NAME":ARGS}]MORE}`,
}

// A call is one in every mode, in whichever form of an object it is written, with a scratchpad beside it or not: the model is asked once.
func TestEnvelopes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom([]caps.Mode{caps.Native, caps.Text, caps.JSONSchema, caps.JSONObject, caps.Parsed}).Draw(t, "mode")
		more, thought := "", rapid.SampledFrom([]string{"", "Oslo it is."}).Draw(t, "scratchpad")
		if thought != "" {
			more = `,"scratchpad":"` + thought + `"`
		}
		object := strings.NewReplacer("NAME", "get_weather", "ARGS", oslo, "MORE", more).Replace(rapid.SampledFrom(envelopes).Draw(t, "envelope"))
		if thought != "" && rapid.Bool().Draw(t, "scratchpad first") {
			object = "{" + more[1:] + "," + strings.Replace(object, more, "", 1)[1:]
		}
		m := &scripted{name: "lab/m", answers: []any{text(object)}}
		c := reliable.New(m, reliable.WithModes(mode), reliable.WithOneMode(), reliable.WithMaxCorrections(0))
		resp, err := c.Generate(t.Context(), ask(callwright.Choice{}))
		if rapid.Bool().Draw(t, "streamed") {
			m.asked = nil
			resp, err = callwright.Collect(c.Stream(t.Context(), ask(callwright.Choice{})))
		}
		if err != nil || len(resp.Calls()) != 1 || string(resp.Calls()[0].Arguments) != oslo || resp.Text() != "" {
			t.Fatalf("%s: %s\ngot %v", mode, object, outcome(resp, err))
		}
	})
}

// In the modes of a document, members of the document's own beside a call are read as in the document: a text is the answer's, and a member
// that the tool declares is its argument. An object in the text of the answer is no call.
func TestDocumentBesideCall(t *testing.T) {
	tools := []callwright.Tool{weather[0], {Name: "write", Schema: []byte(`{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}`)}}
	for object, want := range map[string]string{
		`{"tool":"get_weather","arguments":{"city":"Oslo"},"content":"Looking"}`:                            `call get_weather {"city":"Oslo"}|text Looking|finish tool_calls`,
		`{"answer":"Looking","get_weather":{"city":"Oslo"},"needsMoreWork":false}`:                          `call get_weather {"city":"Oslo"}|text Looking|finish tool_calls`,
		`{"scratchpad":"x","tool":"write","path":"a","content":"b"}`:                                        `call write {"path":"a","content":"b"}|finish tool_calls`,
		`{"tool":"write","arguments":{"path":"a","content":"b"},"content":"Done"}`:                          `call write {"path":"a","content":"b"}|text Done|finish tool_calls`,
		`{"answer":"Write {\"tool\":\"get_weather\",\"arguments\":{\"city\":\"Oslo\"}}"}`:                   `text Write {"tool":"get_weather","arguments":{"city":"Oslo"}}|finish stop`,
		`{"answer":"Use <tool_call>{\"name\":\"get_weather\",\"arguments\":{}}</tool_call>.","sources":[]}`: `text Use <tool_call>{"name":"get_weather","arguments":{}}</tool_call>.|finish stop`,
	} {
		for _, mode := range []caps.Mode{caps.JSONSchema, caps.JSONObject} {
			m := &scripted{name: "lab/m", answers: []any{text(object)}}
			req := ask(callwright.Choice{})
			req.Tools = tools
			resp, err := reliable.New(m, reliable.WithModes(mode), reliable.WithOneMode(), reliable.WithMaxCorrections(0)).Generate(t.Context(), req)
			if got := strings.Join(outcome(resp, err), "|"); got != want {
				t.Errorf("%s: %s\nexpected %s\ngot      %s", mode, object, want, got)
			}
		}
	}
}
