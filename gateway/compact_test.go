package gateway_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright/gateway"
)

// A conversation is compacted by a model that knows no compactions, at the path of its own and by the wish in the input, and goes on
// from there.
func TestCompact(t *testing.T) {
	var seen string
	model := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		seen = string(b)
		_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"The fence is green."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4}}`)
	})
	url := serve(t, gateway.Config{Models: models(t, model)}).URL
	for path, input := range map[string]string{"/v1/responses/compact": "", "/v1/responses": `,{"type":"compaction_trigger"}`} {
		got := post(t, url+path, `{"model":"openai/m","input":[{"role":"user","content":"Which colour?"}`+input+`]}`)
		var a struct {
			Object string
			Output []json.RawMessage
		}
		if err := json.Unmarshal([]byte(got.body), &a); err != nil || got.status != 200 || len(a.Output) != 1 || !strings.Contains(string(a.Output[0]), `"type":"compaction"`) {
			t.Fatalf("%s: got %d %s", path, got.status, got.body)
		}
		if want := map[bool]string{true: "response.compaction", false: "response"}[input == ""]; a.Object != want {
			t.Errorf("%s: expected a %s, got %s", path, want, a.Object)
		}
		if !strings.Contains(seen, "Answer with the summary alone.") {
			t.Errorf("%s: asked %s", path, seen)
		}
		post(t, url+"/v1/responses", `{"model":"openai/m","input":[`+string(a.Output[0])+`,{"role":"user","content":"Go on."}]}`)
		if !strings.Contains(seen, "The fence is green.") || strings.Contains(seen, "callwright.v1") {
			t.Errorf("%s: went on with %s", path, seen)
		}
	}
}
