package responses_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/google/go-cmp/cmp"
)

// elsewhere is what a model of other wires gave: reasoning, and a call with state of its own.
var elsewhere = []callwright.Part{
	callwright.Reasoning{Text: "plain", Origin: callwright.Origin{Wire: callwright.WireOpenAI, Model: "deepseek/x"}},
	callwright.Reasoning{Text: "signed", Signature: "c2ln", Origin: callwright.Origin{Wire: callwright.WireAnthropic}},
	callwright.Reasoning{Redacted: "ZW5j", Origin: callwright.Origin{Wire: callwright.WireAnthropic}},
	callwright.Call{ID: "c1", Name: "look", Arguments: json.RawMessage(`{}`), Signature: "Z2Vt", Origin: callwright.Origin{Wire: callwright.WireGemini, Model: "gemini/x"}},
}

// TestStateOfOthersComesBack takes it to a client, whole and streamed, and back; to a provider it does not go.
func TestStateOfOthersComesBack(t *testing.T) {
	whole, _, err := responses.Codec{}.EncodeResponse(nil, &callwright.Response{Parts: elsewhere})
	if err != nil {
		t.Fatal(err)
	}
	events := []callwright.Event{callwright.Begin{}}
	for _, p := range elsewhere {
		switch p := p.(type) {
		case callwright.Reasoning:
			if p.Text != "" {
				events = append(events, callwright.ReasoningDelta{Text: p.Text})
			}
			events = append(events, callwright.ReasoningEnd{Signature: p.Signature, Redacted: p.Redacted, Origin: p.Origin})
		case callwright.Call:
			events = append(events, callwright.CallBegin{ID: p.ID, Name: p.Name, Signature: p.Signature, Origin: p.Origin}, callwright.CallEnd{})
		}
	}
	e := responses.Codec{}.NewStreamEncoder(&callwright.Request{})
	stream := e.Encode(nil, callwright.Batch{Events: append(events, callwright.End{}), More: true})
	streamed, _ := jsonx.Find(stream[bytes.LastIndex(stream, []byte("data: "))+len("data: "):], "response")
	for name, answer := range map[string][]byte{"whole": whole, "streamed": streamed} {
		t.Run(name, func(t *testing.T) {
			kept, err := (responses.Codec{}).Items([]byte(`{"input":"a"}`), answer)
			if err != nil {
				t.Fatal(err)
			}
			body, err := (responses.Codec{}).Continue([]byte(`{"model":"tern","input":[{"type":"function_call_output","call_id":"c1","output":"x"}]}`), kept)
			if err != nil {
				t.Fatal(err)
			}
			req := decode(t, string(body))
			messages, err := req.History()
			if err != nil {
				t.Fatal(err)
			}
			got := messages[1].Parts
			if c, ok := got[len(got)-1].(callwright.Call); ok {
				c.Extra = callwright.Extra{} // ids of items
				got[len(got)-1] = c
			}
			if diff := cmp.Diff(elsewhere, got); diff != "" {
				t.Errorf("unexpected parts (-want +got):\n%s", diff)
			}
			out, rules := encode(t, req, caps.Caps{})
			if strings.Contains(out, wire.CarrierMark) || strings.Contains(out, "reasoning") || len(rules) == 0 {
				t.Errorf("expected no state of others and notes, got %s with %v", out, rules)
			}
		})
	}
}

func TestDamagedCarrierGoesNowhere(t *testing.T) {
	for _, packed := range []string{"callwright.v1.", "callwright.v1.!!", "callwright.v1.e30", "callwright.v1.WzFd"} {
		req := decode(t, `{"model":"m","input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"`+packed+`"},{"role":"assistant","content":"b"}]}`)
		if out, _ := encode(t, req, caps.Caps{}); strings.Contains(out, "reasoning") {
			t.Errorf("%s: expected no reasoning, got %s", packed, out)
		}
	}
}

func TestKeepsAnswers(t *testing.T) {
	for _, c := range []struct{ name, body, earlier, want string }{
		{"a list", `{"a":1, "input" : [ {"b":2} ],"previous_response_id":"r"}`, ` [{"c":3}] `, `{"a":1, "input" : [{"c":3},{"b":2}]}`},
		{"a text", `{"previous_response_id":"r","input":"x\n"}`, `[{"c":3}]`, `{"input":[{"c":3},{"role":"user","content":"x\n"}]}`},
		{"no input", `{"previous_response_id":"r"}`, `[{"c":3}]`, `{"input":[{"c":3}]}`},
		{"nothing earlier", `{"input":[{"b":2}]}`, `[]`, `{"input":[{"b":2}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := (responses.Codec{}).Continue([]byte(c.body), []byte(c.earlier))
			if err != nil || string(got) != c.want {
				t.Errorf("expected %s, got %s (%v)", c.want, got, err)
			}
		})
	}
	for _, body := range []string{``, `[]`, `{"input":3}`} {
		if _, err := (responses.Codec{}).Continue([]byte(body), []byte(`[]`)); callwright.KindOf(err) != callwright.KindInvalid {
			t.Errorf("%q: expected %s, got %v", body, callwright.KindInvalid, err)
		}
	}
	if _, err := (responses.Codec{}).Continue([]byte(`{"input":"x"}`), nil); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("expected %s for earlier items that are no list, got %v", callwright.KindInvalid, err)
	}
	for _, answer := range []string{``, `{}`, `{"output":{}}`} {
		if _, err := (responses.Codec{}).Items([]byte(`{"input":"x"}`), []byte(answer)); callwright.KindOf(err) != callwright.KindBadAnswer {
			t.Errorf("%q: expected %s, got %v", answer, callwright.KindBadAnswer, err)
		}
	}
}

// TestStoreIsRepeated: an answer is kept where the request says nothing, and the answer says so.
func TestStoreIsRepeated(t *testing.T) {
	for store, want := range map[string]string{"": "true", `,"store":null`: "true", `,"store":true`: "true", `,"store":false`: "false"} {
		out, _, err := responses.Codec{}.EncodeResponse(decode(t, `{"model":"m","input":"x"`+store+`}`), &callwright.Response{})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := jsonx.Find(out, "store"); string(got) != want {
			t.Errorf("%q: got %s, want %s", store, got, want)
		}
	}
}
