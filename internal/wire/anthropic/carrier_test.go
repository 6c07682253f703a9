package anthropic_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/callwright/callwright/internal/wire/gemini"
	"github.com/callwright/callwright/internal/wire/ollama"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/google/go-cmp/cmp"
)

// elsewhere is reasoning that other wires gave.
var elsewhere = []callwright.Reasoning{
	{Text: "plain", Origin: callwright.Origin{Wire: callwright.WireOpenAI, Model: "deepseek/x"}},
	{Text: "signed", Signature: "c2ln", Origin: callwright.Origin{Wire: callwright.WireGemini}},
	{Redacted: "ZW5j", ID: "rs_1", Origin: callwright.Origin{Wire: callwright.WireResponses}, Extra: callwright.Extra{Wire: callwright.WireResponses, JSON: json.RawMessage(`{"summary":[]}`)}},
}

// strictOverWire makes the request in which a client sends the answer's content back.
func strictOverWire(t *testing.T, content []byte) *callwright.Request {
	t.Helper()
	body := []byte(`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":` + string(content) + `},{"role":"user","content":"b"}]}`)
	req, err := anthropic.Codec{}.DecodeRequest(body)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func TestReasoningOfOthersComesBack(t *testing.T) {
	var whole []callwright.Part
	var events []callwright.Event
	for _, r := range elsewhere {
		whole = append(whole, r)
		if r.Text != "" {
			events = append(events, callwright.ReasoningDelta{Text: r.Text})
		}
		events = append(events, callwright.ReasoningEnd{Signature: r.Signature, Redacted: r.Redacted, ID: r.ID, Origin: r.Origin, Extra: r.Extra})
	}
	whole = append(whole, callwright.Text{Text: "c"})
	events = append(append([]callwright.Event{begin}, events...), callwright.TextDelta{Text: "c"}, callwright.End{})
	body, _, err := anthropic.Codec{}.EncodeResponse(nil, &callwright.Response{ID: "x", Parts: whole})
	if err != nil {
		t.Fatal(err)
	}
	content, _ := jsonx.Find(body, "content")
	for name, content := range map[string][]byte{"whole": content, "streamed": assembled(t, encodeAll(events))} {
		t.Run(name, func(t *testing.T) {
			req := strictOverWire(t, content)
			messages, err := req.History()
			if err != nil {
				t.Fatal(err)
			}
			var got []callwright.Reasoning
			for _, p := range messages[1].Parts {
				if r, ok := p.(callwright.Reasoning); ok {
					got = append(got, r)
				}
			}
			if diff := cmp.Diff(elsewhere, got); diff != "" {
				t.Errorf("unexpected reasoning (-want +got):\n%s", diff)
			}
			neverSent(t, req)
		})
	}
}

// neverSent checks that reasoning of others does not reach the API, and that the rest keeps its bytes.
func neverSent(t *testing.T, req *callwright.Request) {
	t.Helper()
	out, notes, err := anthropic.Codec{}.EncodeRequest(req, "m", caps.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(out, []byte("thinking")) || len(notes) != len(elsewhere) {
		t.Errorf("expected no reasoning and a note for each, got %s with %v", out, notes)
	}
}

// assembled is the content that a client puts together from a stream.
func assembled(t *testing.T, stream []byte) []byte {
	t.Helper()
	s := wiretest.Decode(anthropic.Codec{}, bytes.NewReader(stream))
	if s.Err != nil {
		t.Fatal(s.Err)
	}
	var parts []callwright.Part
	var thought, said strings.Builder
	for _, ev := range s.Events {
		switch ev := ev.(type) {
		case callwright.ReasoningDelta:
			thought.WriteString(ev.Text)
		case callwright.ReasoningEnd:
			parts = append(parts, callwright.Reasoning{Text: thought.String(), Signature: ev.Signature, Redacted: ev.Redacted, Origin: ev.Origin})
			thought.Reset()
		case callwright.TextDelta:
			said.WriteString(ev.Text)
		}
	}
	body, _, err := anthropic.Codec{}.EncodeResponse(nil, &callwright.Response{Parts: append(parts, callwright.Text{Text: said.String()})})
	if err != nil {
		t.Fatal(err)
	}
	content, _ := jsonx.Find(body, "content")
	return content
}

func TestDamagedCarrierGoesNowhere(t *testing.T) {
	for _, signature := range []string{"callwright.v1.", "callwright.v1.!!", "callwright.v1.e30", "callwright.v1.WzFd"} {
		req := strictOverWire(t, []byte(`[{"type":"thinking","thinking":"t","signature":"`+signature+`"},{"type":"text","text":"c"}]`))
		out, notes, err := anthropic.Codec{}.EncodeRequest(req, "m", caps.Caps{})
		if err != nil || bytes.Contains(out, []byte("thinking")) || len(notes) != 1 {
			t.Errorf("%s: expected no thinking, got %s (%v, %v)", signature, out, notes, err)
		}
	}
}

func TestUnsignedReasoningIsMarked(t *testing.T) {
	out := encodeAll([]callwright.Event{begin, callwright.ReasoningDelta{Text: "hm"}, callwright.TextDelta{Text: "a"}, callwright.End{}})
	s := wiretest.Decode(anthropic.Codec{}, bytes.NewReader(out))
	for _, ev := range s.Events {
		if end, ok := ev.(callwright.ReasoningEnd); ok && strings.HasPrefix(end.Signature, "callwright.v1.") {
			return
		}
	}
	t.Errorf("expected a signature that marks the reasoning as not the API's own, got %s", out)
}

func TestStateOfCallsComesBack(t *testing.T) {
	want := callwright.Call{ID: "toolu_1", Name: "look", Signature: "c2ln", Origin: callwright.Origin{Wire: callwright.WireGemini, Model: "gemini/x"}}
	whole, _, err := anthropic.Codec{}.EncodeResponse(nil, &callwright.Response{ID: "x", Parts: []callwright.Part{want}})
	if err != nil {
		t.Fatal(err)
	}
	content, _ := jsonx.Find(whole, "content")
	stream := encodeAll([]callwright.Event{begin,
		callwright.CallBegin{ID: want.ID, Name: want.Name, Signature: want.Signature, Origin: want.Origin}, callwright.CallEnd{}, callwright.End{}})
	var block []byte // the first block of the stream is the carrier
	for line := range strings.Lines(string(stream)) {
		if data, ok := strings.CutPrefix(line, "data: "); ok && block == nil {
			block, _ = jsonx.Find([]byte(data), "content_block")
		}
	}
	streamed := []byte(`[` + string(block) + `,{"type":"tool_use","id":"toolu_1","name":"look","input":{}}]`)
	for name, content := range map[string][]byte{"whole": content, "streamed": streamed} {
		t.Run(name, func(t *testing.T) {
			req := strictOverWire(t, content)
			messages, err := req.History()
			if err != nil {
				t.Fatal(err)
			}
			got, ok := messages[1].Parts[0].(callwright.Call)
			if len(messages[1].Parts) != 1 || !ok || got.Signature != want.Signature || got.Origin != want.Origin {
				t.Errorf("expected one call with signature %q of %v, got %+v", want.Signature, want.Origin, messages[1].Parts)
			}
			out, _, err := anthropic.Codec{}.EncodeRequest(req, "m", caps.Caps{})
			if err != nil || bytes.Contains(out, []byte("thinking")) {
				t.Errorf("expected the carrier to stay here, got %s (%v)", out, err)
			}
		})
	}
}

// Blocks of thinking that only carry state go to clients that asked for thinking; others break on them.
func TestCarriersOnlyWhereThinkingIsAskedFor(t *testing.T) {
	call := callwright.Call{ID: "a", Name: "f", Arguments: json.RawMessage(`{}`), Signature: "c2ln", Origin: callwright.Origin{Wire: callwright.WireGemini}}
	for thinking, want := range map[string]bool{"": false, `"thinking":{"type":"disabled"},`: false, `"thinking":{"type":"enabled","budget_tokens":1024},`: true, `"thinking":{"type":"adaptive"},`: true} {
		req, err := anthropic.Codec{}.DecodeRequest([]byte(`{"model":"m",` + thinking + `"messages":[{"role":"user","content":"q"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		body, _, err := anthropic.Codec{}.EncodeResponse(req, &callwright.Response{ID: "x", Parts: []callwright.Part{elsewhere[2], call}})
		if err != nil {
			t.Fatal(err)
		}
		enc := anthropic.Codec{}.NewStreamEncoder(req)
		stream := enc.Encode(nil, callwright.Batch{Events: []callwright.Event{begin, callwright.ReasoningEnd{Redacted: "ZW5j", Origin: elsewhere[2].Origin},
			callwright.CallBegin{ID: "a", Name: "f", Signature: "c2ln", Origin: call.Origin}, callwright.CallEnd{Call: &call}, callwright.End{}}, More: true})
		for _, out := range [][]byte{body, stream} {
			if got := bytes.Contains(out, []byte("redacted_thinking")); got != want || !bytes.Contains(out, []byte(`"tool_use"`)) {
				t.Errorf("%s: carries %t\n%s", thinking, got, out)
			}
		}
	}
}

// Ids that the provider refuses are mapped, also where the client sends them over this wire; others keep their bytes.
func TestIDsOfOthers(t *testing.T) {
	const turn = `{"role":"assistant","content":[{"type":"tool_use","id":"ID","name":"f","input":{ }}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"ID","content":"r"}]}`
	body := func(id string) string {
		return `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"q"},` + strings.ReplaceAll(turn, "ID", id) + `]}`
	}
	for id, kept := range map[string]bool{"toolu_01": true, "functions.f:0": false} {
		req, err := anthropic.Codec{}.DecodeRequest([]byte(body(id)))
		if err != nil {
			t.Fatal(err)
		}
		out, notes, err := anthropic.Codec{}.EncodeRequest(req, "m", caps.Caps{})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(out) == body(id); got != kept || strings.Contains(string(out), ":0") || strings.Count(string(out), "call_") != map[bool]int{false: 2}[kept] {
			t.Errorf("%s: sent %s with %v", id, out, notes)
		}
	}
}

// What only this API makes of instructions goes to no other provider, and to this one as it came.
func TestBillingHeader(t *testing.T) {
	const body = `{"model":"m","max_tokens":1,"system":[{"type":"text","text":"x-anthropic-billing-header: cc_version=2; cch=0af3;"},{"type":"text","text":"Be brief."}],"messages":[{"role":"user","content":"q"}]}`
	req, err := anthropic.Codec{}.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	built := *req
	if built.Messages, err = req.History(); err != nil {
		t.Fatal(err)
	}
	companion.Change(&built, func(c *companion.Companion) { c.Body = nil })
	for name, r := range map[string]*callwright.Request{"as it came": req, "written anew": &built} {
		out, _, err := anthropic.Codec{}.EncodeRequest(r, "m", caps.Caps{})
		if err != nil || !strings.Contains(string(out), `[{"type":"text","text":"x-anthropic-billing-header: cc_version=2; cch=0af3;"},{"type":"text","text":"Be brief."}]`) {
			t.Errorf("%s: sent %s, %v", name, out, err)
		}
	}
	for _, c := range []interface {
		EncodeRequest(*callwright.Request, string, caps.Caps) ([]byte, []callwright.Note, error)
	}{gemini.Codec{}, ollama.Codec{}, openai.Codec{}, responses.Codec{}} {
		out, notes, err := c.EncodeRequest(req, "m", caps.Caps{})
		if err != nil || strings.Contains(string(out), "billing") || !strings.Contains(string(out), "Be brief.") || len(notes) == 0 {
			t.Errorf("%T: sent %s with %v, %v", c, out, notes, err)
		}
	}
}
