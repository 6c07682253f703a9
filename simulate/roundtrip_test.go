package simulate_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/simulate"
)

// What a model thought comes back as it was given, or is refused.
func TestThoughtsRoundTripOnAnthropic(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	for form, stream := range streamed {
		c := conversation{model: "strict-anthropic", stream: stream, tools: true, messages: ask(twoCities), members: object{
			"thinking": object{"type": "enabled", "budget_tokens": 1024}, "max_tokens": 4096}}
		got := send(t, base, simulate.Anthropic, c.body(simulate.Anthropic))
		if got.reasoning == "" || got.sign == "" {
			t.Fatalf("%s: want signed thoughts, got %s", form, got)
		}
		for _, tc := range []struct {
			name, text, sign string
			status           int
		}{
			{"as given", got.reasoning, got.sign, http.StatusOK},
			{"changed text", got.reasoning + "!", got.sign, http.StatusBadRequest},
			{"changed signature", got.reasoning, got.sign + "=", http.StatusBadRequest},
		} {
			turns := dresses[simulate.Anthropic].loop(got.calls, "18 C")
			thought := object{"type": "thinking", "thinking": tc.text, "signature": tc.sign}
			turns[0]["content"] = slices.Insert(turns[0]["content"].([]object), 0, thought)
			again := c
			again.messages = slices.Concat(c.messages, turns)
			if r := send(t, base, simulate.Anthropic, again.body(simulate.Anthropic)); r.status != tc.status {
				t.Errorf("%s, %s: want status %d, got %s", form, tc.name, tc.status, r)
			}
		}
	}
}

func TestItemsRoundTripOnResponses(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	c := conversation{model: "strict-openai", tools: true, messages: ask(twoCities), members: object{"reasoning": object{"effort": "low"}}}
	got := send(t, base, simulate.Responses, c.body(simulate.Responses))
	var answer struct{ Output []object }
	decode(t, got.raw, &answer)
	results := dresses[simulate.Responses].loop(got.calls, "18 C")[len(got.calls):]
	for _, tc := range []struct {
		name  string
		items []object
		want  string
	}{
		{"as given", answer.Output, ""},
		{"without the thoughts", answer.Output[1:], "without its required 'reasoning' item"},
		{"thoughts alone", append(answer.Output[1:], answer.Output[0]), "without its required"},
	} {
		c.messages = slices.Concat(ask(twoCities), tc.items, results)
		if r := send(t, base, simulate.Responses, c.body(simulate.Responses)); (r.status == http.StatusOK) != (tc.want == "") || !strings.Contains(r.err, tc.want) {
			t.Errorf("%s: want %q, got %s", tc.name, tc.want, r)
		}
	}
}

// The text of a reply that was thought about is signed, in a stream by an empty part at its end.
func TestGeminiSignsTexts(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	for _, stream := range streamed {
		c := conversation{model: "m", stream: stream, messages: ask("Hi"), members: thinkers[simulate.Gemini]}
		got := send(t, base, simulate.Gemini, c.body(simulate.Gemini))
		if got.sign == "" || strings.Contains(got.raw, `{"text":"","thoughtSignature":`) != stream {
			t.Errorf("streamed %v: got %s\n%s", stream, got, got.raw)
		}
	}
}

// Only the first of several calls is signed, and the older family names and signs none.
func TestGeminiSignsTheFirstCall(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	for model, signed := range map[string]bool{"strict-gemini-3": true, "native": true, "strict-gemini-2.5": false} {
		got := send(t, base, simulate.Gemini, conversation{model: model, tools: true, messages: ask(twoCities)}.body(simulate.Gemini))
		if (got.calls[0].sign != "") != signed || got.calls[1].sign != "" || (got.calls[0].id != "none") != signed {
			t.Errorf("%s: got %+v and %+v", model, got.calls[0], got.calls[1])
		}
	}
}

// Results are understood in all the forms in which clients write them.
func TestResultsAreUnderstood(t *testing.T) {
	for _, tc := range []struct{ name, path, body, want string }{
		{"gemini output", "/v1beta/models/m:generateContent", `{"contents":[{"parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":{"name":"a"}}]},{"parts":[{"functionResponse":{"name":"a","response":{"output":"x"}}}]}]}`, "x"},
		{"gemini object", "/v1beta/models/m:generateContent", `{"contents":[{"parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":{"name":"a"}}]},{"role":"function","parts":[{"functionResponse":{"name":"a","response":{"result":{"n":1}}}}]}]}`, `{"n":1}`},
		{"gemini bare", "/v1beta/models/m:generateContent", `{"contents":[{"parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":{"name":"a"}}]},{"parts":[{"functionResponse":{"name":"a","response":{"n":1,"m":2}}}]}]}`, `{"n":1,"m":2}`},
		{"responses list", "/v1/responses", `{"model":"m","input":[{"role":"user","content":"Hi"},{"type":"function_call","call_id":"c","name":"a","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"x"}]}]}`, "x"},
		{"responses custom", "/v1/responses", `{"model":"m","input":[{"role":"user","content":"Hi"},{"type":"custom_tool_call","call_id":"c","name":"a","input":"in"},{"type":"custom_tool_call_output","call_id":"c","output":"x"}]}`, "x"},
		{"ollama", "/api/chat", `{"model":"m","messages":[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[{"function":{"name":"a","arguments":{}}}]},{"role":"tool","tool_name":"a","content":"x"}]}`, "x"},
	} {
		var seen simulate.Seen
		s := simulate.New(func(req simulate.Seen) simulate.Turn { seen = req; return simulate.Turn{} })
		s.ServeHTTP(recorder(), posted(tc.path, tc.body))
		if len(seen.Results) != 1 || seen.Results[0] != tc.want || len(seen.History) != 3 || len(seen.History[1].Calls) != 1 {
			t.Errorf("%s: want the result %s, got %q of %+v", tc.name, tc.want, seen.Results, seen.History)
		}
	}
}

// What the model said in one answer is one message, and tools may come in the input.
func TestResponsesInputIsJoined(t *testing.T) {
	var seen simulate.Seen
	s := simulate.New(func(req simulate.Seen) simulate.Turn { seen = req; return simulate.Turn{} })
	s.ServeHTTP(recorder(), posted("/v1/responses", `{"model":"m","input":[{"type":"additional_tools","tools":[{"type":"function","name":"b"}]},
		{"role":"developer","content":"Be kind."},{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"output_text","text":"So."}]},
		{"type":"function_call","call_id":"c","name":"b","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"x"}],
		"tool_choice":{"type":"function","name":"b"}}`))
	if seen.Turn != 1 || seen.System != "Be kind." || seen.Choice != "b" || !slices.Equal(seen.Tools, []string{"b"}) ||
		seen.History[1].Text != "So." || len(seen.History[1].Calls) != 1 {
		t.Errorf("got %+v", seen)
	}
	w := recorder()
	s.ServeHTTP(w, posted("/v1/responses", `{"model":"m","input":[{"type":"item_reference","id":"rs_1"}]}`))
	if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "Item with id 'rs_1' not found.") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

// What every server refuses is put in the profile's words too.
func TestProfileWordsEveryError(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	for model, status := range map[string]int{"strict-mistral": 400, "strict-mistral/no_tools_404": 404} {
		c := conversation{model: model, tools: true, messages: ask("Hi")}
		if status == 400 {
			c.messages = []object{{"role": "robot", "content": "x"}}
		}
		got := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI))
		if got.status != status || !strings.HasPrefix(got.raw, `{"object":"error","message":"`) || !strings.Contains(got.raw, `"type":"invalid_request_error"`) {
			t.Errorf("%s: got %s", model, got.raw)
		}
	}
}
