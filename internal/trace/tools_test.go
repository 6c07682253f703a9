package trace_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// Tools that were written down before are written the same for later requests: what stands in a trace is what MarshalRequest and Fingerprint say of each request by itself.
func TestToolsThatComeAgain(t *testing.T) {
	codec, _ := codecs.Of(callwright.WireOpenAI)
	body := string(clientRequest())
	bodies := []string{
		body, body, strings.Replace(body, "tool_3", "tool_three", 1), strings.Replace(body, "please", "now", 1), body,
		`{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[]}`, `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[]}`, `{"model":"m","messages":[{"role":"user","content":"hi"}]}`, `{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true}`,
	}
	for name, redacted := range map[string]bool{"content": false, "bare": true} {
		var out bytes.Buffer
		var opts []trace.Option
		if redacted {
			opts = append(opts, trace.WithoutContent())
		}
		m := trace.Record(&scripted{resp: answer()}, trace.NewWriter(&out, opts...))
		decode := func(i int) *callwright.Request {
			req, err := codec.DecodeRequest([]byte(bodies[i]))
			if err != nil {
				t.Fatal(err)
			}
			return req
		}
		for i := range bodies {
			if _, err := m.Generate(t.Context(), decode(i)); err != nil {
				t.Fatal(err)
			}
		}
		i := 0
		for e, err := range trace.Read(&out) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind != trace.KindRequest {
				continue
			}
			fingerprint, err := trace.Fingerprint(decode(i))
			if err != nil || e.Fingerprint != fingerprint {
				t.Errorf("%s: request %d has the fingerprint %s, want %s (%v)", name, i, e.Fingerprint, fingerprint, err)
			}
			want, err := conversation.MarshalRequest(decode(i))
			if err != nil || !redacted && string(e.Data) != string(want) {
				t.Errorf("%s: request %d is %s, want %s (%v)", name, i, e.Data, want, err)
			}
			got, err := e.Request()
			if err != nil {
				t.Fatal(err)
			}
			if declared, err := decode(i).DeclaredTools(); err != nil || len(got.Tools) != len(declared) {
				t.Errorf("%s: request %d has %d tools, want %d (%v)", name, i, len(got.Tools), len(declared), err)
			}
			i++
		}
		if i != len(bodies) {
			t.Errorf("%s: %d of %d requests are in the trace", name, i, len(bodies))
		}
	}
}
