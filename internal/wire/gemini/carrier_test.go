package gemini_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/gemini"
	"github.com/google/go-cmp/cmp"
)

// elsewhere is what other wires gave: reasoning with its state, a call with its own.
var elsewhere = []callwright.Part{
	callwright.Reasoning{Text: "hm, well", Signature: "c2ln", Origin: callwright.Origin{Wire: callwright.WireAnthropic, Model: "anthropic/x"}},
	callwright.Reasoning{Redacted: "ZW5j", ID: "rs_1", Origin: callwright.Origin{Wire: callwright.WireResponses}, Extra: callwright.Extra{Wire: callwright.WireResponses, JSON: json.RawMessage(`{"summary":[]}`)}},
	callwright.Call{ID: "a", Name: "look", Arguments: json.RawMessage(`{}`), Signature: "dHM", Origin: callwright.Origin{Wire: callwright.WireOpenAI}},
}

// streamed is the content that a client puts together from a stream of the parts.
func streamed(t *testing.T, list []callwright.Part) []byte {
	t.Helper()
	events := []callwright.Event{callwright.Begin{ID: "x", Model: "m"}}
	for _, p := range list {
		switch p := p.(type) {
		case callwright.Reasoning:
			for piece := range strings.SplitAfterSeq(p.Text, ",") {
				events = append(events, callwright.ReasoningDelta{Text: piece})
			}
			events = append(events, callwright.ReasoningEnd{Signature: p.Signature, Redacted: p.Redacted, ID: p.ID, Origin: p.Origin, Extra: p.Extra})
		case callwright.Call:
			events = append(events, callwright.CallBegin{ID: p.ID, Name: p.Name, Signature: p.Signature, Origin: p.Origin}, callwright.CallDelta{Text: string(p.Arguments)}, callwright.CallEnd{})
		}
	}
	content := []byte(`{"role":"model","parts":[`)
	for _, v := range pieces(t, encodeAll(append(events, callwright.End{Finish: callwright.FinishCalls}))) {
		parts, _ := jsonx.Lookup(v, "candidates")
		for c := range jsonx.Elements(parts) {
			in, _ := jsonx.Lookup(c, "content", "parts")
			for p := range jsonx.Elements(in) {
				if !bytes.HasSuffix(content, []byte("[")) {
					content = append(content, ',')
				}
				content = append(content, p...)
			}
		}
	}
	return append(content, `]}`...)
}

func TestStateOfOthersComesBack(t *testing.T) {
	body, notes, err := gemini.Codec{}.EncodeResponse(nil, &callwright.Response{ID: "x", Parts: elsewhere, Finish: callwright.FinishCalls})
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	list, _ := jsonx.Find(body, "candidates")
	var content []byte
	for c := range jsonx.Elements(list) {
		content, _ = jsonx.Find(c, "content")
	}
	again := bytes.ReplaceAll(content, []byte("="), nil) // as a client that decodes bytes and encodes them for addresses
	for name, content := range map[string][]byte{"whole": content, "streamed": streamed(t, elsewhere), "encoded again": again} {
		t.Run(name, func(t *testing.T) {
			req := decoded(t, `{"contents":[{"role":"user","parts":[{"text":"q"}]},`+string(content)+`,{"role":"user","parts":[{"functionResponse":{"id":"a","name":"look","response":{"output":"1"}}}]}]}`)
			messages, err := req.History()
			if err != nil {
				t.Fatal(err)
			}
			var got []callwright.Part
			for _, p := range messages[1].Parts {
				if words, is := p.(callwright.Text); !is || words.Text != "" {
					got = append(got, p)
				}
			}
			if diff := cmp.Diff(elsewhere, got); diff != "" {
				t.Errorf("unexpected parts (-want +got):\n%s", diff)
			}
			out, notes := encoded(t, req, caps.Caps{})
			if strings.Contains(out, "thought") || len(notes) == 0 {
				t.Errorf("expected no state and notes, got %s with %v", out, notes)
			}
		})
	}
}

func TestDamagedCarrierGoesNowhere(t *testing.T) {
	whole := base64.StdEncoding.EncodeToString([]byte(wire.CarrierMark + "!!"))
	for _, s := range []string{whole, whole[:17] + "*", whole[:16]} {
		req := decoded(t, `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"text":"a"},{"text":"t","thought":true,"thoughtSignature":"`+s+`"}]}]}`)
		out, notes := encoded(t, req, caps.Caps{})
		if strings.Contains(out, "thought") || len(notes) != 1 {
			t.Errorf("%s: expected no thought, got %s with %v", s, out, notes)
		}
	}
}

// A client's own sentinel goes to this API, and to no other.
func TestSentinels(t *testing.T) {
	for _, s := range []string{"skip_thought_signature_validator", "context_engineering_is_the_way_to_go"} {
		req := decoded(t, `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"look","args":{}},"thoughtSignature":"`+s+`"}]},{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"1"}}}]}]}`)
		messages, _ := req.History()
		if c := callwright.CallsOf(messages[1].Parts)[0]; c.Signature != "" {
			t.Errorf("expected no signature, got %q", c.Signature)
		}
		bare := built(messages...)
		if out, notes := encoded(t, bare, caps.Caps{History: caps.HistoryRules{SignedCalls: true}}); !strings.Contains(out, s) || len(notes) > 0 {
			t.Errorf("expected %s, got %s with %v", s, out, notes)
		}
	}
}
