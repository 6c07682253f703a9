package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/simulate"
)

// A sentLog has the bodies that a gateway sent to its providers.
type sentLog struct {
	mu     sync.Mutex
	bodies []string
}

func (l *sentLog) around(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		l.mu.Lock()
		l.bodies = append(l.bodies, r.URL.Path+" "+string(body))
		l.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		h.ServeHTTP(w, r)
	})
}

func (l *sentLog) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	sent := strings.Join(l.bodies, "\n")
	l.bodies = nil
	return sent
}

// conversations are turns of the APIs of clients whose histories are kept, with NUMBER for the number of a turn and TEXT for a text. The members are those
// of a request beside the history.
var conversations = []struct {
	path, members string
	turns         []string
}{
	{chat, `"tools":[{"type":"function","function":{"name":"get_weather","parameters":` + simulate.WeatherSchema + `}}]`, []string{
		`{"role":"user","content":"TEXT"},{"role":"assistant","content":"TEXT"}`,
		`{"role":"user","content":"TEXT"},{"role":"assistant","tool_calls":[{"id":"cNUMBER","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]},{"role":"tool","tool_call_id":"cNUMBER","content":"TEXT"},{"role":"assistant","content":"Mild."}`,
		`{"role":"assistant","tool_calls":[{"id":"cNUMBER","function":{"name":"Get-Weather","arguments":"{\"city\":"}}]}`,
		`{"role":"tool","tool_call_id":"lost","content":"TEXT"}`, `{"role":"assistant","content":""}`,
		`{"role":"assistant","content":null,"function_call":{"name":"get_weather","arguments":"{}"}},{"role":"function","name":"get_weather","content":"TEXT"}`,
	}},
	{messages, `"max_tokens":99,"tools":[{"name":"get_weather","input_schema":` + simulate.WeatherSchema + `}]`, []string{
		`{"role":"user","content":"TEXT"},{"role":"assistant","content":"TEXT"}`,
		`{"role":"user","content":[{"type":"text","text":"TEXT","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":[{"type":"tool_use","id":"cNUMBER","name":"get_weather","input":{"city":"Oslo"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"cNUMBER","content":"TEXT"}]},{"role":"assistant","content":"Mild."}`,
		`{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"cNUMBER","name":"get_weather","input":{}}]}`,
		`{"role":"user","content":[{"type":"text","text":"TEXT"},{"type":"tool_result","tool_use_id":"lost","content":"TEXT"}]}`, `{"role":"assistant","content":[]}`,
	}},
	{"/api/chat", `"stream":false,"tools":[{"type":"function","function":{"name":"get_weather","parameters":` + simulate.WeatherSchema + `}}]`, []string{
		`{"role":"user","content":"TEXT"},{"role":"assistant","content":"TEXT"}`,
		`{"role":"user","content":"TEXT"},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"get_weather","arguments":{"city":"Oslo"}}}]},{"role":"tool","tool_name":"get_weather","content":"TEXT"}`,
		`{"role":"assistant","tool_calls":[{"function":{"name":"get_weather","arguments":{"city":"Oslo"}}},{"function":{"name":"get_weather","arguments":{"city":"Rome"}}}]}`,
		`{"role":"tool","content":"TEXT"}`,
	}},
}

// drawnValues are values that differ between two answers to the same request.
var drawnValues = regexp.MustCompile(`(rep|resp|msg|chatcmpl|call|toolu|fc|rs|gen)[_-][A-Za-z0-9_-]+|"(created|created_at|total_duration|eval_duration|load_duration|prompt_eval_duration)":("[^"]*"|\d+)`)

// TestHistoriesExact: a gateway that keeps histories sends and answers the same as one that keeps none, to providers of every API, native and in text
// mode, while a conversation grows, is edited and is asked of other models.
func TestHistoriesExact(t *testing.T) {
	var logs [2]sentLog
	var gateways [2]running
	for i, histories := range []int{0, -1} {
		cfg := gateway.Config{Models: models(t, logs[i].around(simulate.New(simulate.Weather())))}
		cfg.Reuse.Histories = histories
		gateways[i] = serve(t, cfg)
	}
	var asked []string
	for _, provider := range []string{"openai", "responses", "anthropic", "gemini", "ollama"} {
		for _, model := range []string{"native", "F02.hermes"} {
			asked = append(asked, provider+"/"+model)
		}
	}
	number := 0
	rapid.Check(t, func(r *rapid.T) {
		c := rapid.SampledFrom(conversations).Draw(r, "API")
		texts := []string{"Hi", strings.Repeat(`Nothing \"new\". `, 100), strings.Repeat("é ", 900)}
		number++
		turns := []string{`{"role":"user","content":"` + fmt.Sprint(number) + `"}`}
		for range rapid.IntRange(2, 5).Draw(r, "requests") {
			for range rapid.IntRange(1, 4).Draw(r, "more") {
				fill := strings.NewReplacer("TEXT", rapid.SampledFrom(texts).Draw(r, "text"), "NUMBER", fmt.Sprint(rapid.IntRange(0, 9).Draw(r, "number")))
				turns = append(turns, fill.Replace(rapid.SampledFrom(c.turns).Draw(r, "turn")))
			}
			if rapid.IntRange(0, 5).Draw(r, "edit") == 0 {
				at := rapid.IntRange(1, len(turns)-1).Draw(r, "at")
				turns = append(turns[:at:at], turns[at+1:]...)
			}
			stream := ""
			if c.path != "/api/chat" && rapid.Bool().Draw(r, "streamed") {
				stream = `,"stream":true`
			}
			body := `{"model":"` + rapid.SampledFrom(asked).Draw(r, "model") + `",` + c.members + stream + `,"messages":[` + strings.Join(turns, ",") + `,{"role":"user","content":"What is the weather in Oslo?"}]}`
			var sent, answered [2]string
			for i := range gateways {
				got := post(t, gateways[i].URL+c.path, body)
				sent[i] = drawnValues.ReplaceAllString(logs[i].take(), "MINTED")
				answered[i] = fmt.Sprint(got.status, " ", drawnValues.ReplaceAllString(got.body, "MINTED"))
			}
			if sent[0] != sent[1] {
				r.Fatalf("with histories it sent\n%s\nwithout\n%s\nfor %s", sent[0], sent[1], body)
			}
			if answered[0] != answered[1] {
				r.Fatalf("with histories it answered\n%s\nwithout\n%s\nto %s", answered[0], answered[1], body)
			}
		}
	})
	if gateways[0].HistoryBytes() == 0 {
		t.Error("no history was kept")
	}
}
