package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/gateway"
)

// The report on a streamed answer names the probabilities of tokens where the client did not get them: none over its own wire, all over another,
// and those of the text behind a call that was healed.
func TestLogprobsOfStreams(t *testing.T) {
	const tools = `"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}}]`
	chunk := func(delta, rest string) string {
		return fmt.Sprintf(`data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{%s}%s}]}`, delta, rest) + "\n\n"
	}
	words := func(s string) string {
		return chunk(fmt.Sprintf(`"content":%q`, s), fmt.Sprintf(`,"logprobs":{"content":[{"token":%q,"logprob":-0.1}]},"finish_reason":null`, s))
	}
	var answer string
	url := serve(t, gateway.Config{Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, answer)
	}))}).URL
	for name, c := range map[string]struct {
		path, more string
		args       string
		noted      int
		tokens     int // that the client gets
	}{
		"its own wire":                {"/v1/chat/completions", tools, `{\"n\":1}`, 0, 2},
		"its own wire, a healed call": {"/v1/chat/completions", tools, `{\"n\":\"1\"}`, 1, 1},
		"another wire": {"/v1/messages", `"max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}]`,
			`{\"n\":1}`, 1, 0},
	} {
		answer = words("Hi") + chunk(`"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":"`+c.args+`"}}]`, "") +
			words("there") + chunk("", `,"finish_reason":"tool_calls"`) + "data: [DONE]\n\n"
		got := post(t, url+c.path, `{"model":"openai/m","stream":true,"messages":[{"role":"user","content":"Go"}],`+c.more+`}`, "Callwright-Report", "body")
		if got.status != 200 || !strings.Contains(got.body, "there") {
			t.Fatalf("%s: %d %s", name, got.status, got.body)
		}
		if n := strings.Count(got.body, `"response.logprobs"`); n != c.noted {
			t.Errorf("%s: expected %d notes, got %d: %s", name, c.noted, n, got.body)
		}
		if n := strings.Count(got.body, `"token":`); n != c.tokens {
			t.Errorf("%s: expected %d tokens, got %d: %s", name, c.tokens, n, got.body)
		}
	}
}
