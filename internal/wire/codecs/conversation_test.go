package codecs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/google/go-cmp/cmp"
)

// A conversation is known by its shape, as the body of a request or as the list alone.
func TestDetectConversation(t *testing.T) {
	for text, want := range map[string]callwright.WireName{
		`[{"role":"user","content":"hi"}]`: callwright.WireOpenAI,
		` [{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}]`:          callwright.WireOpenAI,
		`[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{}}}]}]`:                      callwright.WireOllama,
		`[{"role":"user","content":"look","images":["aGk="]}]`:                                                callwright.WireOllama,
		`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}]`:                              callwright.WireAnthropic,
		`[{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"}]}]`:              callwright.WireAnthropic,
		`[{"role":"user","parts":[{"text":"hi"}]}]`:                                                           callwright.WireGemini,
		`[{"role":"user","content":"hi"},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]`: callwright.WireResponses,
		`[{"role":"user","content":[{"type":"input_text","text":"hi"}]}]`:                                     callwright.WireResponses,
		`{"contents":[{"parts":[{"text":"hi"}]}]}`:                                                            callwright.WireGemini,
		`[`: callwright.WireOpenAI,
	} {
		if got := codecs.DetectConversation([]byte(text)); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// placeCases have the places of all parts, of each message in turn.
var placeCases = map[callwright.WireName]struct{ text, places string }{
	callwright.WireOpenAI: {`{"model":"m","messages":[{"role":"system","content":"S"},{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},
		{"role":"assistant","content":"c","reasoning_content":"r","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"2","type":"function","function":{"name":"f","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"1","content":"3"}]}`,
		`/messages/0/content | /messages/1/content/0 /messages/1/content/1 | /messages/2/reasoning_content /messages/2/content /messages/2/tool_calls/0 /messages/2/tool_calls/1 | /messages/3`},
	callwright.WireResponses: {`{"instructions":"S","input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e"},
		{"role":"assistant","content":[{"type":"output_text","text":"b"}]},{"type":"function_call","call_id":"1","name":"f","arguments":"{}"},{"type":"function_call","call_id":"2","name":"f","arguments":"{}"},
		{"type":"function_call_output","call_id":"1","output":"3"},{"type":"function_call_output","call_id":"2","output":"4"}]}`,
		`/instructions | /input/0/content | /input/1 /input/2/content/0 /input/3 /input/4 | /input/5 | /input/6`},
	callwright.WireAnthropic: {`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"r","signature":"s"},{"type":"tool_use","id":"1","name":"f","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"3"},{"type":"text","text":"b"}]}],"system":[{"type":"text","text":"S"},{"type":"text","text":"T"}]}`,
		`/system/0 /system/1 | /messages/0/content | /messages/1/content/0 /messages/1/content/1 | /messages/2/content/0 /messages/2/content/1`},
	callwright.WireGemini: {`{"systemInstruction":{"parts":[{"text":"S"}]},"contents":[{"role":"user","parts":[{"text":"a"}]},
		{"role":"model","parts":[{"text":"r","thought":true},{"text":"b"},{"functionCall":{"name":"f","args":{}},"thoughtSignature":"s"}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]}]}`,
		`/systemInstruction/parts/0 | /contents/0/parts/0 | /contents/1/parts/0 /contents/1/parts/1 /contents/1/parts/2 | /contents/2/parts/0`},
	callwright.WireOllama: {`{"messages":[{"role":"user","content":"a","images":["aGk=","aGk="]},{"role":"assistant","content":"","thinking":"r","tool_calls":[{"function":{"name":"f","arguments":{}}}]},
		{"role":"tool","tool_name":"f","content":"3"}]}`,
		`/messages/0/content /messages/0/images/0 /messages/0/images/1 | /messages/1/thinking /messages/1/tool_calls/0 | /messages/2`},
}

// Every part of a conversation has its place in what was read.
func TestPlaces(t *testing.T) {
	for name, c := range placeCases {
		t.Run(string(name), func(t *testing.T) {
			saved, err := codecs.ReadConversation([]byte(c.text), name)
			if err != nil {
				t.Fatal(err)
			}
			history, err := saved.Request.History()
			if err != nil {
				t.Fatal(err)
			}
			var messages []string
			for i, m := range history {
				var places []string
				for k := range m.Parts {
					places = append(places, saved.Place(i, k))
				}
				messages = append(messages, strings.Join(places, " "))
			}
			if d := cmp.Diff(strings.Split(c.places, " | "), messages); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			for i, want := range messages {
				first, _, _ := strings.Cut(want, " ")
				if got := saved.Place(i, -1); !strings.HasPrefix(first, got) || got == "" {
					t.Errorf("message %d stands at %s, its first part at %s", i, got, first)
				}
			}
		})
	}
}

// What was read is given back as it was, with or without a model.
func TestLike(t *testing.T) {
	for _, text := range []string{` [ {"role":"user","content":"hi"} ] `, `{"messages":[{"role":"user","content":"hi"}] }`, `{"model":"m", "messages":[{"role":"user","content":"hi"}]}`} {
		saved, err := codecs.ReadConversation([]byte(text), "")
		if err != nil {
			t.Fatal(err)
		}
		body := slices.Clone(companion.Of(saved.Request).Body.Bytes())
		if got := string(saved.Like(body, saved.Wire())); got != text {
			t.Errorf("got %s, want %s", got, text)
		}
	}
}
