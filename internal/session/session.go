// Package session determines the name of a session: a conversation of a client, which consists of several requests.
// Clients send the name in a header or in a member of the body. Without a name, the session is identified by its first
// user message.
package session

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// MaxName is the maximum length of a session name in bytes. A longer name is truncated.
const MaxName = 128

// headers lists header fields with a session name, in order of precedence: those of Claude Code
// (https://github.com/coder/aibridge/pull/241), opencode (https://opencode.ai/docs/go/) and Codex, older names of Codex
// with an underscore (https://github.com/KarpelesLab/teamclaude/pull/352), and names used by several clients.
var headers = []string{"X-Claude-Code-Session-Id", "X-Opencode-Session", "Session-Id", "Session_id", "Conversation_id",
	"X-Session-Id", "X-Session-Affinity"}

// members lists paths of body members with a session name.
var members = [][]string{{"session_id"}, {"metadata", "session_id"}, {"metadata", "sessionId"}, {"conversation"},
	{"conversation", "id"}, {"prompt_cache_key"}}

// Of returns the session name in the header or the body of a request, or "" if there is none. find returns the value of
// a body member, or nil. h and find may be nil.
func Of(h http.Header, find func(member string) []byte) string {
	for _, name := range headers {
		if values := h[name]; len(values) > 0 && values[0] != "" {
			return cut(values[0])
		}
	}
	if find == nil {
		return ""
	}
	if name := ofUser(at(find("metadata"), "user_id")); name != "" {
		return cut(name)
	}
	for _, path := range members {
		if name := at(find(path[0]), path[1:]...); name != "" {
			return cut(name)
		}
	}
	return ""
}

// ClientName returns the session name that the client sent, or "" if it sent none. h is the HTTP header and may be nil.
func ClientName(h http.Header, req *callwright.Request) string {
	var find func(member string) []byte
	if body, ok := companion.Of(req).Body.(interface{ Find(key string) []byte }); ok { // bodies with an index
		find = body.Find
	}
	return Of(h, find)
}

// OfRequest returns the session name that the client sent, or otherwise the name computed by OfMessages. h is the HTTP
// header and may be nil.
func OfRequest(h http.Header, req *callwright.Request) string {
	if name := ClientName(h, req); name != "" {
		return name
	}
	history, _ := req.History() // without a readable history there is no name
	return OfMessages(history)
}

// at returns the string at a path of member names, or "" if there is none.
func at(v []byte, path ...string) string {
	if v == nil {
		return ""
	}
	out, _ := jsonx.Lookup(v, path...)
	return jsonx.TextOf(out)
}

// ofUser returns the session ID in a user_id of Claude Code, which is a JSON object with session_id or a string that
// ends with _session_ID. It returns "" if there is none.
func ofUser(id string) string {
	if jsonx.IsObject([]byte(id)) {
		return at([]byte(id), "session_id")
	}
	if i := strings.LastIndex(id, "_session_"); i >= 0 {
		return id[i+len("_session_"):]
	}
	return ""
}

func cut(s string) string { return strings.ToValidUTF8(s[:min(len(s), MaxName)], "") }

// OfMessages returns a session name computed from the first user message with text: "first-" and a hash of the text. It
// returns "" if there is no such message.
func OfMessages(history []callwright.Message) string {
	for i := range history {
		if history[i].Role != callwright.RoleUser {
			continue
		}
		h, some := sha256.New(), false
		for _, p := range history[i].Parts {
			if t, ok := p.(callwright.Text); ok && t.Text != "" {
				some = true
				_, _ = h.Write([]byte(t.Text)) // never fails
			}
		}
		if some {
			return "first-" + hex.EncodeToString(h.Sum(nil)[:8])
		}
	}
	return ""
}
