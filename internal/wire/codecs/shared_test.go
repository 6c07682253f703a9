package codecs_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/google/go-cmp/cmp"
)

// Members that both APIs of OpenAI have go from one to the other where the provider takes them, and have a note where it is not
// known to.
func TestSharedMembers(t *testing.T) {
	chat, err := openai.Codec{}.DecodeRequest([]byte(`{"model":"m","messages":[{"role":"user","content":"a"}],"verbosity":"low","service_tier":"flex","prompt_cache_key":"k"}`))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := responses.Codec{}.DecodeRequest([]byte(`{"model":"m","input":"a","text":{"verbosity":"low"},"service_tier":"flex","prompt_cache_key":"k"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, takes := range []caps.Truth{caps.Yes, caps.Unknown} {
		asResponses, notes, _ := responses.Codec{}.EncodeRequest(chat, "m", caps.Caps{ServiceParams: takes})
		asChat, others, _ := openai.Codec{}.EncodeRequest(resp, "m", caps.Caps{ServiceParams: takes})
		want := []string{`"service_tier":"flex"`, `"prompt_cache_key":"k"`, `"verbosity":"low"`}
		for body, notes := range map[string][]callwright.Note{string(asResponses): notes, string(asChat): others} {
			for _, member := range want {
				if strings.Contains(body, member) != (takes == caps.Yes) {
					t.Errorf("%s, %v: %s", takes, member, body)
				}
			}
			if got := len(notes); takes == caps.Yes && got != 0 || takes != caps.Yes && got != len(want) {
				t.Errorf("%s: %v", takes, notes)
			}
		}
	}
}

// What a request says of reasoning in members of its own API is mapped, or noted.
func TestSwitchesOfReasoning(t *testing.T) {
	for body, noted := range map[string]bool{
		`"reasoning":{"enabled":true}`:                        true,
		`"thinking":{"type":"enabled","clear_thinking":true}`: true,
		`"reasoning":{"effort":"high"}`:                       false,
		`"reasoning_effort":"high"`:                           false,
		`"thinking":{"type":"disabled"}`:                      false,
		`"reasoning":{"max_tokens":2000,"exclude":null}`:      false,
	} {
		req, err := openai.Codec{}.DecodeRequest([]byte(`{"model":"m","messages":[{"role":"user","content":"a"}],` + body + `}`))
		if err != nil {
			t.Fatal(err)
		}
		_, notes, _ := responses.Codec{}.EncodeRequest(req, "m", caps.Caps{})
		var rules []string
		for _, n := range notes {
			if n.Rule == "params.thinking" && strings.Contains(n.Why, "only the") {
				rules = append(rules, n.Rule)
			}
		}
		if diff := cmp.Diff(noted, len(rules) > 0); diff != "" {
			t.Errorf("%s: %v", body, notes)
		}
	}
}

// A refusal is one on both APIs of OpenAI.
func TestRefusalsAcross(t *testing.T) {
	resp, err := openai.Codec{}.DecodeResponse([]byte(`{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":"No."},"finish_reason":"stop"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Raw = nil
	out, _, _ := responses.Codec{}.EncodeResponse(nil, resp)
	if !strings.Contains(string(out), `{"type":"refusal","refusal":"No."}`) || !strings.Contains(string(out), `"status":"completed"`) {
		t.Errorf("expected a refusal, got %s", out)
	}
	if resp, err = (responses.Codec{}).DecodeResponse(out); err != nil {
		t.Fatal(err)
	}
	resp.Raw = nil
	if out, _, _ = (openai.Codec{}).EncodeResponse(nil, resp); !strings.Contains(string(out), `"refusal":"No."`) {
		t.Errorf("expected a refusal, got %s", out)
	}
}
