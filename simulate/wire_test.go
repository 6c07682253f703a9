package simulate_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright/simulate"
)

func recorder() *httptest.ResponseRecorder { return httptest.NewRecorder() }

func posted(path, body string) *http.Request {
	return httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
}

// play posts a body to a path of a server with the script at hand.
func play(t *testing.T, path, body string) string {
	t.Helper()
	w := recorder()
	simulate.New(simulate.Weather()).ServeHTTP(w, posted(path, body))
	return w.Body.String()
}

func TestGeminiStreamsAnArrayUnlessAskedForEvents(t *testing.T) {
	body := `{"contents":[{"parts":[{"text":"Hi"}]}]}`
	var chunks []json.RawMessage
	raw := play(t, "/v1beta/models/m:streamGenerateContent", body)
	decode(t, raw, &chunks)
	var got reply
	for _, c := range chunks {
		got.content(t, string(c))
	}
	if len(chunks) < 2 || !strings.HasPrefix(got.text, "I am a simulated model.") || !got.complete {
		t.Errorf("got %d chunks with %s", len(chunks), &got)
	}
	if raw = play(t, "/v1beta/models/m:streamGenerateContent?alt=sse", body); !strings.HasPrefix(raw, "data: {") {
		t.Errorf("with alt=sse: got %s", raw)
	}
}

func TestGeminiModelOfThePath(t *testing.T) {
	for path, want := range map[string]string{
		"/v1beta/models/m":         "m",
		"/v1/models/m":             "m",
		"/v1beta/models/openai/m":  "openai/m",
		"/v1beta/openai/m":         "openai/m",
		"/v1beta/models/a%2Fb":     "a/b",
		"/proxy/v1beta/models/a:b": "a:b",
	} {
		s := simulate.New(simulate.Weather())
		s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, path+":generateContent", strings.NewReader(`{"contents":[{"parts":[{"text":"Hi"}]}]}`)))
		if seen := s.Requests(); seen[0].Model != want || seen[0].Refused != "" {
			t.Errorf("%s: got the model %q, refused: %q; want %q", path, seen[0].Model, seen[0].Refused, want)
		}
	}
}

func TestGeminiTakesSnakeCase(t *testing.T) {
	raw := play(t, "/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"What is the weather in Oslo?"}]}],
		"system_instruction":{"parts":[{"text":"Be kind."}]},"tools":[{"function_declarations":[{"name":"get_weather"}]}],
		"tool_config":{"function_calling_config":{"mode":"ANY","allowed_function_names":["get_weather"]}}}`)
	if !strings.Contains(raw, `"functionCall":{"name":"get_weather","args":{"city": "Oslo"}`) {
		t.Errorf("got %s", raw)
	}
}

func TestOllamaStreamsUnlessToldNotTo(t *testing.T) {
	lines := func(stream string) int {
		return strings.Count(play(t, "/api/chat", `{"model":"m","messages":[{"role":"user","content":"Hi"}]`+stream+`}`), "\n")
	}
	if with, without := lines(""), lines(`,"stream":false`); with < 2 || without != 0 {
		t.Errorf("%d lines by default, %d with stream false", with, without)
	}
}

func TestOllamaForgetsMostOfASchema(t *testing.T) {
	s := simulate.New(simulate.Weather())
	s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/api/chat", strings.NewReader(`{"model":"m","messages":[],"tools":[{"function":{"name":"a","parameters":{
		"type":"object","title":"T","additionalProperties":false,"required":["pattern"],"properties":{
			"pattern":{"type":"string","pattern":"^a","description":"d","enum":["a"]},"n":{"anyOf":[{"type":"integer","minimum":1}],"default":2},
			"list":{"type":"array","items":{"type":"string","minLength":1}}}}}}]}`)))
	want := `{"type":"object","required":["pattern"],"properties":{"pattern":{"type":"string","description":"d","enum":["a"]},` +
		`"n":{"anyOf":[{"type":"integer"}]},"list":{"type":"array","items":{"type":"string","minLength":1}}}}`
	if got := string(s.Requests()[0].Schema("a")); got != want {
		t.Errorf("the model sees %s, want %s", got, want)
	}
}

// A call of a tool that takes text, or that stands in a group, goes back as such.
func TestResponsesKindsOfTools(t *testing.T) {
	for name, tc := range map[string]struct{ tool, want string }{
		"custom":    {`{"type":"custom","name":"weather_text"}`, `"type":"custom_tool_call","status":"completed","input":"{\"city\": \"Oslo\"}"`},
		"namespace": {`{"type":"namespace","name":"sky","tools":[{"type":"function","name":"get_weather"}]}`, `"name":"get_weather","namespace":"sky"`},
		"hosted":    {`{"type":"web_search"},{"type":"function","name":"get_weather"}`, `"type":"function_call","status":"completed"`},
	} {
		raw := play(t, "/v1/responses", `{"model":"m","input":"What is the weather in Oslo?","tools":[`+tc.tool+`]}`)
		if !strings.Contains(raw, tc.want) {
			t.Errorf("%s: want %s in %s", name, tc.want, raw)
		}
	}
}

// Every event of a response has its number, and those about an item say which.
func TestResponsesNumbersItsEvents(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	c := conversation{model: "m", stream: true, tools: true, messages: ask(twoCities), members: object{"reasoning": object{"effort": "low"}}}
	n := 0
	for event := range strings.SplitSeq(strings.TrimSpace(send(t, base, simulate.Responses, c.body(simulate.Responses)).raw), "\n\n") {
		name, data, _ := strings.Cut(event, "\ndata: ")
		var e struct {
			Type     string
			Number   int     `json:"sequence_number"`
			Index    *int    `json:"output_index"`
			ID       *string `json:"item_id"`
			Response json.RawMessage
			Item     struct{ ID string }
		}
		decode(t, data, &e)
		about := e.Response != nil || e.Index != nil && (e.Item.ID != "" || e.ID != nil)
		if name != "event: "+e.Type || e.Number != n || !about {
			t.Errorf("event %d: got %s", n, event)
		}
		n++
	}
	if n < 20 {
		t.Errorf("%d events are too few", n)
	}
}

// thinkers ask a model to think, on the wires that bring back what it thought.
var thinkers = map[string]object{
	simulate.OpenAI:    {"thinking": object{"type": "enabled"}},
	simulate.Responses: {"reasoning": object{"effort": "low"}},
	simulate.Anthropic: {"thinking": object{"type": "adaptive"}},
	simulate.Gemini:    {"generationConfig": object{"thinkingConfig": object{"includeThoughts": true}}},
	simulate.Ollama:    {"think": true},
}

func TestModelsThinkWhereAskedTo(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	for wire, members := range thinkers {
		for form, stream := range streamed {
			for _, asked := range []bool{true, false} {
				c := conversation{model: "m", stream: stream, tools: true, messages: ask(twoCities)}
				if asked {
					c.members = members
				}
				got := send(t, base, wire, c.body(wire))
				if (got.reasoning != "") != asked || len(got.calls) != 2 {
					t.Errorf("%s %s, asked to think: %v: got %s", wire, form, asked, got)
				}
			}
		}
	}
}

func TestUnknownModelsAreRefusedWhereOnlyKnownOnesAreServed(t *testing.T) {
	base, _ := start(t, simulate.Weather(), simulate.OnlyKnown())
	for wire, want := range map[string]string{
		simulate.OpenAI:    "status 404 invalid_request_error The model `sim/hermess` does not exist or you do not have access to it. model_not_found",
		simulate.Responses: "status 400 invalid_request_error The model `sim/hermess` does not exist or you do not have access to it. model_not_found",
		simulate.Anthropic: "status 404 not_found_error model: sim/hermess",
		simulate.Gemini:    "status 404 NOT_FOUND models/sim/hermess is not found for API version v1beta, or is not supported for generateContent.",
		simulate.Ollama:    "status 404 model 'sim/hermess' not found",
	} {
		got := send(t, base, wire, conversation{model: "sim/hermess", messages: ask("Hi")}.body(wire))
		if !strings.HasPrefix(got.String(), want[:10]) || got.err != want[11:] {
			t.Errorf("%s: got %s", wire, got)
		}
		for _, model := range []string{"native", "sim/native", "hermes", "sim/hermes-unclosed", "text_json-fence-keys_args", "strict-openai", "sim/kimi-like", "openai-like"} {
			if got := send(t, base, wire, conversation{model: model, messages: ask("Hi")}.body(wire)); got.status != http.StatusOK {
				t.Errorf("%s: %s is known, got %s", wire, model, got)
			}
		}
	}
}

// A name that begins as a fault and goes on as none is no model, whoever asks.
func TestMisspelledVariantsAreNoModels(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	for _, wire := range wires {
		got := send(t, base, wire, conversation{model: "sim/truncate-att", messages: ask("Hi")}.body(wire))
		if got.status != http.StatusNotFound || !strings.Contains(got.err, `the fault "truncate" has no variant "att"; its variants are at, lie_finish`) {
			t.Errorf("%s: got %s", wire, got)
		}
	}
}

// Names of real models that begin as a fault does are served by a model that behaves well.
func TestRealModelsAreNoFaults(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	for _, wire := range wires {
		for _, model := range []string{"kimi-k2.5", "moonshotai/kimi-k2-0905", "minimax/minimax-m2-her", "minimax-m2.1", "z-ai/glm-5", "nousresearch/hermes-4-405b", "z-ai/glm"} {
			if got := send(t, base, wire, conversation{model: model, messages: ask("Hi")}.body(wire)); got.status != http.StatusOK {
				t.Errorf("%s: %s: got %s", wire, model, got)
			}
		}
	}
}
