package provider_test

import (
	"context"
	"testing"

	"github.com/callwright/callwright"
)

// The model's own text inside a refusal is recovered, whole and inside a stream.
func TestRecovered(t *testing.T) {
	for name, c := range map[string]struct {
		provider string
		reply    reply
		want     string
	}{
		"groq": {"groq", reply{status: 400, body: failedGeneration}, `<function=open_gate{"gate":"B7"}</function>`},
		"groq, in a stream": {"groq", reply{body: "event: error\ndata: " + failedGeneration + "\n\n"},
			`<function=open_gate{"gate":"B7"}</function>`},
		"llama.cpp": {"llamacpp", reply{status: 500, body: `{"error":{"code":500,"message":` +
			`"Failed to parse input at pos 12: <tool_call>\n{\"name\": \"open_gate\"","type":"server_error"}}`},
			"<tool_call>\n{\"name\": \"open_gate\""},
		"ollama": {"ollama-openai", reply{status: 500, body: `{"error":{"message":"error parsing tool call: ` +
			`raw='{\"gate\":\"B7\"', err=unexpected end of JSON input","type":"api_error"}}`}, `{"gate":"B7"`},
		"vllm": {"vllm", reply{status: 500, body: `{"object":"error","message":"Failed to parse input at pos 0: open_gate(gate='B7')","code":500}`},
			`open_gate(gate='B7')`},
		"unknown provider": {"lab", reply{status: 400, body: failedGeneration}, `<function=open_gate{"gate":"B7"}</function>`},
	} {
		t.Run(name, func(t *testing.T) {
			m, s := scripted(t, c.provider, c.reply)
			_, err := m.Generate(context.Background(), ask())
			if c.reply.status == 0 {
				s.bodies = nil
				err = gather(context.Background(), m).err
			}
			e := errorOf(t, err)
			if e.Kind != callwright.KindRefusedCall || e.Recovered != c.want {
				t.Errorf("got %s, recovered %q", e.Kind, e.Recovered)
			}
			if len(s.bodies) != 1 {
				t.Errorf("%d tries", len(s.bodies))
			}
		})
	}
}

// Ordinary failures carry no text of the model.
func TestNothingToRecover(t *testing.T) {
	for _, body := range []string{
		`{"error":{"code":500,"message":"out of memory","type":"server_error"}}`, `{"error":"boom"}`, ``, `null`, `[]`, `Internal Server Error`,
	} {
		m, _ := scripted(t, "llamacpp", reply{status: 500, header: map[string]string{"X-Should-Retry": "false"}, body: body})
		_, err := m.Generate(context.Background(), ask())
		if e := errorOf(t, err); e.Recovered != "" || e.Kind != callwright.KindServer {
			t.Errorf("%q: %s, recovered %q", body, e.Kind, e.Recovered)
		}
	}
}
