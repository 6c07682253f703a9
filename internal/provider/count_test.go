package provider_test

import (
	"encoding/base64"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
)

// The provider's own count is given as it came, of the client's own bytes but for the model's name.
func TestCountTokens(t *testing.T) {
	m, s := scripted(t, "anthropic", reply{body: `{ "input_tokens" : 12 }`})
	got, err := m.CountTokens(t.Context(), callwright.WireAnthropic, []byte(`{"model":"x/y", "messages" : [1e2]}`))
	if err != nil || string(got) != `{ "input_tokens" : 12 }` {
		t.Fatalf("got %s, %v", got, err)
	}
	if s.last.URL.Path != "/v1/messages/count_tokens" || s.bodies[0] != `{"model":"m-1", "messages" : [1e2]}` {
		t.Errorf("sent %s to %s", s.bodies[0], s.last.URL)
	}
}

func TestCountTokensFails(t *testing.T) {
	for name, c := range map[string]struct {
		provider string
		wire     callwright.WireName
		reply    reply
		want     callwright.Kind
		sent     int // of two that are asked for
	}{
		"another wire":         {"anthropic", callwright.WireGemini, reply{}, callwright.KindUnsupported, 0},
		"a wire without":       {"lab", callwright.WireOpenAI, reply{}, callwright.KindUnsupported, 0},
		"no such address":      {"anthropic", callwright.WireAnthropic, reply{status: 404, body: `{}`}, callwright.KindUnsupported, 1},
		"a request refused":    {"anthropic", callwright.WireAnthropic, reply{status: 400, body: `{}`}, callwright.KindInvalid, 2},
		"no count":             {"anthropic", callwright.WireAnthropic, reply{body: `<html>`}, callwright.KindBadAnswer, 2},
		"a provider too busy":  {"anthropic", callwright.WireAnthropic, reply{status: 529, body: `{}`}, callwright.KindOverloaded, 2},
		"a list for an answer": {"anthropic", callwright.WireAnthropic, reply{body: `[]`}, callwright.KindBadAnswer, 2},
	} {
		m, s := scripted(t, c.provider, c.reply)
		for range 2 {
			if _, err := m.CountTokens(t.Context(), c.wire, []byte(`{"model":"x"}`)); callwright.KindOf(err) != c.want {
				t.Errorf("%s: got %v, want %s", name, err, c.want)
			}
		}
		if len(s.bodies) != c.sent {
			t.Errorf("%s: %d requests were sent, want %d", name, len(s.bodies), c.sent)
		}
	}
}

// Opaque state of another wire, which is in members that the provider would refuse, is never sent.
func TestCountTokensSendsNoCarriers(t *testing.T) {
	carrier := wire.Pack(callwright.Reasoning{Signature: "s", Origin: callwright.Origin{Wire: callwright.WireOpenAI}})
	for name, text := range map[string]string{"as it is": carrier, "in base64": base64.StdEncoding.EncodeToString([]byte(carrier))} {
		m, s := scripted(t, "anthropic", reply{body: `{"input_tokens":12}`})
		_, err := m.CountTokens(t.Context(), callwright.WireAnthropic, []byte(`{"model":"x","messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"a","signature":"`+text+`"}]}]}`))
		if callwright.KindOf(err) != callwright.KindUnsupported || len(s.bodies) > 0 {
			t.Errorf("%s: sent %s, got %v", name, s.bodies, err)
		}
		if got, err := m.CountTokens(t.Context(), callwright.WireAnthropic, []byte(`{}`)); err != nil || string(got) != `{"input_tokens":12}` {
			t.Errorf("%s: the next count got %s, %v", name, got, err)
		}
	}
}
