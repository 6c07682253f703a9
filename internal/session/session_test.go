package session_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/session"
)

func TestOf(t *testing.T) {
	tests := []struct {
		name, header, body, want string
	}{
		{"nothing", "", "", ""},
		{"no object", "", `["session_id"]`, ""},
		{"no name", "", `{"model":"m","messages":[{"role":"user","content":"session_id"}]}`, ""},
		{"Claude Code", "X-Claude-Code-Session-Id: s1", `{"prompt_cache_key":"k"}`, "s1"},
		{"Claude Code, in the body", "", `{"messages":[],"metadata":{"user_id":"{\"device_id\":\"d\",\"session_id\":\"s2\"}"}}`, "s2"},
		{"Claude Code, earlier", "", `{"metadata":{"user_id":"user_ab_account__session_s3"}}`, "s3"},
		{"a user without a session", "", `{"metadata":{"user_id":"somebody"}}`, ""},
		{"Codex", "session-id: s4", "", "s4"},
		{"Codex, earlier", "session_id: s5", `{"prompt_cache_key":"k"}`, "s5"},
		{"opencode", "x-opencode-session: s6", "", "s6"},
		{"a key of the prompt cache", "", `{"model":"m","prompt_cache_key":"k"}`, "k"},
		{"a conversation", "", `{"conversation":{"id":"conv_1"}}`, "conv_1"},
		{"a conversation by its id", "", `{"conversation":"conv_2"}`, "conv_2"},
		{"metadata", "", `{"metadata":{"sessionId":"s7"}}`, "s7"},
		{"member of the body before the key", "", `{"prompt_cache_key":"k","session_id":"s8"}`, "s8"},
		{"another kind of value", "", `{"session_id":7,"prompt_cache_key":null,"metadata":"m","conversation":[1]}`, ""},
		{"empty header", "session-id:", `{"session_id":"s9"}`, "s9"},
		{"long", "", `{"session_id":"` + strings.Repeat("x", 200) + `"}`, strings.Repeat("x", session.MaxName)},
		{"cut inside a character", "", `{"session_id":"` + strings.Repeat("x", session.MaxName-1) + `é"}`, strings.Repeat("x", session.MaxName-1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := http.Header{}
			if name, value, ok := strings.Cut(tt.header, ":"); ok {
				h.Set(name, strings.TrimSpace(value))
			}
			if got := session.Of(h, func(member string) []byte {
				v, _ := jsonx.Find([]byte(tt.body), member)
				return v
			}); got != tt.want {
				t.Errorf("expected %q, got %q", tt.want, got)
			}
		})
	}
}

func TestOfMessages(t *testing.T) {
	system := callwright.Message{Role: callwright.RoleSystem, Parts: []callwright.Part{callwright.Text{Text: "Be short."}}}
	answer := callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Text{Text: "3 degrees."}}}
	oslo, rome := callwright.UserText("Weather in Oslo?"), callwright.UserText("Weather in Rome?")
	first := session.OfMessages([]callwright.Message{oslo})
	for name, tt := range map[string]struct {
		history []callwright.Message
		same    bool
	}{
		"a later turn":         {[]callwright.Message{oslo, answer, rome}, true},
		"other instructions":   {[]callwright.Message{system, oslo}, true},
		"another conversation": {[]callwright.Message{rome, answer, oslo}, false},
		"none":                 {nil, false},
	} {
		if got := session.OfMessages(tt.history); (got == first) != tt.same {
			t.Errorf("%s: got %s beside %s", name, got, first)
		}
	}
	if got := session.OfMessages([]callwright.Message{system, answer}); got != "" {
		t.Errorf("expected no session without a user, got %q", got)
	}
}
