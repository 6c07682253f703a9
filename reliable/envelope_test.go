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

// The forms of a document that were ever asked for are read, with calls and without, whole and streamed, in the modes of a document.
func TestDocumentForms(t *testing.T) {
	const call = `call get_weather {"city":"Oslo"}|`
	for object, want := range map[string]string{
		`{"toolCalls":[{"name":"get_weather","arguments":{"city":"Oslo"}}]}`:                                 call + "finish tool_calls",
		`{"scratchpad":"x","toolCalls":[{"name":"get_weather","arguments":{"city":"Oslo"}}]}`:                call + "finish tool_calls",
		`{"toolCalls":[{"name":"get_weather","arguments":{"city":"Oslo"}}],"answer":"Here."}`:                call + "text Here.|finish tool_calls",
		`{"scratchpad":null,"toolCalls":[{"name":"get_weather","arguments":{"city":"Oslo"}}],"answer":null}`: call + "finish tool_calls",
		`{"calls":[{"name":"get_weather","arguments":{"city":"Oslo"}}]}`:                                     call + "finish tool_calls",
		`{"tool":"get_weather","arguments":{"city":"Oslo"}}`:                                                 call + "finish tool_calls",
		`{"answer":"Cold."}`:                                    "text Cold.|finish stop",
		`{"toolCalls":[],"answer":"Cold."}`:                     "text Cold.|finish stop",
		`{"scratchpad":"x","toolCalls":[],"answer":"Cold."}`:    "text Cold.|finish stop",
		`{"scratchpad":null,"toolCalls":[],"answer":"Cold."}`:   "text Cold.|finish stop",
		`{"scratchpad":null,"toolCalls":null,"answer":"Cold."}`: "text Cold.|finish stop",
		`{"calls":[],"answer":"Cold."}`:                         "text Cold.|finish stop",
		`{"tool":null,"answer":"Cold."}`:                        "text Cold.|finish stop",
		`{"tool":"none","answer":"Cold."}`:                      "text Cold.|finish stop",
	} {
		for _, mode := range []caps.Mode{caps.JSONSchema, caps.JSONObject} {
			m := &scripted{name: "lab/m", answers: []any{text(object), text(object)}}
			c := reliable.New(m, reliable.WithModes(mode), reliable.WithOneMode(), reliable.WithMaxCorrections(0))
			whole := strings.Join(outcome(c.Generate(t.Context(), ask(callwright.Choice{}))), "|")
			streamed := strings.Join(outcome(callwright.Collect(c.Stream(t.Context(), ask(callwright.Choice{})))), "|")
			if whole != want || streamed != want {
				t.Errorf("%s: %s\nexpected %s\nwhole    %s\nstreamed %s", mode, object, want, whole, streamed)
			}
		}
	}
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
