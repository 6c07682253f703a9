package gateway_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/gateway"
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

// A compaction of a conversation that is kept needs no input, and its answer has what the API's own has.
func TestCompactWhatIsKept(t *testing.T) {
	var seen string
	model := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		seen = string(b)
		_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"It is green."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4}}`)
	})
	url := serve(t, gateway.Config{Models: models(t, model)}).URL
	var first struct{ ID string }
	if err := json.Unmarshal([]byte(post(t, url+"/v1/responses", `{"model":"openai/m","input":"Which colour has the fence?"}`).body), &first); err != nil || first.ID == "" {
		t.Fatalf("%v, %+v", err, first)
	}
	for name, more := range map[string]string{"no input": "", "null": `,"input":null`, "further input": `,"input":"And the gate?"`, "instructions": `,"instructions":"Keep colours."`} {
		got := post(t, url+"/v1/responses/compact", `{"model":"openai/m","previous_response_id":"`+first.ID+`"`+more+`}`)
		var a struct {
			ID, Object string
			CreatedAt  int64 `json:"created_at"`
			Output     []struct{ Type string }
			Usage      struct {
				Input int `json:"input_tokens"`
			}
		}
		if err := json.Unmarshal([]byte(got.body), &a); err != nil || got.status != 200 || a.ID == "" || a.Object != "response.compaction" || a.CreatedAt == 0 || a.Usage.Input != 9 ||
			len(a.Output) != 1 || a.Output[0].Type != "compaction" {
			t.Errorf("%s: %v, got %d %s", name, err, got.status, got.body)
		}
		if !strings.Contains(seen, "Which colour has the fence?") || !strings.Contains(seen, "It is green.") || name == "instructions" && !strings.Contains(seen, "Keep colours.") {
			t.Errorf("%s: asked %s", name, seen)
		}
	}
	if got := post(t, url+"/v1/responses/compact", `{"model":"openai/m","previous_response_id":"resp_nothing"}`); got.status != 400 || !strings.Contains(got.body, "previous_response_not_found") {
		t.Errorf("not kept: got %d %s", got.status, got.body)
	}
}
