package gateway_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

const countTokens = messages + "/count_tokens"

// A provider of the client's own wire counts, and its answer is given as it came.
func TestCountedByTheProvider(t *testing.T) {
	var path, seen string
	cfg := gateway.Config{Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		path, seen = r.URL.Path, string(raw)
		if strings.Contains(seen, "refuse") {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"type":"error","error":{"type":"invalid_request_error","message":"no such thing"}}`)
			return
		}
		_, _ = io.WriteString(w, `{ "input_tokens": 2095, "odd": 1 }`)
	}))}
	url := serve(t, cfg).URL + countTokens
	got := post(t, url, `{"model":"anthropic/m", "messages":[{"role":"user","content":"hi"}] }`)
	if got.body != `{ "input_tokens": 2095, "odd": 1 }` || got.header.Get("Callwright-Report") != "tokens=counted" {
		t.Errorf("got %d %v %s", got.status, got.header, got.body)
	}
	if path != countTokens || seen != `{"model":"m", "messages":[{"role":"user","content":"hi"}] }` {
		t.Errorf("sent %s to %s", seen, path)
	}
	got = post(t, url, `{"model":"anthropic/m","messages":[{"role":"user","content":"refuse"}]}`)
	if got.status != 400 || !strings.Contains(got.body, "no such thing") {
		t.Errorf("a refusal: got %d %s", got.status, got.body)
	}
}

// Elsewhere the number is an estimate and says so, in the client's own form.
func TestCountEstimated(t *testing.T) {
	body := func(model, text string) string {
		return `{"model":"` + model + `","messages":[{"role":"user","content":"` + text + `"}]}`
	}
	inner := `{"messages":[{"role":"user","content":"What is the weather in Oslo?"}]}`
	for name, c := range map[string]struct{ path, body, want string }{
		"another wire":        {countTokens, body("openai/native", "What is the weather in Oslo?"), `{"input_tokens":11}`},
		"no such address":     {countTokens, body("anthropic/native", "What is the weather in Oslo?"), `{"input_tokens":11}`},
		"the model's path":    {"/v1beta/models/openai/native:countTokens", inner, `{"totalTokens":11}`},
		"a request inside":    {"/v1beta/openai/native:countTokens", `{"generateContentRequest":` + inner + `}`, `{"totalTokens":11}`},
		"the Responses API's": {"/v1/responses/input_tokens", body("openai/native", "What is the weather in Oslo?"), `{"object":"response.input_tokens","input_tokens":11}`},
	} {
		cfg := gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Codecs: pretended()}
		got := post(t, serve(t, cfg).URL+c.path, c.body)
		if got.status != 200 || got.body != c.want || got.header.Get("Callwright-Report") != "tokens=estimated" {
			t.Errorf("%s: got %d %v %s", name, got.status, got.header.Get("Callwright-Report"), got.body)
		}
	}
	url := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather()))}).URL + countTokens
	for name, c := range map[string]struct {
		body   string
		status int
	}{"no such model": {body("nowhere/x", "hi"), 404}, "no JSON": {`{`, 400}, "no messages": {`{"model":"openai/native"}`, 400}} {
		if got := post(t, url, c.body); got.status != c.status || !strings.Contains(got.body, `"type":"error"`) {
			t.Errorf("%s: got %d %s", name, got.status, got.body)
		}
	}
}

// Every API that asks for a count is answered over its real codec too.
func TestCountOverEveryWire(t *testing.T) {
	srv := simulated(t)
	paths := map[callwright.WireName]string{
		callwright.WireAnthropic: countTokens, callwright.WireResponses: "/v1/responses/input_tokens",
		callwright.WireGemini: "/v1beta/models/openai/native:countTokens",
	}
	for _, c := range codecs.All() {
		path, ok := paths[c.Name()]
		if !ok {
			continue
		}
		a := askers[c.Name()]
		_, body := a.ask("openai/native", false)
		got := post(t, srv.URL+path, body)
		var n map[string]any
		if err := json.Unmarshal([]byte(got.body), &n); err != nil || got.status != 200 {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
	}
}

// The estimate follows what tokenizers make of text: a third more or less.
func TestEstimateOfTexts(t *testing.T) {
	url := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather()))}).URL + countTokens
	count := func(text string) int {
		raw, _ := json.Marshal(text)
		got := post(t, url, `{"model":"openai/native","messages":[{"role":"user","content":`+string(raw)+`}]}`)
		var n struct {
			Tokens int `json:"input_tokens"`
		}
		if err := json.Unmarshal([]byte(got.body), &n); err != nil || got.status != 200 {
			t.Fatalf("%d %s", got.status, got.body)
		}
		return n.Tokens - 4 // the message
	}
	for text, want := range map[string]int{
		"Hello, world!": 4, "The quick brown fox jumps over the lazy dog.": 10, "tiktoken is great!": 6, "antidisestablishmentarianism": 6,
		"2 + 2 = 4": 7, "お誕生日おめでとう": 9, `{"city": "Oslo", "days": 3}`: 13, "Привет, мир": 4,
		"func main() {\n\tfmt.Println(\"hello\")\n}\n": 14,
	} {
		if got := count(text); 3*got < 2*want || 3*got > 4*want {
			t.Errorf("%q: got %d, tokenizers say about %d", text, got, want)
		}
	}
	piece := strings.Repeat("A word, 1234 and \"more\"\n\t\tof 日本語 — ", 5000)
	one, four := count(piece), count(piece+piece+piece+piece)
	if four < 4*one-8 || four > 4*one+8 {
		t.Errorf("four times the text: got %d, once %d", four, one)
	}
}

// A picture and a tool count by what they are, not by their bytes.
func TestEstimateOfPartsAndTools(t *testing.T) {
	url := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather()))}).URL + countTokens
	n := func(body string) string {
		return post(t, url, `{"model":"openai/native",`+body+`}`).body
	}
	picture := `{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + strings.Repeat("QUJD", 9000) + `"}}]}`
	for body, want := range map[string]string{
		`"messages":[` + picture + `]`: `{"input_tokens":1604}`,
		`"messages":[{"role":"user","content":"hi"}],"tools":[{"name":"f","description":"Do it","input_schema":{"type":"object"}}]`: `{"input_tokens":26}`,
		`"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"done"}]}]`: `{"input_tokens":32}`,
	} {
		if got := n(body); got != want {
			t.Errorf("%.90s: got %s, want %s", body, got, want)
		}
	}
}
