package trace_test

import (
	"bytes"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// TestSession: the session that a client names in its body is recorded, whatever its API.
func TestSession(t *testing.T) {
	talks := map[callwright.WireName]string{
		callwright.WireOpenAI:    `"messages":[{"role":"user","content":"Hi"}]`,
		callwright.WireResponses: `"input":"Hi"`,
		callwright.WireAnthropic: `"max_tokens":9,"messages":[{"role":"user","content":"Hi"}]`,
		callwright.WireGemini:    `"contents":[{"role":"user","parts":[{"text":"Hi"}]}]`,
		callwright.WireOllama:    `"messages":[{"role":"user","content":"Hi"}]`,
	}
	for _, c := range codecs.All() {
		t.Run(string(c.Name()), func(t *testing.T) {
			req, err := c.DecodeRequest([]byte(`{"model":"m","session_id":"s1",` + talks[c.Name()] + `}`))
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if _, err := trace.Record(&scripted{resp: answer()}, trace.NewWriter(&out)).Generate(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			entries, err := trace.ReadAll(&out)
			if err != nil {
				t.Fatal(err)
			}
			if s := trace.Summarize(entries); s.Session != "s1" {
				t.Errorf("got %q", s.Session)
			}
		})
	}
}
