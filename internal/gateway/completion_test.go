package gateway_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/wire/codecs"
)

const generate = "/api/generate"

// A completed is a completion as Ollama writes it, whole or as a line.
type completed struct {
	Model, Response, Thinking string
	Done                      bool
	DoneReason                string `json:"done_reason"`
	CreatedAt                 string `json:"created_at"`
	Context                   []int
	Asked                     int `json:"prompt_eval_count"`
	Said                      int `json:"eval_count"`
}

// spoke is what a model of each wire answers: a thought where the wire has such, and two words, whole and streamed.
var spoke = map[callwright.WireName][2]string{
	callwright.WireOpenAI: {
		`{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","reasoning_content":"Hm.","content":"Oslo it is"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4}}`,
		`data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"Hm."}}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"content":"Oslo"}}]}` + "\n\n" +
			`data: {"choices":[{"index":0,"delta":{"content":" it is"},"finish_reason":"stop"}]}` + "\n\n" + `data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4}}` + "\n\ndata: [DONE]\n\n",
	},
	callwright.WireOllama: {
		`{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"Oslo it is","thinking":"Hm."},"done":true,"done_reason":"stop","total_duration":5,"prompt_eval_count":9,"eval_count":4}`,
		`{"model":"m","message":{"role":"assistant","content":"","thinking":"Hm."},"done":false}` + "\n" + `{"model":"m","message":{"role":"assistant","content":"Oslo"},"done":false}` + "\n" +
			`{"model":"m","message":{"role":"assistant","content":" it is"},"done":false}` + "\n" + `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":4}` + "\n",
	},
	callwright.WireAnthropic: {
		`{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"Hm.","signature":"s"},{"type":"text","text":"Oslo it is"}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":4}}`, ""},
	callwright.WireGemini: {
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"Hm.","thought":true},{"text":"Oslo it is"}]},"finishReason":"STOP"}],"modelVersion":"m","usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":4,"totalTokenCount":13}}`, ""},
	callwright.WireResponses: {
		`{"id":"r","object":"response","status":"completed","model":"m","output":[{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"Hm."}]},{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Oslo it is","annotations":[]}]}],"usage":{"input_tokens":9,"output_tokens":4,"total_tokens":13}}`, ""},
}

// speaking serves models of every wire that answer as spoke says. What was asked last is told by the function.
func speaking(t *testing.T, wire callwright.WireName) (url string, asked func() string) {
	t.Helper()
	var seen string
	url = serve(t, gateway.Config{Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		seen = r.URL.Path + " " + string(raw)
		w.Header().Set("Content-Type", "application/json")
		answer := spoke[wire][0]
		if strings.Contains(seen, `"stream":true`) {
			answer = spoke[wire][1]
			if strings.HasPrefix(answer, "data:") {
				w.Header().Set("Content-Type", "text/event-stream")
			}
		}
		_, _ = io.WriteString(w, answer)
	}))}).URL
	return url, func() string { return seen }
}

// lines reads the lines of a stream, which end with one that is done.
func lines(t *testing.T, body string) []completed {
	t.Helper()
	var all []completed
	for line := range strings.Lines(body) {
		var c completed
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, c)
	}
	for i, c := range all {
		if c.Done != (i == len(all)-1) {
			t.Fatalf("line %d of %d: done is %v: %s", i, len(all), c.Done, body)
		}
	}
	return all
}

// A prompt is completed by a model of any wire, in Ollama's form: whole and streamed.
func TestGenerate(t *testing.T) {
	for _, c := range codecs.All() {
		url, asked := speaking(t, c.Name())
		body := `{"model":"` + string(c.Name()) + `/m","system":"Be brief.","prompt":"Which \"city\"?","keep_alive":"5m","options":{"temperature":0,"num_ctx":4096},"stream":`
		got := post(t, url+generate, body+"false}")
		var whole completed
		if err := json.Unmarshal([]byte(got.body), &whole); err != nil || got.status != 200 {
			t.Fatalf("%s: %v, %d %s", c.Name(), err, got.status, got.body)
		}
		if whole.Response != "Oslo it is" || whole.Thinking != "Hm." || !whole.Done || whole.DoneReason != "stop" || whole.Asked != 9 || whole.Said != 4 || len(whole.Context) < 3 || whole.CreatedAt == "" ||
			strings.Contains(got.body, `"message"`) {
			t.Errorf("%s: got %s", c.Name(), got.body)
		}
		for _, want := range []string{"Be brief.", `Which \"city\"?`} {
			if !strings.Contains(asked(), want) {
				t.Errorf("%s: asked %s, without %s", c.Name(), asked(), want)
			}
		}
		if spoke[c.Name()][1] == "" {
			continue
		}
		streamed := lines(t, post(t, url+generate, body+"true}").body)
		var all completed
		for _, l := range streamed {
			all.Response, all.Thinking = all.Response+l.Response, all.Thinking+l.Thinking
		}
		last := streamed[len(streamed)-1]
		if all.Response != whole.Response || all.Thinking != whole.Thinking || last.DoneReason != "stop" || last.Asked != 9 || !slices.Equal(last.Context, whole.Context) || len(streamed) < 3 {
			t.Errorf("%s: streamed %+v", c.Name(), streamed)
		}
	}
}

// What a client sends beside the prompt has its place in a chat, or a note says that it was left out.
func TestGenerateMembers(t *testing.T) {
	url, asked := speaking(t, callwright.WireOpenAI)
	picture := "iVBORw0KGgoAAAANSUhEUg=="
	for name, c := range map[string]struct{ more, want, note string }{
		"pictures":         {`,"images":["` + picture + `"]`, picture, ""},
		"a schema":         {`,"format":{"type":"object","properties":{"city":{"type":"string"}}}`, `"json_schema"`, ""},
		"the form of JSON": {`,"format":"json"`, `"json_object"`, ""},
		"a template":       {`,"template":"{{ .Prompt }}"`, "Which city?", "params.template"},
		"foreign tokens":   {`,"context":[1,2,3]`, "Which city?", "params.context"},
		"tools":            {`,"tools":[{"type":"function","function":{"name":"f"}}]`, "Which city?", "params.dropped"},
		"options":          {`,"options":{"num_predict":7}`, `7`, ""},
		"raw false":        {`,"raw":false,"suffix":"","system":"","context":null,"images":null`, "Which city?", ""},
	} {
		got := post(t, url+generate, `{"model":"openai/m","prompt":"Which city?","stream":false`+c.more+`}`, "Callwright-Report", "body")
		if got.status != 200 || !strings.Contains(asked(), c.want) || !strings.Contains(got.body, `"response.completion"`) || c.note != "" && !strings.Contains(got.body, c.note) {
			t.Errorf("%s: asked %s, got %d %s", name, asked(), got.status, got.body)
		}
		if strings.Contains(asked(), `"tools"`) || strings.Contains(asked(), "template") || strings.Contains(asked(), `"context"`) {
			t.Errorf("%s: asked %s", name, asked())
		}
	}
	for more, path := range map[string]string{
		`,"suffix":"end"`: "/suffix", `,"raw":true`: "/raw", `,"system":1`: "/system", `,"images":"x"`: "/images", `,"context":"x"`: "/context", `,"template":[]`: "/template",
	} {
		if got := post(t, url+generate, `{"model":"openai/m","prompt":"p"`+more+`}`); got.status != 400 || !strings.Contains(got.body, path) {
			t.Errorf("%s: got %d %s", more, got.status, got.body)
		}
	}
}

// The context of an answer is the conversation, and no other numbers are taken for one.
func TestGenerateGoesOn(t *testing.T) {
	url, asked := speaking(t, callwright.WireOpenAI)
	context := "[]"
	for turn, prompt := range []string{"Which city? é 日本", "And the country?", "Thanks."} {
		got := post(t, url+generate, `{"model":"openai/m","stream":false,"prompt":"`+prompt+`","context":`+context+`}`)
		var c completed
		if err := json.Unmarshal([]byte(got.body), &c); err != nil || got.status != 200 {
			t.Fatalf("%v, %d %s", err, got.status, got.body)
		}
		if n := strings.Count(asked(), "Oslo it is"); n != turn || turn > 0 && !strings.Contains(asked(), "Which city? é 日本") {
			t.Errorf("turn %d: asked %s", turn, asked())
		}
		raw, _ := json.Marshal(c.Context)
		context = string(raw)
	}
	long := strings.Repeat("All work and no play. ", 2000)
	for range 4 {
		got := post(t, url+generate, `{"model":"openai/m","stream":false,"prompt":"`+long+`","context":`+context+`}`, "Callwright-Report", "body")
		var c completed
		if err := json.Unmarshal([]byte(got.body), &c); err != nil || len(c.Context)*3 > 70<<10 {
			t.Fatalf("%v, a context of %d numbers", err, len(c.Context))
		}
		raw, _ := json.Marshal(c.Context)
		context = string(raw)
	}
	if n := strings.Count(asked(), long); n != 2 {
		t.Errorf("a long conversation went on with %d prompts", n)
	}
}

// What no chat can say goes to a server of the same API as it came, but for the model's name and the key.
func TestGenerateTemplated(t *testing.T) {
	var seen, key string
	const answer = "{ \"response\" : \"b\",\"done\":true, \"context\":[1,2] }\n"
	url := serve(t, gateway.Config{Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		seen, key = r.URL.Path+" "+string(raw), r.Header.Get("Authorization")
		w.Header().Set("Content-Type", "application/x-ndjson")
		_, _ = io.WriteString(w, answer)
	}))}).URL
	for _, more := range []string{`"raw" : true`, `"suffix":"end"`, `"template":"{{ .Prompt }}"`, `"context":[1,2,3]`} {
		got := post(t, url+generate, `{"model":"ollama/m", "prompt":"a", `+more+`}`, "Authorization", "Bearer mine")
		if got.body != answer || got.status != 200 || seen != generate+` {"model":"m", "prompt":"a", `+more+`}` || key != "Bearer upstream-key" || got.header.Get("Content-Type") != "application/x-ndjson" {
			t.Errorf("%s: sent %q with %q, got %d %q", more, seen, key, got.status, got.body)
		}
	}
}
