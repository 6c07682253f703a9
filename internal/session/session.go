// Package session names the session of a request: the conversation that a client holds, over several requests. Clients
// name it in a header or in a member of the body. The session of a request without such a name is that of its first
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

// MaxName is the most bytes that the name of a session has. A longer one is cut.
const MaxName = 128

// headers are the header fields that name a session, the most particular first: those of Claude Code
// (https://github.com/coder/aibridge/pull/241), opencode (https://opencode.ai/docs/go/) and Codex, whose name had an
// underscore before (https://github.com/KarpelesLab/teamclaude/pull/352), and those that other clients share.
var headers = []string{"X-Claude-Code-Session-Id", "X-Opencode-Session", "Session-Id", "Session_id", "Conversation_id",
	"X-Session-Id", "X-Session-Affinity"}

// members are the paths of the members of a body that name a session. The last one of each path is a string.
var members = [][]string{{"session_id"}, {"metadata", "session_id"}, {"metadata", "sessionId"}, {"conversation"},
	{"conversation", "id"}, {"prompt_cache_key"}}

// Of returns the name of the session by the header and the body of a request, "" where neither names one. find returns
// a member of the body, nil where there is none. The header and find may be nil.
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

// ClientName returns the name that the client of a request gives to its session, "" for none. h is the header of the
// HTTP request; it may be nil.
func ClientName(h http.Header, req *callwright.Request) string {
	var find func(member string) []byte
	if body, ok := companion.Of(req).Body.(interface{ Find(key string) []byte }); ok { // the index of the wire
		find = body.Find
	}
	return Of(h, find)
}

// OfRequest returns the name of the session of a request: the one that its client gives, else that of the beginning of
// the conversation. h is the header of the HTTP request; it may be nil.
func OfRequest(h http.Header, req *callwright.Request) string {
	if name := ClientName(h, req); name != "" {
		return name
	}
	history, _ := req.History() // what cannot be read says nothing
	return OfMessages(history)
}

// at returns the string at a path, "" where there is none.
func at(v []byte, path ...string) string {
	if v == nil {
		return ""
	}
	out, _ := jsonx.Lookup(v, path...)
	return jsonx.TextOf(out)
}

// ofUser returns the session in the user_id of Claude Code: a JSON object with session_id, or a text that ends in
// _session_ID.
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

// OfMessages returns the name for the session of a conversation that has no other one: "first-" and a digest of its
// first user message. Conversations that begin with the same text have the same name. It is "" without a text of the
// user.
func OfMessages(history []callwright.Message) string {
	for i := range history {
		if history[i].Role != callwright.RoleUser {
			continue
		}
		h, some := sha256.New(), false
		for _, p := range history[i].Parts {
			if t, ok := p.(callwright.Text); ok && t.Text != "" {
				some = true
				_, _ = h.Write([]byte(t.Text)) // it never fails
			}
		}
		if some {
			return "first-" + hex.EncodeToString(h.Sum(nil)[:8])
		}
	}
	return ""
}
