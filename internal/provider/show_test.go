package provider_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A server of Ollama's kind describes its models: what it does not name they cannot do, and nothing is known where it names nothing.
func TestShow(t *testing.T) {
	for body, want := range map[string]caps.Caps{
		`{"capabilities":["completion","tools"],"model_info":{"general.architecture":"qwen2","qwen2.context_length":32768,"qwen2.rope.freq_base":1e6}}`: {
			Tools: caps.Yes, Images: caps.No, MaxContext: 32768, DropFields: "think", Dialect: "hermes"},
		`{"capabilities":["completion","vision"],"model_info":{"x.context_length":"many"}}`: {Tools: caps.No, Images: caps.Yes, DropFields: "think"},
		`{"capabilities":["completion","thinking"]}`:                                        {Tools: caps.No, Images: caps.No},
		// the server looks for reasoning where it knows that the model thinks
		`{"capabilities":["completion","thinking"],"template":"{{ .Prompt }}<|im_start|>assistant\n<think>\n"}`: {Tools: caps.No, Images: caps.No},
		`{"capabilities":["completion"],"template":"{{ .Prompt }}<|im_start|>assistant\n<think>\n"}`:            {Tools: caps.No, Images: caps.No, DropFields: "think", ReasoningStart: "primed"},
		`{"details":{}}`: {},
	} {
		s := &script{replies: []reply{{body: body}}}
		m := open(t, "ollama/qwen2.5:7b", withTransport(s))
		got, err := m.Provider().Describe(t.Context(), "qwen2.5:7b")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(caps.Caps{}, "Sources")); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", body, diff)
		}
		if s.last.Method != http.MethodPost || s.last.URL.Path != "/api/show" || s.bodies[0] != `{"model":"qwen2.5:7b"}` {
			t.Errorf("asked %s %s %s", s.last.Method, s.last.URL, s.bodies)
		}
	}
	s := &script{replies: []reply{{status: 404, body: `{"error":"model 'x' not found"}`}}}
	if _, err := open(t, "ollama/x", withTransport(s)).Provider().Describe(t.Context(), "x"); callwright.KindOf(err) != callwright.KindNotFound {
		t.Errorf("got %v", err)
	}
}
