// Package session names the session of a request: the conversation that a client holds, over several requests. Clients name it in a
// header or in a member of the body. The session of a request without such a name is that of its first user message.
package session

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// MaxName is the most bytes that the name of a session has. A longer one is cut.
const MaxName = 128

// headers are the header fields that name a session, the most particular first: those of Claude Code
// (https://github.com/coder/aibridge/pull/241), opencode (https://opencode.ai/docs/go/) and Codex, whose name had an underscore before
// (https://github.com/KarpelesLab/teamclaude/pull/352), and those that other clients share.
var headers = []string{"X-Claude-Code-Session-Id", "X-Opencode-Session", "Session-Id", "Session_id", "Conversation_id", "X-Session-Id", "X-Session-Affinity"}

// members are the paths of the members of a body that name a session. The last one of each path is a string.
var members = [][]string{{"session_id"}, {"metadata", "session_id"}, {"metadata", "sessionId"}, {"conversation"}, {"conversation", "id"}, {"prompt_cache_key"}}

// Of returns the name of the session by the header and the body of a request, "" where neither names one. Both may be nil.
func Of(h http.Header, body []byte) string {
	for _, name := range headers {
		if values := h[name]; len(values) > 0 && values[0] != "" {
			return cut(values[0])
		}
	}
	var named [len(memberNames)][]byte
	for key, value := range jsonx.Members(body) {
		for i, name := range memberNames {
			if key.Is(name) {
				named[i] = value
			}
		}
	}
	if name := ofUser(jsonx.TextOf(first(named[metadata], "user_id"))); name != "" {
		return cut(name)
	}
	for _, path := range members {
		for i, name := range memberNames {
			if name == path[0] {
				if s := jsonx.TextOf(first(named[i], path[1:]...)); s != "" {
					return cut(s)
				}
			}
		}
	}
	return ""
}

// memberNames are the members of a body that are looked at, and metadata is the place of that name.
var memberNames = [...]string{"session_id", "metadata", "conversation", "prompt_cache_key"}

const metadata = 1

// first returns the value at a path, nil where there is none.
func first(v []byte, path ...string) []byte {
	if v == nil {
		return nil
	}
	out, _ := jsonx.Lookup(v, path...)
	return out
}

// ofUser returns the session in the user_id of Claude Code: a JSON object with session_id, or a text that ends in _session_ID.
func ofUser(id string) string {
	if jsonx.IsObject([]byte(id)) {
		return jsonx.TextOf(first([]byte(id), "session_id"))
	}
	if at := strings.LastIndex(id, "_session_"); at >= 0 {
		return id[at+len("_session_"):]
	}
	return ""
}

func cut(s string) string { return strings.ToValidUTF8(s[:min(len(s), MaxName)], "") }

// OfMessages returns the name for the session of a conversation that has no other one: "first-" and a digest of its first user message.
// Conversations that begin with the same text have the same name. It is "" without a text of the user.
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
