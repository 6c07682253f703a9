package gateway_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/signature"
)

// signatureGateway is a directory whose models share a signature store.
type signatureGateway struct {
	directory
	signatures *signature.Memory
}

func (v signatureGateway) Resolve(name string) (*reliable.Client, error) {
	p, model := callwright.ModelID(name).Split()
	return reliable.New(v.directory[p].Model(model), reliable.WithSignatures(v.signatures)), nil
}

// What the gateway keeps of a model's thoughts is sent, and shown, for the key that got the answer alone, whoever knows the
// ids and the words.
func TestStateNeverCrossesKeys(t *testing.T) {
	const thought = "the secret plan"
	const answer = `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"` + thought + `","signature":"sig"},` +
		`{"type":"tool_use","id":"call_0","name":"get_weather","input":{"city":"Oslo"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`
	var seen string
	upstream := models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		seen = string(raw)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
	}))
	srv := serve(t, gateway.Config{Keys: []string{"mine", "theirs"}, Models: signatureGateway{upstream, signature.NewMemory(nil, signature.Limits{})}})
	first := question(chat, "anthropic/m", "")
	if got := post(t, srv.URL+chat, first, "Authorization", "Bearer mine"); got.status != 200 || strings.Contains(got.body, "sig") {
		t.Fatalf("got %d %s", got.status, got.body)
	}
	follow := strings.Replace(first, `],"tools"`, `,{"role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function","function":{"name":"get_weather",`+
		`"arguments":"{\"city\":\"Oslo\"}"}}]},{"role":"tool","tool_call_id":"call_0","content":"4 degrees"}],"tools"`, 1)
	for _, c := range []struct {
		key  string
		want bool
	}{{"theirs", false}, {"mine", true}} {
		seen = ""
		shown := post(t, srv.URL+"/callwright/explain", follow, "Authorization", "Bearer "+c.key)
		if got := strings.Contains(shown.body, thought); shown.status != 200 || got != c.want {
			t.Errorf("%s: explained %t, want %t: %s", c.key, got, c.want, shown.body)
		}
		if post(t, srv.URL+chat, follow, "Authorization", "Bearer "+c.key); strings.Contains(seen, thought) != c.want {
			t.Errorf("%s: want the thought sent %t: %s", c.key, c.want, seen)
		}
	}
}
